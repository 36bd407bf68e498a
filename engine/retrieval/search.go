package retrieval

// Search returns the k best tools for a query: all of them when fewer score,
// none when k is not positive. A query without tokens finds nothing. When no
// token of the query stands in the catalog, the hits are the first k tools
// whose name contains the query (see Result).
func (x *Index) Search(query string, k int) Result {
	return x.SearchInto(nil, query, k)
}

// SearchInto is Search, but appends the hits to dst. It does not allocate
// when dst has room, but for a literal fallback beyond ASCII, a query of
// thousands of tokens, and the first queries of an index.
func (x *Index) SearchInto(dst []Hit, query string, k int) Result {
	if k <= 0 {
		return Result{Hits: dst}
	}
	s := x.borrow(query)
	defer x.giveBack(s)
	switch {
	case s.tokens == 0:
		return Result{Hits: dst}
	case len(s.terms) == 0:
		hits := s.literal(dst, query, k)
		return Result{Hits: hits, Fallback: len(hits) > len(dst)}
	}
	hits := s.champions(k)
	if hits == nil {
		hits = s.best(k)
	}
	return Result{Hits: append(dst, hits[:min(k, len(hits))]...)}
}

// better orders hits: score, then catalog order.
func better(a, b Hit) int {
	switch {
	case a.Score > b.Score:
		return -1
	case a.Score < b.Score:
		return 1
	}
	return a.Doc - b.Doc
}

// literal appends the first k tools whose name contains the query.
func (s *searcher) literal(dst []Hit, query string, k int) []Hit {
	s.token = appendLower(s.token[:0], trim(query))
	for doc := s.x.names.next(s.token, 0); doc < s.x.Len() && k > 0; k-- {
		dst = append(dst, Hit{Doc: doc, Score: FallbackScore})
		doc = s.x.names.next(s.token, doc+1)
	}
	return dst
}
