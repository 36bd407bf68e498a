package explore

import (
	"slices"

	"caliper/engine"
	"caliper/tui/topics"
)

// glossed are the words of the glossary that the panes print.
var glossed = [paneCount][]string{
	PaneQuery:  {"hit", "tool search", "catalog", "scored", "limit", "ranker", "labelled query"},
	PaneHits:   {"hit", "score", "rank", "scored", "limit", "tied", "ranker", "fallback", "catalog", "expected tool", "WHAT IF", "confidence"},
	PaneSchema: {"tool", "qualified name", "toolset", "source", "deferred", "deferrable", "core tool", "token", "chars4"},
	PaneWhy:    {"score", "idf", "tf", "df", "dl", "k1", "b", "ranker", "why not", "expected tool", "gap", "no match", "out of scope", "remedy", "learned", "weight"},
	PaneDryRun: slices.Concat([]string{"dry run", "gate", "verdict", "trace", "granted", "policy", "hook", "bridge", "direct", "partial", "coerced", "strict", "next call", "leak"}, gateWords()),
	PaneDraft:  {"draft", "rank", "score", "pushed out", "recall", "labelled query", "hurt", "token", "WHAT IF", "doctor", "net harm"},
}

// overviewWords are the words of the glossary that the overview prints.
var overviewWords = []string{"eager", "token", "tool search", "saved", "labelled query", "miss", "finding"}

// gateWords returns the words of the gates of a call.
func gateWords() []string {
	names := engine.GateNames()
	for i := range names {
		names[i] = topics.GatePrefix + names[i]
	}
	return names
}

// Words returns the labels of the focused pane.
func (s *Screen) Words() (here, pane []string) {
	if s.focus == PaneWhy && s.showsOverview() {
		return nil, overviewWords
	}
	return nil, glossed[s.focus]
}
