package model

// NameRule is what a provider takes as the name of a tool: ASCII letters,
// digits, _ and -, and what else it says.
type NameRule struct {
	Provider string
	Longest  int    // in characters
	Extra    string // characters that it takes besides
	Letter   bool   // the first character must be a letter or _
	Advice   bool   // it advises against other names and takes them
}

// NameRules are the rules of all providers whose shapes are written, as read in
// November 2026:
//
//   - OpenAI, API reference, chat completions, tools[].function.name: letters,
//     digits, underscores and dashes, at most 64; the error names the pattern
//     ^[a-zA-Z0-9_-]+$
//   - Anthropic, API reference, messages, tools[].name:
//     ^[a-zA-Z0-9_-]{1,128}$ (64 until 2025)
//   - Gemini, Vertex AI REST reference v1, FunctionDeclaration.name: begins with a
//     letter or an underscore; letters, digits, underscores, dots, colons and
//     dashes, at most 128 (64 and no colons until 2025)
//   - Bedrock, API reference, ToolSpecification.name: [a-zA-Z0-9_-]+, 1 to 64
//   - MCP, specification 2025-11-25, server/tools, which took SEP-986 without its
//     slash: a name should have letters, digits, underscores, dashes and dots, 1
//     to 128
//   - the tool search of Anthropic's messages, tool_reference.tool_name, at most 64
//     (anthropics/claude-code#16425, #21846, January 2026): a tool of a longer name is
//     taken, and the request is refused as soon as a search returns it
var NameRules = []NameRule{
	{Provider: "OpenAI", Longest: 64},
	{Provider: "Anthropic", Longest: 128},
	{Provider: "Gemini", Longest: 128, Extra: ".:", Letter: true},
	{Provider: "Bedrock", Longest: 64},
	{Provider: "MCP", Longest: 128, Extra: ".", Advice: true},
	{Provider: ToolSearch, Longest: 64},
}

// ToolSearch is what Anthropic's tool search is called among providers.
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
func (r NameRule) takes(c rune) bool {
	if isNameLetter(c) || '0' <= c && c <= '9' || c == '-' {
		return true
	}
	for _, extra := range r.Extra {
		if c == extra {
			return true
		}
	}
	return false
}

// BadStart returns the character that a name begins with, if the rule has it and
// not there.
func (r NameRule) BadStart(name string) (c rune, bad bool) {
	for _, c := range name {
		return c, r.Letter && r.takes(c) && !isNameLetter(c)
	}
	return 0, false
}

// isNameLetter reports whether c is an ASCII letter or an underscore.
func isNameLetter(c rune) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
