package model

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Naming is how the name that a model sees is made of an MCP server and a tool.
type Naming string

// The namings: mcp_<server>_<tool>, the reference agent's until 2026-06-25;
// mcp__<server>__<tool>, that of Claude Code; and the reference agent's later one,
// which is the same without hyphens.
const (
	HermesNaming Naming = "hermes"
	DoubleNaming Naming = "double"
	LaterNaming  Naming = "hermes_double"
)

// maxMade is the longest name that is made, in bytes: what every provider takes.
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

// ToolName returns the name that a model sees for a tool of a server. Every
// character outside of A-Z, a-z, 0-9 and _ becomes an underscore, but for a
// hyphen in DoubleNaming, which stays. A name of more than 64 bytes is cut and
// ends in the first 32 bits of the SHA-256 of both names as they are, so that it
// stays the same from run to run and differs for tools that differ only behind
// the cut.
func (n Naming) ToolName(server, tool string) string {
	between := "_"
	if n != HermesNaming {
		between = "__"
	}
	name := "mcp" + between + n.identifier(server) + between + n.identifier(tool)
	if len(name) <= maxMade {
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

// Alternate returns the name that the agent gives a tool of an MCP server in its other
// generation, by which policies and labels may call it; empty for any other tool.
func (t *Tool) Alternate() string {
	if t.Server == "" {
		return ""
	}
	for _, prefix := range ServerPrefixes(t.Server) {
		tool, ok := strings.CutPrefix(t.Name, prefix)
		if !ok {
			continue
		}
		if t.OriginalName != "" {
			tool = t.OriginalName
		}
		if strings.HasPrefix(prefix, "mcp__") {
			return HermesNaming.ToolName(t.Server, tool)
		}
		return LaterNaming.ToolName(t.Server, tool)
	}
	return ""
}
