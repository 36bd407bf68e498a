package fielded

import "caliper/engine/retrieval/postings"

// searcher is the working memory of one query at a time, used again by the
// next.
type searcher struct {
	x *Index
	*postings.Searcher
	query
	pins
	scan
	letters

	readings   []reading // of the documents that were read; those of candidates first
	candidates []candidate
	ranking    []ranked // the candidates, best first
	largest    float64  // BM25F of a document
	prefetched uint32   // of no use but that reading is not left out

	maxima      maxima
	pieceScores []float64 // of each candidate, of each piece
	covering
}

func newSearcher(x *Index) *searcher {
	return &searcher{x: x, Searcher: x.lists.NewSearcher()}
}

// borrow returns a searcher that has read the query.
func (x *Index) borrow(text string) *searcher {
	s := x.searchers.Get().(*searcher)
	s.parse(text)
	s.Reset()
	for i := range s.terms {
		if t := &s.terms[i]; t.share > 0 {
			s.Add(t.id, t.share)
		}
	}
	s.findPins()
	s.begin(&s.query)
	return s
}

// What of a searcher's memory is not kept.
const (
	largeQuery   = 1 << 14 // bytes
	manyReadings = 1 << 14
)

// giveBack takes a searcher back.
func (x *Index) giveBack(s *searcher) {
	if len(s.query.text) > largeQuery {
		s.query, s.pins, s.scan, s.letters, s.covering = query{}, pins{}, scan{}, letters{}, covering{}
	}
	if cap(s.readings) > manyReadings {
		s.readings = nil
	}
	x.searchers.Put(s)
}
