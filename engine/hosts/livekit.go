package hosts

import (
	"regexp"
	"strings"
	"sync"
)

// liveKit is ToolSearchToolset of LiveKit Agents: BM25 over the name three times, the
// description twice, and the names and descriptions of the top-level parameters once. c++ is a
// word besides c.
var liveKit = &Host{
	Name: "livekit", Title: "LiveKit Agents", Package: "PyPI livekit-agents", Version: "1.8.9", Month: "2026-11", Limit: 5,
	On: "if ToolSearchToolset is added",
	rules: rules{
		words: func(text string) []string { // runs of letters and digits, and after them the terms with signs
			text = lower(text)
			return append(strings.FieldsFunc(text, func(c rune) bool { return !isAlphanumeric(c) }), liveKitTerm().FindAllString(text, -1)...)
		},
		repeats: true,
		bm25: &bm25{k1: 1.5, b: .75, early: true, of: func(e *entry) string {
			texts := []string{e.wire, e.wire, e.wire, e.description, e.description}
			return strings.Join(append(texts, parameterTexts(e, false)...), " ")
		}},
		order: []key{byScore},
	},
}

// liveKitTerm is a word whose plus or number signs are part of it.
var liveKitTerm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{L}\p{N}]+[+#]+`) })
