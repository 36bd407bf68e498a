package model

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NameRule is a provider's rule for the name of a tool: ASCII letters,
// digits, _ and -, and further characters.
type NameRule struct {
	Provider string
	Longest  int    // in characters
	Extra    string // characters that it takes besides
	Letter   bool   // the first character must be a letter or _
	Advice   bool   // it advises against other names and takes them
	Source   string
}

// NameRules are the rules of all providers whose shapes are written, as read in
// November 2026. Package limits has them among its rows.
var NameRules = []NameRule{
	{Provider: "OpenAI", Longest: 64, Source: "API reference, chat completions, tools[].function.name; error: ^[a-zA-Z0-9_-]+$"},
	{Provider: "Anthropic", Longest: 128, Source: "API reference, messages, tools[].name; 64 until 2025"},
	{Provider: "Gemini", Longest: 128, Extra: ".:", Letter: true, Source: "Vertex AI REST reference v1, FunctionDeclaration.name; 64 and no colons until 2025"},
	{Provider: "Bedrock", Longest: 64, Source: "API reference, ToolSpecification.name"},
	{Provider: "MCP", Longest: 128, Extra: ".", Advice: true, Source: "specification 2025-11-25, server/tools: SEP-986 without its slash"},
	{Provider: ToolSearch, Longest: 64, Source: "tool_reference.tool_name, once a search returns it; anthropics/claude-code#16425, #21846"},
}

// String returns what the rule takes, in words.
func (r NameRule) String() string {
	text := fmt.Sprintf("%s, %d characters", r.Characters(), r.Longest)
	if r.Letter {
		text += ", a letter or _ first"
	}
	return text
}

// Characters returns the characters that the rule takes, in words.
func (r NameRule) Characters() string {
	also := ""
	for _, c := range r.Extra {
		also += ", " + string(c)
	}
	return "letters, digits" + also + ", _ and -"
}

// ToolSearch is the name of Anthropic's tool search among providers.
const ToolSearch = "Anthropic's tool search"

// NameRuleOf returns the rule of a provider.
func NameRuleOf(provider string) (rule NameRule, ok bool) {
	for _, r := range NameRules {
		if r.Provider == provider {
			return r, true
		}
	}
	return NameRule{}, false
}

// Odd returns the first character of a name that the rule does not have.
func (r NameRule) Odd(name string) (c rune, odd bool) {
	for _, c := range name {
		if !r.takes(c) {
			return c, true
		}
	}
	return 0, false
}

// takes reports whether a name may have a character.
func (r *NameRule) takes(c rune) bool {
	return c < utf8.RuneSelf && (c == '_' || c == '-' || unicode.IsLetter(c) || unicode.IsDigit(c)) || strings.ContainsRune(r.Extra, c)
}

// BadStart returns the character that a name begins with, if the rule has it and
// not there.
func (r NameRule) BadStart(name string) (c rune, bad bool) {
	for _, c := range name {
		return c, r.Letter && r.takes(c) && c != '_' && !unicode.IsLetter(c)
	}
	return 0, false
}
