// Package tokens counts the tokens that a tool definition costs.
//
// A definition is counted as the reference agent sends it: parsed, and
// written again as compact JSON by the rules of Python's json module with
// separators "," and ":" and non-ASCII characters raw. Three methods count
// that text: chars4 estimates (a quarter of its code points), o200k_base and
// cl100k_base count exactly what those vocabularies make of it.
//
// Two methods more count what a provider makes of the definition before its model
// reads it (package rendered), with what it puts around all of them (Method.Around):
// rendered:openai with o200k_base, rendered:anthropic by a quarter of the code points,
// because the vocabulary of its models is not public.
//
// Goals:
//   - chars4 to the bit as the reference agent computes it, surprises included
//   - counting a registry of 100,000 tools while the user waits
//   - a number of units that can be added up and rounded once at the end
//
// Non-goals: decoding tokens, vocabularies of other providers, counting
// messages. Chat templates add tokens of their own, which no method sees.
//
// # Providers' renderings
//
// A Rendering is the form in which a provider puts tool definitions before its model.
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
// For OpenAI a tool is a function type, with its description as comments before it:
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
//   - The same definition gives the same text. Anything else gives no text.
//
// Non-goals: what providers add for a tool choice, for images,
// or for tools of their own.
package tokens

import (
	"fmt"
	"unicode/utf8"

	"caliper/model/words"
)

// Method is a way to count tokens. The empty Method means Chars4.
type Method string

// The methods. A number of tokens is always shown with the name of its
// method.
const (
	Chars4 Method = "chars4"      // code points of the compact JSON / 4, rounded up once
	O200k  Method = "o200k_base"  // exact, vocabulary of the GPT-4o family
	Cl100k Method = "cl100k_base" // exact, vocabulary of the GPT-4 family

	RenderedOpenAI    Method = "rendered:openai"    // o200k_base of the text that OpenAI shows its models
	RenderedAnthropic Method = "rendered:anthropic" // a quarter of the characters that Anthropic shows its models, and its prompt
)

// RenderedPrefix begins the name of a method that counts the text of a provider.
const RenderedPrefix = "rendered:"

// Methods returns every method, the default first.
func Methods() []Method {
	return []Method{Chars4, O200k, Cl100k, RenderedOpenAI, RenderedAnthropic}
}

// Names returns the names of all methods, the default first.
func Names() []string {
	var names []string
	for _, m := range Methods() {
		names = append(names, string(m))
	}
	return names
}

// ParseMethod returns the method of a name. Names are exact.
func ParseMethod(name string) (Method, error) {
	for _, m := range Methods() {
		if string(m) == name {
			return m, nil
		}
	}
	return "", fmt.Errorf("token method %q: want %s", name, words.Or(Names()))
}

// Units returns the size of one JSON value in the units of the method: code
// points of Compact(def) for Chars4, tokens of that text for the others. Units
// of several definitions may be added; Tokens turns the sum into tokens.
func (m Method) Units(def []byte) int {
	if p := m.provider(); p != "" && len(def) > 0 && def[0] == '{' {
		return m.Text(p.Tool(def))
	}
	if e := m.encoding(); e != nil {
		return e.countCompact("", def, "")
	}
	return Chars(def)
}

// Around returns the units that a request with tools costs besides their definitions:
// what the provider puts around them. It is 0 for the methods that count JSON.
func (m Method) Around() int {
	switch m {
	case RenderedOpenAI:
		return m.Text("# Tools\n\n## functions\n\nnamespace functions {\n\n") + m.Text("} // namespace functions")
	case RenderedAnthropic:
		return 4 * AnthropicPrompt
	}
	return 0
}

// Base returns the method by which a text that is no definition is counted: a method of a
// provider's form counts it as it stands, like the method whose vocabulary it uses.
func (m Method) Base() Method {
	switch m {
	case RenderedOpenAI:
		return O200k
	case RenderedAnthropic, "":
		return Chars4
	}
	return m
}

// provider returns whose text the method counts; "" for the methods that count JSON.
func (m Method) provider() Rendering {
	switch m {
	case RenderedOpenAI:
		return OpenAIRendering
	case RenderedAnthropic:
		return AnthropicRendering
	}
	return ""
}

// Text returns the size of a text as it stands, in the units of the method: its
// code points for the methods that estimate, its tokens for the others.
func (m Method) Text(text string) int {
	if e := m.encoding(); e != nil {
		return e.count([]byte(text))
	}
	return utf8.RuneCountInString(text)
}

// Tokens turns a sum of units into tokens. For Chars4 that is a quarter,
// rounded up; the exact methods have tokens for units. The reference agent
// rounds once, after the sum, and adds nothing for the brackets and commas of
// the tools array.
func (m Method) Tokens(units int) int {
	if m.encoding() != nil {
		return units
	}
	return (units + 3) / 4
}

// Counting tells how far the tokens of a method can be trusted: whether they are an estimate, and
// where the form that is counted, or the vocabulary, is known from.
type Counting struct {
	// Estimate: a provider may bill another number.
	Estimate bool `json:"estimate"`
	// Counted is the counted text: CountedJSON, a definition as it is written, or
	// CountedPrompt, the text that a provider makes of it.
	Counted string `json:"counted"`
	Source  string `json:"source"` // of the rule, the vocabulary or the form
	Date    string `json:"date"`   // of the source, as 2025-08
}

// The counted texts.
const (
	CountedJSON   = "json"
	CountedPrompt = "prompt"
)

// Counting returns what the tokens of m are worth. The exact methods are exact for the JSON:
// what a provider bills for tools is an estimate with each of them.
func (m Method) Counting() Counting {
	c := Counting{Estimate: true, Counted: CountedJSON}
	switch m {
	case O200k, Cl100k:
		c.Estimate, c.Source, c.Date = false, "tiktoken, vocabulary "+string(m), "2024-05"
		if m == Cl100k {
			c.Date = "2022-12"
		}
	case RenderedOpenAI:
		c.Counted, c.Source, c.Date = CountedPrompt, "openai/harmony, the form of the open models; vocabulary o200k_base", "2025-08"
	case RenderedAnthropic:
		c.Counted, c.Source, c.Date = CountedPrompt, "docs.claude.com, models of generation 4; four characters a token", "2025-09"
	default:
		c.Source, c.Date = "the reference agent, four characters a token", "2026-06"
	}
	return c
}
