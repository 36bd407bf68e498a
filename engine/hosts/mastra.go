package hosts

import (
	"slices"
	"strings"
	"unicode"

	"caliper/model/words"
)

// mastra is ToolSearchProcessor of Mastra: BM25 over name and description, and for the ten
// best of it 5 for a word that is the name and 2 for one that stands inside the name.
var mastra = &Host{
	Name: "mastra", Title: "Mastra", Package: "npm @mastra/core", Version: "1.71.0", Month: "2026-11", Limit: 5,
	On: "if ToolSearchProcessor is added",
	rules: rules{
		words: mastraWords, repeats: true,
		bm25:     &bm25{of: func(e *entry) string { return e.wire + " " + e.description }, k1: 1.5, b: .75},
		rescored: 10,
		texts:    []text{{of: func(e *entry) []string { return []string{lower(e.wire)} }, equal: 5, inside: 2}},
		order:    []key{byScore, byFirst},
	},
}

// mastraWords returns what stands between white space and some marks, without single
// characters.
func mastraWords(text string) []string {
	found := strings.FieldsFunc(lower(text), func(c rune) bool {
		return isScriptSpace(c) || strings.ContainsRune(`-_.,;:!?()[]{}'"`, c)
	})
	return slices.DeleteFunc(found, func(w string) bool { return words.Units(w) < 2 })
}

// isScriptSpace reports whether a character is white space in JavaScript, \s.
func isScriptSpace(c rune) bool {
	return unicode.Is(unicode.Zs, c) || '\t' <= c && c <= '\r' || c == 0xfeff || c == 0x2028 || c == 0x2029
}
