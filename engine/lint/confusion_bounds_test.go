package lint

import (
	"fmt"
	"math/rand/v2"
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

// TestJoinAll joins the same rows as going through all edges in their order does, whatever
// is left out on the way.
func TestJoinAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const n = 600
	for _, values := range []int{3, 50, 1 << 30} { // many are equal, or hardly any
		alikes := map[[2]int32]float64{}
		var edges []edge
		for len(edges) < 5*fewEdges {
			a, b := random.Int32N(n), random.Int32N(n)
			if _, known := alikes[[2]int32{min(a, b), max(a, b)}]; a != b && !known {
				e := edge{float64(1+random.IntN(values)) / float64(values), min(a, b), max(a, b)}
				alikes[[2]int32{e.a, e.b}] = e.alike
				edges = append(edges, e)
			}
		}
		alike := func(a, b int) float64 { return alikes[[2]int32{int32(min(a, b)), int32(max(a, b))}] }
		r := newRows(n)
		for _, e := range slices.SortedFunc(slices.Values(edges), edge.before) {
			if a, b := r.root(int(e.a)), r.root(int(e.b)); a != b {
				r.join(a, b, e.alike, alike)
			}
		}
		if got := seriate(n, edges, alike); !slices.Equal(got, r.list()) {
			t.Errorf("%d values: another order", values)
		}
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

// Words that several tools ask are searched once, and tell each of them what its own
// search would.
func TestSharedWords(t *testing.T) {
	s := built(t, config.RankerBM25, append(equal(40), fixture.Entry("weigh_gold", "Weigh gold.", "mcp-b"))...)
	a, alone := newAsking(s, nil), newAsking(s, nil)
	if len(a.shared) != 1 {
		t.Errorf("%d shared queries", len(a.shared))
	}
	alone.shared = nil
	for tool := range a.tools {
		got, n := a.ask(tool, newSums(len(a.tools)))
		want, asked := alone.ask(tool, newSums(len(a.tools)))
		if n != asked || !slices.Equal(got, want) {
			t.Fatalf("%s: %v, want %v", a.tools[tool].Name, got, want)
		}
	}
	for text, q := range a.shared {
		before := &q.hits[0]
		if a.best(nil, text); &q.hits[0] != before {
			t.Errorf("%q was searched again", text)
		}
	}
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
		found, _ := a.ask(59, newSums(60))
		return len(found)
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

// In a large catalog remedies are tried for a few of the tools that one query does not find,
// the first of them; in others for all that the bound has room for.
func TestTiedRemedies(t *testing.T) {
	if testing.Short() {
		t.Skip("twenty thousand tools")
	}
	for n, want := range map[int]int{60: 55, MapWithinBounds + 1: 10} {
		s := built(t, config.RankerBM25, equal(n)...)
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
		if len(r.Findings) != n-s.Config.ToolSearch.DefaultLimit || tried != want || r.Untried != len(r.Findings)-want {
			t.Errorf("%d tools: %d findings, %d remedies, %d untried", n, len(r.Findings), tried, r.Untried)
		}
	}
}
