package retrieval

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
// differ from the document's by more than the slack need no exact score.
func (s *searcher) rank(own Hit) int {
	rank := 1
	if !s.makePlan() {
		for doc := range s.x.documents {
			rank += s.ahead(doc, own)
		}
		return rank
	}
	for _, t := range s.plan {
		s.addAll(t)
	}
	slack, sum := s.slackBefore(len(s.plan)), s.sums[own.Doc]
	for doc, other := range s.sums {
		switch {
		case other > sum && other-sum > slack:
			rank++
		case other == 0 || sum > other && sum-other > slack:
		default:
			rank += s.ahead(doc, own)
		}
	}
	clear(s.sums)
	return rank
}

// ahead returns 1 when a document is a better hit than own, else 0.
func (s *searcher) ahead(doc int, own Hit) int {
	if score := s.score(uint32(doc)); score > 0 && better(Hit{Doc: doc, Score: score}, own) < 0 {
		return 1
	}
	return 0
}

// addAll adds a term to the sums, without a record of the documents reached.
func (s *searcher) addAll(t queryTerm) {
	if t.dense {
		for doc, impact := range s.x.column(t.term) {
			s.sums[doc] += uint32(impact) * t.weight
		}
		return
	}
	docs, impacts := s.x.postings(t.term)
	for i, doc := range docs {
		s.sums[doc] += uint32(impacts[i]) * t.weight
	}
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
