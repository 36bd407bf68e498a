package export

import (
	"fmt"
	"strings"
)

// Shape is the form in which tools are written.
type Shape string

// The shapes.
const (
	OpenAI    Shape = "openai"    // tools of chat completions: [{"type":"function","function"}]
	Anthropic Shape = "anthropic" // tools of messages: [{"name","description","input_schema"}]
	Gemini    Shape = "gemini"    // tools of generateContent: [{"functionDeclarations"}]
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

// provider returns who takes a shape, for sentences.
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
