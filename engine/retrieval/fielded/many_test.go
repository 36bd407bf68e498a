package fielded

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/synthetic"
	"caliper/model"
)

// alike returns n tools with one description, of which every tenth has a second word.
func alike(n int) []*model.Tool {
	tools := make([]*model.Tool, n)
	for i := range tools {
		text := "Harbour."
		if i%10 == 3 {
			text = "Harbour tide."
		}
		tools[i] = &model.Tool{Name: fmt.Sprintf("tool_%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676), Description: text}
	}
	return tools
}

// TestEqualDocumentsAreNotScanned: of many documents with an equal score, only the first
// are scanned, so that a search scans little more than the candidates.
func TestEqualDocumentsAreNotScanned(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long, in one goroutine")
	}
	size := 5_000
	if *slow {
		size = 20_000
	}
	large, many := synthetic.Tools(size, 7), alike(size*2/5)
	for _, c := range []struct {
		name, query string
		tools       []*model.Tool
	}{
		{"all tools alike", "harbour", many},
		{"a second word of some", "harbour tide", many},
		{"a rare name beside a word of all", many[1234].Name + " harbour", many},
		{"a rare word beside a word of nearly all", synthetic.Queries(synthetic.Exact, 1, 3, large)[0], large},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := mustIndex(t, NewCorpus(), c.tools)
			s := x.acquire(c.query)
			defer x.release(s)
			s.chooseCandidates(20)
			if most := uint32(4 * Default.Candidates); s.scan > most {
				t.Errorf("%d documents were scanned, want at most %d", s.scan, most)
			}
			if most := 4 * Default.Candidates; len(s.scanned) > most {
				t.Errorf("%d documents were kept, want at most %d", len(s.scanned), most)
			}
			checkOrder(t, x, c.query, max(1, x.Len()/20))
		})
	}
}

// TestScoreManyEqualsScan: BM25F by the postings is the same as by the record, and what
// is not kept has k documents before it.
func TestScoreManyEqualsScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawCatalog(60).Draw(t, "catalog")
		x := index(t, NewCorpus(), tools, toolsets, drawRecipe().Draw(t, "recipe"))
		s := newSearcher(x)
		s.parse(drawQuery(tools).Draw(t, "query"))
		s.begin(&s.query)
		var docs []uint32
		for _, doc := range rapid.Permutation(indexes(len(tools))).Draw(t, "order") {
			if rapid.Bool().Draw(t, "with") {
				docs = append(docs, doc)
			}
		}
		k := rapid.IntRange(1, 20).Draw(t, "k")
		s.scanned, s.largest = s.scanned[:0], 0
		s.scoreMany(docs, k)
		kept := map[uint32]bool{}
		for _, r := range s.scanned {
			if want := s.scanDocument(r.doc).bm25f; r.bm25f != want {
				t.Fatalf("document %d has %v, want %v", r.doc, r.bm25f, want)
			}
			kept[r.doc] = true
		}
		for _, doc := range docs {
			before, own := 0, s.scanDocument(doc)
			for _, other := range docs {
				if r := s.scanDocument(other); s.compareScanned(r, own) < 0 {
					before++
				}
			}
			if !kept[doc] && before < k {
				t.Fatalf("document %d is left out with %d before it, k is %d", doc, before, k)
			}
			if s.largest < own.bm25f {
				t.Fatalf("the largest is %v, document %d has %v", s.largest, doc, own.bm25f)
			}
		}
		for doc, place := range s.places {
			if place != 0 {
				t.Fatalf("document %d has still a place", doc)
			}
		}
	})
}

// indexes returns 0 to n-1.
func indexes(n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	return all
}
