package retrieval

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
	}
	return s.Matches()
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
