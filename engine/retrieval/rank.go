package retrieval

import "caliper/engine/retrieval/postings"

// Rank returns the place of a document among all that a query finds, from 1,
// and its score. ok is false when the query does not find it, or when there
// is no such document. It equals the document's place in a Search without a
// limit, and costs one pass over the postings of the query.
func (x *Index) Rank(query string, doc int) (rank int, score float64, ok bool) {
	if doc < 0 || doc >= x.Len() {
		return 0, 0, false
	}
	s := x.borrow(query)
	defer x.giveBack(s)
	switch {
	case s.tokens == 0:
		return 0, 0, false
	case len(s.terms) == 0:
		return s.rankLiteral(query, doc)
	}
	own := Hit{Doc: doc, Score: s.score(uint32(doc))}
	if own.Score == 0 {
		return 0, 0, false
	}
	return s.rank(own), own.Score, true
}

// rank counts the documents better than one, and adds 1. Those whose sums
// differ from the document's by more than rounding need no exact score.
func (s *searcher) rank(own Hit) int {
	ahead := func(doc uint32) bool { return s.ahead(doc, own) }
	if len(s.terms) <= postings.MaxTerms {
		return 1 + s.Ahead(uint32(own.Doc), s.spare(), ahead)
	}
	rank := 1
	for doc := range s.x.documents {
		if ahead(uint32(doc)) {
			rank++
		}
	}
	return rank
}

// ahead tells whether a document is a better hit than own.
func (s *searcher) ahead(doc uint32, own Hit) bool {
	score := s.score(doc)
	return score > 0 && better(Hit{Doc: int(doc), Score: score}, own) < 0
}

// rankLiteral is Rank for the literal fallback, which finds names in catalog
// order.
func (s *searcher) rankLiteral(query string, doc int) (rank int, score float64, ok bool) {
	s.token = appendLower(s.token[:0], trim(query))
	if !s.x.names.contains(doc, s.token) {
		return 0, 0, false
	}
	for found := -1; found < doc; rank++ {
		found = s.x.names.next(s.token, found+1)
	}
	return rank, FallbackScore, true
}
