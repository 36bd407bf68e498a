package retrieval_test

import (
	"context"
	"fmt"

	"caliper/engine/retrieval"
)

// harbours are the documents of the package comment. Term 0 is tide, 1 harbour.
type harbours [][2]uint16

func (h harbours) Terms(doc int, terms []uint32) []uint32 {
	terms, _ = h.Postings(doc, terms, nil)
	return terms
}

func (h harbours) Postings(doc int, terms []uint32, impacts []uint16) ([]uint32, []uint16) {
	for term, impact := range h[doc] {
		if impact > 0 {
			terms, impacts = append(terms, uint32(term)), append(impacts, impact)
		}
	}
	return terms, impacts
}

func Example_sums() {
	documents := harbours{{500, 200}, {0, 700}, {100, 0}}
	lists, err := retrieval.BuildLists(context.Background(), 2, len(documents), documents, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := lists.NewSearch()
	s.Reset()
	s.Add(0, 3)
	s.Add(1, 1)
	for _, r := range s.Top(nil, 2) {
		fmt.Printf("d%d\n", r.Doc)
	}
	// Output:
	// d0
	// d1
}
