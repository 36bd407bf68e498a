package retrieval

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestTermTable: a table that is used again has what was added since it was
// cleared and nothing else.
func TestTermTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table TermTable
		for range 4 {
			table.Clear()
			want := map[uint32]int{}
			terms := rapid.SliceOfNDistinct(rapid.Uint32Range(0, 400), 0, 60, rapid.ID).Draw(t, "terms")
			if rapid.IntRange(0, 9).Draw(t, "many") == 0 {
				terms = terms[:0] // too many for a table that is kept
				for term := range uint32(1500) {
					terms = append(terms, term*7)
				}
			}
			for i, term := range terms {
				table.Add(term, i)
				want[term] = i
			}
			for term := range uint32(401) {
				index, ok := want[term]
				if !ok {
					index = -1
				}
				if got := table.Find(term); got != index || ok && !table.MayHold(term) {
					t.Fatalf("term %d has index %d, want %d", term, got, index)
				}
			}
		}
		if numbers := rapid.SliceOf(rapid.Uint32Range(0, 400)).Draw(t, "numbers"); true {
			table.Clear()
			table.Add(3, 0)
			table.Add(200, 1)
			var want []uint64
			for place, n := range numbers {
				if index := table.Find(n & 0xff); index >= 0 {
					want = append(want, uint64(index)<<32|uint64(place))
				}
			}
			if got := table.FindAll(nil, numbers, 0xff); !slices.Equal(got, want) {
				t.Fatalf("found %x in %v, want %x", got, numbers, want)
			}
		}
		table.Clear()
		if table.filter != [64]uint64{} {
			t.Fatal("the filter is not empty")
		}
	})
}
