package postings

import (
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
			for i, term := range rapid.SliceOfNDistinct(rapid.Uint32Range(0, 400), 0, 60, rapid.ID).Draw(t, "terms") {
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
		table.Clear()
		if table.filter != [64]uint64{} {
			t.Fatal("the filter is not empty")
		}
	})
}
