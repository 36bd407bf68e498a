package meaning

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
)

var (
	//go:embed testdata/tools.txt
	toolLines string
	//go:embed testdata/paraphrases.txt
	paraphraseLines string
)

// TestParaphrasesAmongOthers: what people ask for in other words than a definition has is
// among the first five of fifty tools, by hybrid and by semantic. A line with a third column
// is for the ranker of that name alone.
func TestParaphrasesAmongOthers(t *testing.T) {
	var tools []*model.Tool
	for line := range strings.Lines(toolLines) {
		name, description, _ := strings.Cut(strings.TrimSpace(line), "\t")
		tools = append(tools, tool(name, description))
	}
	x := index(t, tools)
	for line := range strings.Lines(paraphraseLines) {
		columns := append(strings.Split(strings.TrimSpace(line), "\t"), "")
		for name, y := range map[string]*Index{"hybrid": x.With(0.4), "semantic": x.With(Alone)} {
			found := func(h retrieval.Hit) bool { return tools[h.Doc].Name == columns[1] }
			if hits := y.Search(columns[0], 5).Hits; !slices.ContainsFunc(hits, found) && (columns[2] == "" || columns[2] == name) {
				t.Errorf("%s: %q does not find %s among its first five", name, columns[0], columns[1])
			}
		}
	}
}

// TestRefund: a word that has no near one in a catalog is compared all the same, and a tool is
// like a message for it.
func TestRefund(t *testing.T) {
	for _, query := range []string{"refund the booking", "refund the booking charge"} {
		x := index(t, few)
		for _, y := range []*Index{x.With(0.4), x.With(Alone)} {
			if hits := y.Search(query, 5).Hits; len(hits) == 0 || few[hits[0].Doc].Name != "reverse_transaction" {
				t.Errorf("%q by %v finds %v", query, y.Weight(), hits)
			}
		}
		if e := x.Explain(query, 1); e.Children[len(e.Children)-1].Children[0].Message != "refund: ≈ back 0.31" {
			t.Errorf("the explanation is %+v", e)
		}
		s, err := NewSimilarity(t.Context(), few)
		require.NoError(t, err)
		if scores, err := s.Scores(t.Context(), query, few); err != nil || scores[1] <= s.Floor(scores, 1) {
			t.Errorf("%q has %v, %v", query, scores, err)
		}
	}
}

// TestSpelledLikeAWord: a word that the table knows is hardly taken for a misspelled one; a
// word that it does not know is.
func TestSpelledLikeAWord(t *testing.T) {
	tools := append(slices.Clone(few), tool("change_log", "What will happen in the next release."))
	x := index(t, tools).With(0.4)
	for query, want := range map[string]string{"are punters happy with us": "customer_satisfaction", "what hapens next": "change_log"} {
		if hits := x.Search(query, 5).Hits; len(hits) == 0 || tools[hits[0].Doc].Name != want {
			t.Errorf("%q finds %v, want %s", query, hits, want)
		}
	}
}
