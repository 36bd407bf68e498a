// Package tokens counts the tokens that a tool definition costs.
//
// A definition is counted as the reference agent sends it: parsed, and
// written again as compact JSON by the rules of Python's json module with
// separators "," and ":" and non-ASCII characters raw. Three methods count
// that text: chars4 estimates (a quarter of its code points), o200k_base and
// cl100k_base count exactly what those vocabularies make of it.
//
// Goals:
//   - chars4 to the bit as the reference agent computes it, surprises included
//   - counting a registry of 100,000 tools while the user waits
//   - a number of units that can be added up and rounded once at the end
//
// Non-goals: decoding tokens, vocabularies of other providers, counting
// messages. Chat templates add tokens of their own, which no method sees.
package tokens

import (
	"fmt"
	"unicode/utf8"
)

// Method is a way to count tokens. The empty Method means Chars4.
type Method string

// The methods. A number of tokens is always shown with the name of its
// method.
const (
	Chars4 Method = "chars4"      // code points of the compact JSON / 4, rounded up once
	O200k  Method = "o200k_base"  // exact, vocabulary of the GPT-4o family
	Cl100k Method = "cl100k_base" // exact, vocabulary of the GPT-4 family
)

// Methods returns every method, the default first.
func Methods() []Method { return []Method{Chars4, O200k, Cl100k} }

// ParseMethod returns the method of a name. Names are exact.
func ParseMethod(name string) (Method, error) {
	for _, m := range Methods() {
		if string(m) == name {
			return m, nil
		}
	}
	return "", fmt.Errorf("token method %q: not one of %s, %s, %s", name, Chars4, O200k, Cl100k)
}

// Units returns the size of one JSON value in the units of the method: code
// points of Compact(def) for Chars4, tokens of that text for the others. Units
// of several definitions may be added; Tokens turns the sum into tokens.
func (m Method) Units(def []byte) int {
	if e := m.encoding(); e != nil {
		return e.countCompact("", def, "")
	}
	return Chars(def)
}

// Text returns the size of a text as it stands, in the units of the method: its
// code points for Chars4, its tokens for the others.
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
