package confusion

import (
	"math/rand/v2"
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
)

func TestBoundsOf(t *testing.T) {
	if b := boundsOf(Large); b.Narrow() || b.Depth != 100 {
		t.Errorf("%d tools: %+v", Large, b)
	}
	if b := boundsOf(Large + 1); !b.Narrow() || b.Depth >= 100 {
		t.Errorf("%d tools: %+v", Large+1, b)
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
	got := Bounds{Depth: 1, Words: 3}.sentences(s.Catalog())
	// Open and door are in two sentences, and open is first.
	want := []string{"open gate old", "Open the door.", "weigh gold coins", ""}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	whole := Bounds{Depth: 1}.sentences(s.Catalog())
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
