package retrieval

// query is a query as an index reads it. The memory is used again by the next
// query.
type query struct {
	tokens int         // of the text
	terms  []queryTerm // the distinct terms that a tool has, in order of first occurrence
	order  []uint32    // the tokens of the query as indexes of terms, without those that no tool has

	token []byte
	table TermTable
}

// queryTerm is a term of the query.
type queryTerm struct {
	id      uint32
	df      uint32
	repeats uint32
	idf     float64
}

// parse reads text for a catalog.
func (q *query) parse(b *bags, text string) {
	q.tokens, q.terms, q.order = 0, q.terms[:0], q.order[:0]
	q.table.Clear()
	for i := 0; ; q.tokens++ {
		if q.token, i = nextToken(q.token[:0], text, i); len(q.token) == 0 {
			return
		}
		id, df := b.term(q.token)
		if df == 0 {
			continue
		}
		index := q.table.Find(id)
		if index < 0 {
			index = len(q.terms)
			q.terms = append(q.terms, queryTerm{id: id, df: df, idf: idf(int(df), b.Len())})
			q.table.Add(id, index)
		}
		q.terms[index].repeats++
		q.order = append(q.order, uint32(index))
	}
}

// term returns the term of a token, and how many documents hold it.
func (b *bags) term(token []byte) (id, df uint32) {
	if b.stems != nil {
		var room [64]byte
		token = append(room[:0], b.stems.English(token)...)
	}
	id, ok := b.dict.Find(token)
	if b.edit != nil {
		return b.edit.term(token, id, ok, b.lists)
	}
	if !ok {
		return 0, 0
	}
	return id, b.lists.Term(id).DF
}

// plan adds the terms of the query to a search. Each weighs its idf times its
// repeats. As impacts are in units of k1+1, the sum is then the score.
func (q *query) plan(s *ListSearch) {
	s.Reset()
	for i := range q.terms {
		t := &q.terms[i]
		s.Add(t.id, t.idf*float64(t.repeats))
	}
}

// spare bounds the error of scores in float64: 1e-16 for each operation, in
// units of 2^-31.
func (q *query) spare() uint32 { return uint32(q.tokens >> 20) }
