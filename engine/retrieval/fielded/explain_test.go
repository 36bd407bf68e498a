package fielded

import (
	"fmt"
	"strings"
	"testing"

	"caliper/engine/retrieval"
)

// draw draws an explanation as indented lines, without factors.
func draw(e retrieval.Explanation) string {
	var b strings.Builder
	e.Spell(func(stem string) string { return stem })
	fmt.Fprintf(&b, "%.4f %s\n", e.Value, e.Message)
	for _, c := range e.Children {
		fmt.Fprintf(&b, "  %+.4f %s: %s\n", c.Value, c.Component, c.Message)
		for _, leaf := range c.Children {
			fmt.Fprintf(&b, "    %+.4f %s\n", leaf.Value, leaf.Message)
		}
	}
	return b.String()
}

// TestExplanationText: an explanation says in words what was added.
func TestExplanationText(t *testing.T) {
	tools := harbour()
	x := index(t, NewCorpus(), tools, toolsets, Default)
	r := Default
	r.Candidates = 1
	y := index(t, NewCorpus(), tools, toolsets, r)
	for _, c := range []struct {
		name, query string
		doc         int
		index       *Index
		want        []string // lines, or parts of them
	}{
		{"a word", "tides", 7, x, []string{"bm25f: BM25F ", "tide: idf ", " in name, description", "description: the query covers ", "letters: trigrams of the name", "name: the query covers 88 % of the name"}},
		{"a misspelled word", "repositry", 0, x, []string{"repositori: idf 3.86 × 1.08 × 0.51 in description, toolset text; repositry ~ repositori, spelling 0.86 × 0.60", "repositry: in no tool of the catalog"}},
		{"a synonym", "make a branch", 0, x, []string{"; make ~ creat, synonym 0."}},
		{"a missing word", "branch tides", 0, x, []string{"+0.0000 tides: not in this tool"}},
		{"a pair", "pull request", 3, x, []string{"pairs: neighbours in the query", "pull request: idf "}},
		{"a name", "create_branch", 0, x, []string{"pin: the query has the name"}},
		{"a name in words", "create a branch", 0, x, []string{"pin: the query says the name, in words"}},
		{"a near name", "creat_branch", 0, x, []string{"pin: the query all but has the name"}},
		{"a covered tool", "Delete a file. List branches of a repository.", 0, x, []string{"sentence: sentence 2 of 2: BM25F 12.86 of at most 16.19\n    +0.1701 branch: idf", "covered above: better ranks cover "}},
		{"behind the candidates", "create a file. list branches here.", 2, y, []string{"after the 1 candidates", "as if better ranks covered all of it: 20 %"}},
		{"not found", "tides", 0, x, []string{"0.0000 not found"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := draw(c.index.Explain(c.query, c.doc))
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		})
	}
}
