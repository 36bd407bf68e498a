package tokens

import (
	"strings"

	"caliper/model/jsontree"
)

// Rendering is a form in which definitions are written.
type Rendering string

// The providers.
const (
	OpenAIRendering    Rendering = "openai"
	AnthropicRendering Rendering = "anthropic"
)

// AnthropicPrompt is the tokens of the prompt that Anthropic adds to a request with
// tools that the model may choose not to call (docs.claude.com, September 2025, for
// the models of generation 4; 313 where the model must call one).
const AnthropicPrompt = 346

// Tool returns the text of a definition, which is an object with a member "function", or
// the function itself. It returns "" for anything else.
func (p Rendering) Tool(definition []byte) string {
	root, err := jsontree.Parse(definition, jsontree.Python)
	if err != nil || !root.Is(jsontree.Object) {
		return ""
	}
	f := root
	if inner := root.Member("function"); inner.Is(jsontree.Object) {
		f = inner
	}
	if p == OpenAIRendering { // with the empty line behind it
		var b strings.Builder
		for line := range strings.Lines(f.Member("description").AsText()) {
			b.WriteString("// " + strings.TrimRight(line, "\r\n") + "\n")
		}
		b.WriteString("type " + f.Member("name").AsText() + " = (")
		if parameters := f.Member("parameters"); parameters != nil {
			b.WriteString("_: " + typeOf(parameters, ""))
		}
		b.WriteString(") => any;\n\n")
		return b.String()
	}
	out := []byte(`{"description": `) // on a line
	out = append(out, valueOr(f.Member("description"), `""`)...)
	out = append(out, `, "name": `...)
	out = append(out, valueOr(f.Member("name"), `""`)...)
	out = append(out, `, "parameters": `...)
	out = append(out, valueOr(f.Member("parameters"), `{}`)...)
	return string(append(out, '}', '\n'))
}

// valueOr returns a value as compact JSON, and otherwise for none.
func valueOr(n *jsontree.Node, otherwise string) []byte {
	if n == nil {
		return []byte(otherwise)
	}
	return n.AppendTo(nil)
}
