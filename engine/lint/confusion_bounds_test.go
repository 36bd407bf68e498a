package lint

import (
	"fmt"
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/model/require"
)

func TestBoundsOf(t *testing.T) {
	if b := boundsOf(MapWithinBounds); b.Narrow() || b.Depth != 100 {
		t.Errorf("%d tools: %+v", MapWithinBounds, b)
	}
	if b := boundsOf(MapWithinBounds + 1); !b.Narrow() || b.Depth >= 100 {
		t.Errorf("%d tools: %+v", MapWithinBounds+1, b)
	}
}

// A sentence that is too long keeps the words that the fewest other sentences have, in
// its order, each once.
func TestSentences(t *testing.T) {
	s := built(t, config.RankerBM25,
		fixture.Entry("a", "Open the gate and the old door of the house.", "mcp-a"),
		fixture.Entry("b", "Open the door.", "mcp-a"),
		fixture.Entry("c", "Weigh gold, gold and the coins of the house.", "mcp-a"),
		fixture.Entry("d", "", "mcp-a"))
	got := ConfusionBounds{Depth: 1, Words: 3}.sentences(s.Catalog())
	// Open and door are in two sentences, and open is first.
	want := []string{"open gate old", "Open the door.", "weigh gold coins", ""}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	whole := ConfusionBounds{Depth: 1}.sentences(s.Catalog())
	if whole[0] != "Open the gate and the old door of the house." {
		t.Errorf("without a bound: %q", whole[0])
	}
}

// equal returns entries of tools with one description and names of one word in common.
func equal(n int) []string {
	var entries []string
	for i := range n {
		entries = append(entries, fixture.Entry(fmt.Sprintf("tool_%04d", i), "Work with the orders of a customer.", "mcp-a"))
	}
	return entries
}

// A map says for how many tools it leaves out others that answer their queries. Those that
// the catalog holds no more of than are compared are not left out.
func TestCrowded(t *testing.T) {
	var own []string // of words of their own, so that the one in common hardly counts
	for i := range 103 {
		own = append(own, fixture.Entry(fmt.Sprintf("tool_%04d", i), fmt.Sprintf("Weigh%d gold%d.", i, i), "mcp-a"))
	}
	if m := mappedConfusion(t, built(t, config.RankerBM25, own...)); m.Crowded != 0 {
		t.Errorf("other words: %d are crowded", m.Crowded)
	}
	for n, want := range map[int]int{100: 0, 103: 103} {
		if m := mappedConfusion(t, built(t, config.RankerBM25, append(equal(n), fixture.Entry("weigh_gold", "Weigh gold.", "mcp-b"))...)); m.Crowded != want {
			t.Errorf("%d equal tools: %d are crowded, want %d", n, m.Crowded, want)
		}
	}
}

// Equal hits that go on behind those that are compared are compared up to the bound; so
// are all that the model is shown. Others are not cut.
func TestTiedHits(t *testing.T) {
	s := built(t, config.RankerBM25, equal(60)...)
	links := func(b ConfusionBounds, limit int) int {
		a := newAsking(s, nil)
		a.bounds, a.limit = b, limit
		links, _, _ := a.ask(59)
		return len(links)
	}
	for _, c := range []struct {
		name   string
		bounds ConfusionBounds
		limit  int
		want   int
	}{
		{"no bound", ConfusionBounds{Depth: 50}, 5, 50},
		{"bound", ConfusionBounds{Depth: 50, Tied: 10}, 5, 10},
		{"shown", ConfusionBounds{Depth: 50, Tied: 10}, 20, 20},
		{"all are compared", ConfusionBounds{Depth: 60, Tied: 10}, 5, 59},
	} {
		if got := links(c.bounds, c.limit); got != c.want {
			t.Errorf("%s: %d links, want %d", c.name, got, c.want)
		}
	}
}

// A query that many tools ask is ranked once, and each has its own rank in it.
func TestSharedQueries(t *testing.T) {
	for _, ranker := range []string{config.RankerBM25, config.RankerFielded} {
		s := built(t, ranker, equal(150)...)
		index, err := s.IndexOver(t.Context(), s.Catalog())
		require.NoError(t, err)
		reach, err := Survey(t.Context(), s, nil)
		require.NoError(t, err)
		for doc, r := range reach {
			for _, p := range []Probe{r.Name, r.Sentence, r.Parameters} {
				if want, _, _ := index.Rank(p.Query, doc); p.Query != "" && p.Rank != want {
					t.Errorf("%s: %q ranks tool %d as %d, want %d", ranker, p.Query, doc, p.Rank, want)
				}
			}
		}
	}
}

// In a large catalog remedies are tried for a few of the tools that one query does not find,
// the first of them; in others for all that the bound has room for.
func TestTiedRemedies(t *testing.T) {
	if testing.Short() {
		t.Skip("twenty thousand tools")
	}
	for n, want := range map[int]int{60: 55, MapWithinBounds + 1: 10} {
		entries := equal(60)
		for i := len(entries); i < n; i++ {
			entries = append(entries, fixture.Entry(fmt.Sprintf("gold%d", i), fmt.Sprintf("Weigh%d.", i), "mcp-b"))
		}
		s := built(t, config.RankerBM25, entries...)
		r, err := Run(t.Context(), s, Options{Keep: func(f Finding) bool { return f.Code == SentenceNotFound }})
		require.NoError(t, err)
		tried := 0
		for i, f := range r.Findings {
			if f.Remedy != nil {
				tried++
				if i != tried-1 || f.Remedy.Subject != f.Tool || f.Remedy.RankAfter == 0 {
					t.Errorf("%d tools: finding %d has %+v", n, i, f.Remedy)
				}
			}
		}
		if len(r.Findings) != 55 || tried != want || r.Untried != len(r.Findings)-want {
			t.Errorf("%d tools: %d findings, %d remedies, %d untried", n, len(r.Findings), tried, r.Untried)
		}
	}
}
