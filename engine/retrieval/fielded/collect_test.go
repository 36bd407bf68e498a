package fielded

import (
	"slices"
	"testing"

	"caliper/engine/internal/fixture"

	"pgregory.net/rapid"
)

// TestCollectEqualsScan: documents that are scanned together by the postings are the
// same as each by its record.
func TestCollectEqualsScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawCatalog(60).Draw(t, "catalog")
		x := index(t, NewCorpus(), tools, toolsets, drawRecipe().Draw(t, "recipe"))
		s := newSearcher(x)
		for range 3 {
			s.parse(drawQuery(tools).Draw(t, "query"))
			s.begin(&s.query)
			docs := make([]uint32, 0, len(tools))
			for doc := range tools {
				if rapid.Bool().Draw(t, "with") {
					docs = append(docs, uint32(doc))
				}
			}
			s.scanned = s.scanned[:0]
			s.collect(docs)
			for i, got := range s.scanned {
				want := s.scanDocument(docs[i])
				hits, pairs := s.hitsOf(&want), s.pairHitsOf(&want)
				if !slices.Equal(s.hitsOf(&got), hits) || !slices.Equal(s.pairHitsOf(&got), pairs) {
					t.Fatalf("document %d has %v and %v, want %v and %v", docs[i], s.hitsOf(&got), s.pairHitsOf(&got), hits, pairs)
				}
				got.hits, got.pairHits = want.hits, want.pairHits
				if got != want {
					t.Fatalf("document %d is %+v, want %+v", docs[i], got, want)
				}
			}
			if slices.ContainsFunc(s.places, func(place uint32) bool { return place != 0 }) {
				t.Fatal("places are left")
			}
		}
	})
}

// TestTallyOf: the number of a tally that no note can hold is taken from the record.
func TestTallyOf(t *testing.T) {
	x := mustIndex(t, NewCorpus(), fixture.Catalog(1000)[:200])
	s := newSearcher(x)
	for doc, d := range x.documents {
		for i, term := range d.record.often() {
			if got, want := s.tallyOf(uint32(doc), term), d.record.tallies()[i]; got != want {
				t.Fatalf("term %d of document %d has tally %d, want %d", term, doc, got, want)
			}
		}
	}
}
