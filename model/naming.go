package model

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Naming is how the name that a model sees is made of an MCP server and a tool.
type Naming string

// The namings: mcp_<server>_<tool>, the reference agent's until 2026-06-25;
// mcp__<server>__<tool> at any length, Claude Code's (measured on 2.1.197 to
// 2.1.332); and the reference agent's later one, which is the same without hyphens.
const (
	HermesNaming Naming = "hermes"
	DoubleNaming Naming = "double"
	LaterNaming  Naming = "hermes_double"
)

// maxMade is the longest name that the reference agent makes, in bytes: what every
// provider takes.
const maxMade = 64

// hashed is the length of the suffix of a name that was too long: an underscore
// and eight hexadecimal digits.
const hashed = 9

// Pattern returns the naming in words.
func (n Naming) Pattern() string {
	if n != HermesNaming {
		return "mcp__<server>__<tool>"
	}
	return "mcp_<server>_<tool>"
}

// ToolName returns the name that a model sees for a tool of a server. Every character outside of
// A-Z, a-z, 0-9 and _ becomes an underscore, but for a hyphen in DoubleNaming, which stays. The
// reference agent cuts a name of more than 64 bytes and ends it in the first 32 bits of the SHA-256
// of both names, so that names that differ behind the cut differ. DoubleNaming cuts nothing, as
// Claude Code does.
func (n Naming) ToolName(server, tool string) string {
	between := "_"
	if n != HermesNaming {
		between = "__"
	}
	name := "mcp" + between + n.identifier(server) + between + n.identifier(tool)
	if len(name) <= maxMade || n == DoubleNaming {
		return name
	}
	sum := sha256.Sum256([]byte(server + "\x00" + tool))
	return name[:maxMade-hashed] + "_" + hex.EncodeToString(sum[:4])
}

// identifier replaces every character that a name of the naming cannot have.
func (n Naming) identifier(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' && n == DoubleNaming || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return '_'
	}, s)
}

// ServerPrefixes returns what the names of a server's tools can begin with, in
// either naming.
func ServerPrefixes(server string) []string {
	hermes, double := HermesNaming.identifier(server), DoubleNaming.identifier(server)
	return []string{"mcp__" + double + "__", "mcp__" + hermes + "__", "mcp_" + hermes + "_"}
}

// Aliases returns the names besides its own that agents give a tool. A tool of an MCP server has its
// names by every naming and SERVER-TOOL, Copilot CLI's (measured on 1.0.102); another tool
// TOOLSET__NAME, as the toolset may be a namespace of OpenAI's Responses API.
func (t *Tool) Aliases() []string {
	var out []string
	switch tool := t.AtServer(); {
	case tool != "":
		out = namesOf(t.Server, tool)
	case t.Toolset != "" && t.Toolset != NoToolset:
		out = []string{t.Toolset + "__" + t.Name}
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == t.Name })
}

// namesOf returns the names that agents give a tool of a server, each once.
func namesOf(server, tool string) []string {
	var out []string
	for _, n := range []Naming{LaterNaming, HermesNaming, DoubleNaming} {
		if name := n.ToolName(server, tool); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return append(out, server+"-"+tool)
}

// AtServer returns the name of a tool at its MCP server: the source's, unless the tool's name is
// not made of it; else what follows the server's prefix in its name; "" for neither.
func (t *Tool) AtServer() string {
	if t.Server == "" {
		return ""
	}
	// A made name is the tool's as it is, or cut to the length that agents cut to: they differ in the
	// hash behind.
	isName := func(made string) bool {
		return t.Name == made || len(t.Name) == maxMade && len(made) >= maxMade && strings.HasPrefix(made, t.Name[:maxMade-hashed])
	}
	if original := t.OriginalName; original != "" && (t.Name == original || slices.ContainsFunc(namesOf(t.Server, original), isName)) {
		return original
	}
	for _, prefix := range ServerPrefixes(t.Server) {
		if tool, ok := strings.CutPrefix(t.Name, prefix); ok {
			return tool
		}
	}
	return ""
}

// FoldName returns a name with every run of underscores, dots and slashes as one underscore, in
// which the names agree that agents give one tool.
func FoldName(name string) string {
	var b strings.Builder
	last := byte(0)
	for i := range len(name) {
		c := name[i]
		if c == '.' || c == '/' {
			c = '_'
		}
		if c != '_' || last != '_' {
			b.WriteByte(c)
		}
		last = c
	}
	return b.String()
}
