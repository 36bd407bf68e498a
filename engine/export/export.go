// Package export writes tool definitions in the formats of other programs: the tools
// of a request to OpenAI, Anthropic, Gemini or Bedrock, an MCP tools/list result, or
// a registry dump.
//
// Example: the annotations of an MCP tool are a member of its entry in a tools/list
// result; no provider has a place for them, so that they are in the list of Lost.
//
// Invariants:
//   - nothing is lost without an entry: what a shape cannot hold, and what its
//     provider would refuse, is listed for each tool
//   - package model reads from an export the tools that it holds
//   - the order of the tools, the digits of numbers and the order of members
//     stay; the same tools give the same bytes
//
// Cost: one pass over each definition, and package limits' one.
//
// Non-goals: choosing tools, changing names so that a provider takes them,
// writing files, calling providers.
package export

import (
	"fmt"
	"strings"

	"caliper/engine/limits"
)

// Shape is the form in which tools are written.
type Shape string

// The shapes.
const (
	OpenAI    Shape = "openai"    // tools of chat completions: [{"type":"function","function"}]
	Anthropic Shape = "anthropic" // tools of messages: [{"name","description","input_schema"}]
	Gemini    Shape = "gemini"    // tools of generateContent: [{"functionDeclarations":[{"parametersJsonSchema"}]}]
	Bedrock   Shape = "bedrock"   // {"toolConfig":{"tools":[{"toolSpec"}]}} of Converse
	MCP       Shape = "mcp"       // result of tools/list: {"tools":[{"name","description","inputSchema"}]}
	Hermes    Shape = "hermes"    // registry dump: {"toolsets","tools"}
)

// Shapes returns every shape.
func Shapes() []Shape { return []Shape{OpenAI, Anthropic, Gemini, Bedrock, MCP, Hermes} }

// ParseShape returns the shape of a name. Names are exact.
func ParseShape(name string) (Shape, error) {
	names := make([]string, 0, len(Shapes()))
	for _, s := range Shapes() {
		if string(s) == name {
			return s, nil
		}
		names = append(names, string(s))
	}
	last := len(names) - 1
	return "", fmt.Errorf("want %s or %s", strings.Join(names[:last], ", "), names[last])
}

// provider returns the name of the provider of a shape, for messages.
func (s Shape) provider() string {
	switch s {
	case OpenAI:
		return "OpenAI"
	case Anthropic:
		return "Anthropic"
	case Gemini:
		return "Gemini"
	case Bedrock:
		return "Bedrock"
	case MCP:
		return "MCP"
	}
	return "a registry dump"
}

// limiters returns whose rows of package limits are about a shape; nil for a registry dump.
func (s Shape) limiters() []string {
	switch s {
	case OpenAI:
		return []string{limits.OpenAI}
	case Anthropic:
		return []string{limits.Anthropic}
	case Gemini:
		return []string{limits.Gemini}
	case Bedrock:
		return []string{limits.Bedrock, limits.Claude}
	case MCP:
		return []string{limits.VSCode, limits.MCPSDK}
	}
	return nil
}
