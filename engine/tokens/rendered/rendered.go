// Package rendered writes tool definitions as a provider puts them before its model.
//
// A provider does not show its model the JSON of a request. It writes the definitions
// into the prompt in a form of its own, and bills that text. The tokens of the JSON are
// then exact for the JSON alone. Two forms are known:
//
//   - OpenAI: TypeScript, as the library that OpenAI published for its open models writes
//     it (github.com/openai/harmony, src/encoding.rs, August 2025). The hosted models are
//     seen to be billed alike, which nobody there has confirmed.
//   - Anthropic: JSON Schema, one definition after another, behind a prompt of 346 tokens
//     that explains tools to the model when it may choose whether to call one
//     (docs.claude.com, "Tool use pricing" and "Tool use system prompt", September 2025).
//     The prompt and the tokens are Anthropic's figures; how the definitions are
//     separated is not published.
//
// # OpenAI
//
// A tool is a function type, with its description as comments before it:
//
//	// Reserve a table.
//	type reserve = (_: {
//	// For how many people.
//	people: number,
//	when?: "noon" | "night", // default: noon
//	}) => any;
//
// A parameter that is not required has a question mark. Its title, description and
// examples stand before it as comments, its default behind it. An integer is a number,
// an array of T is T[], an enumeration of strings and oneOf are unions, and a nested
// object is indented by four spaces. Schemas without a type, anyOf and $ref are "any":
// what they say is not sent.
//
// Invariants:
//   - The text of several tools is the texts of each, in order, between Before and After.
//   - The same definition gives the same text. What is no definition gives no text.
//
// Non-goals: counting (package tokens), what providers add for a tool choice, for images,
// or for tools of their own.
package rendered

import "caliper/model/jsontree"

// Provider is a form in which definitions are written.
type Provider string

// The providers.
const (
	OpenAI    Provider = "openai"
	Anthropic Provider = "anthropic"
)

// AnthropicPrompt is the tokens of the prompt that Anthropic adds to a request with
// tools of which the model may choose to call none (docs.claude.com, September 2025, for
// the models of generation 4; 313 where the model must call one).
const AnthropicPrompt = 346

// Around returns what stands before and behind the definitions of a request, however many
// there are.
func (p Provider) Around() (before, after string) {
	if p == OpenAI {
		return "# Tools\n\n## functions\n\nnamespace functions {\n\n", "} // namespace functions"
	}
	return "", ""
}

// Tool returns the text of a definition, which is an object with a member "function", or
// the function itself. It returns "" for what is neither.
func (p Provider) Tool(definition []byte) string {
	root, err := jsontree.Parse(definition, jsontree.Python)
	if err != nil || !root.Is(jsontree.Object) {
		return ""
	}
	f := root
	if inner := root.Member("function"); inner.Is(jsontree.Object) {
		f = inner
	}
	if p == OpenAI {
		return typescript(f)
	}
	return jsonSchema(f)
}

// jsonSchema returns a function as Anthropic shows it, on a line.
func jsonSchema(f *jsontree.Node) string {
	out := []byte(`{"description": `)
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
