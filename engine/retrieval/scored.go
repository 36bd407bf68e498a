package retrieval

import "math/bits"

// Scored returns how many tools a query finds, literal fallback included: the
// number of hits Search returns without a limit. It counts documents and
// computes no score, so that Search need not; a query of one term costs
// nothing, others a pass over the postings of their sparse terms.
func (x *Index) Scored(query string) int {
	s := x.borrow(query)
	defer x.giveBack(s)
	switch {
	case s.tokens == 0:
		return 0
	case len(s.terms) == 0:
		return s.countLiteral(query)
	case len(s.terms) == 1:
		return int(s.terms[0].df)
	}
	n := words(x.Len())
	if s.found == nil {
		s.found = make([]uint64, n)
	}
	clear(s.found)
	for _, t := range s.terms {
		if t.dense {
			for i, word := range x.bitmap(t.term) {
				s.found[i] |= word
			}
			continue
		}
		docs, _ := x.postings(t.term)
		for _, doc := range docs {
			s.found[doc/64] |= 1 << (doc % 64)
		}
	}
	count := 0
	for _, word := range s.found {
		count += bits.OnesCount64(word)
	}
	return count
}

// countLiteral counts the tools whose name contains the query.
func (s *searcher) countLiteral(query string) int {
	count := 0
	s.token = appendLower(s.token[:0], trim(query))
	for doc := s.x.names.next(s.token, 0); doc < s.x.Len(); doc = s.x.names.next(s.token, doc+1) {
		count++
	}
	return count
}
