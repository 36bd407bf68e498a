package postings

import "math/bits"

// Matches returns how many documents hold a term of the plan. It reads no
// impact: a plan of one term costs nothing, others a pass over the documents of
// their sparse terms.
func (s *Searcher) Matches() int {
	switch len(s.terms) {
	case 0:
		return 0
	case 1:
		return int(s.terms[0].DF)
	}
	if s.found == nil {
		s.found = make([]uint64, words(s.lists.size))
	}
	clear(s.found)
	for i := range s.terms {
		t := s.terms[i].Term
		if t.Dense {
			for i, word := range s.lists.bitmap(t) {
				s.found[i] |= word
			}
			continue
		}
		docs, _ := s.lists.Sparse(t)
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
