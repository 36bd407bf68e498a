package retrieval

import (
	"encoding/binary"
	"slices"
)

// BestInto appends to dst the hits of Search, for those who ask for many tools by their
// own words. The best tools for words that many tools have are searched once and
// remembered, in up to 7 MB for 100 hits each (see OfCrowd).
func (x *Index) BestInto(dst []Hit, query string, k int) []Hit {
	s := x.acquire(query)
	defer x.release(s)
	if x.edit != nil || !x.scoreCrowded(s, query, k) {
		return x.SearchInto(dst, query, k).Hits
	}
	return append(dst, s.hits[:min(k, len(s.hits))]...)
}

// scoreCrowded leaves in hits the best hits of a query with crowded words, sorted, k or
// more. It reports false when the query has no crowded words, when its other words are in many
// tools, and when its crowded words are asked for the first time.
func (x *Index) scoreCrowded(s *searcher, query string, k int) bool {
	crowded, holders := 0, 0
	for i := range s.terms {
		if df := s.terms[i].df; Crowded(df) {
			crowded += int(df)
		} else {
			holders += int(df)
		}
	}
	if !WorthCrowd(crowded, holders) || k <= 0 || len(s.terms) > MaxTerms {
		return false
	}
	crowd := binary.AppendUvarint(nil, uint64(k))
	for _, i := range s.order {
		if t := &s.terms[i]; Crowded(t.df) {
			crowd = binary.LittleEndian.AppendUint32(crowd, t.id)
		}
	}
	best, ok := x.crowds.OfCrowd(crowd, func() []Hit { return x.searchCrowd(query, k) })
	if !ok {
		return false
	}
	s.docs = s.docs[:0]
	for _, h := range best {
		s.docs = append(s.docs, uint32(h.Doc))
	}
	for i := range s.terms {
		if t := &s.terms[i]; !Crowded(t.df) {
			for doc := range x.lists.Postings(x.lists.Term(t.id)) {
				s.docs = append(s.docs, doc)
			}
		}
	}
	slices.Sort(s.docs)
	s.hits = s.hits[:0]
	for _, doc := range slices.Compact(s.docs) {
		s.hits = append(s.hits, Hit{Doc: int(doc), Score: s.score(doc)})
	}
	slices.SortFunc(s.hits, x.compare)
	return true
}

// searchCrowd returns the best hits of the crowded words of a query.
func (x *Index) searchCrowd(query string, k int) []Hit {
	var text []byte
	var room [64]byte
	for token, i := nextToken(room[:0], query, 0); len(token) > 0; token, i = nextToken(token[:0], query, i) {
		if _, df := x.term(token); Crowded(df) {
			text = append(append(text, token...), ' ')
		}
	}
	return x.Search(string(text), k).Hits
}
