package fielded

import (
	"slices"

	"caliper/engine/retrieval"
)

// Search returns the k best tools for a query, ties in catalog order: all of
// them when fewer are found, none when k is not positive. A query finds the
// tools that hold one of its words, or a word that these bring, and those whose
// name it has. Fallback is never set.
func (x *Index) Search(query string, k int) retrieval.Result {
	return x.SearchInto(nil, query, k)
}

// SearchInto is Search, but appends the hits to dst. It does not allocate
// when dst has room, but for the first queries of an index, new words, and a
// query of thousands of letters.
func (x *Index) SearchInto(dst []retrieval.Hit, query string, k int) retrieval.Result {
	if k <= 0 {
		return retrieval.Result{Hits: dst}
	}
	s := x.borrow(query)
	defer x.giveBack(s)
	s.rank(k)
	for _, r := range s.ranking[:min(k, len(s.ranking))] {
		dst = append(dst, retrieval.Hit{Doc: int(r.doc), Score: r.score})
	}
	k -= len(s.ranking)
	rest := s.readings[len(s.candidates):]
	if k = min(k, len(rest)); k > 0 {
		slices.SortFunc(rest, func(a, b reading) int { return s.compareReadings(&a, &b) })
		for _, r := range rest[:k] {
			dst = append(dst, retrieval.Hit{Doc: int(r.doc), Score: s.behind(r.bm25f)})
		}
	}
	return retrieval.Result{Hits: dst}
}

// rank finds the candidates in order, and behind them in readings, in no
// order, at least all others that are among the k best.
func (s *searcher) rank(k int) {
	s.choose(k)
	s.scoreAll()
	s.order()
}

// Scored returns how many tools a query finds: the number of hits of Search
// without a limit. It counts documents and computes no score.
func (x *Index) Scored(query string) int {
	s := x.borrow(query)
	defer x.giveBack(s)
	count := s.Matches()
	for _, doc := range s.pinned {
		if s.readDocument(doc).bm25f == 0 {
			count++
		}
	}
	return count
}

// Rank returns the place of a document among all that a query finds, from 1,
// and its score. ok is false when the query does not find it, or when there is
// no such document. It equals the document's place in a Search without a limit,
// and costs a search and one pass over the postings of the query.
func (x *Index) Rank(query string, doc int) (rank int, score float64, ok bool) {
	if doc < 0 || doc >= x.Len() {
		return 0, 0, false
	}
	s := x.borrow(query)
	defer x.giveBack(s)
	s.rank(0)
	for i, r := range s.ranking {
		if int(r.doc) == doc {
			return i + 1, r.score, true
		}
	}
	own := s.readDocument(uint32(doc))
	if own.bm25f == 0 {
		return 0, 0, false
	}
	rank = 1
	for i := range s.candidates {
		if s.compareReadings(&s.candidates[i].reading, &own) > 0 {
			rank++ // for its name alone
		}
	}
	rank += s.Ahead(own.doc, spare, func(doc uint32) bool {
		r := s.readDocument(doc)
		s.forget(r)
		return s.compareReadings(&r, &own) < 0
	})
	return rank, s.behind(own.bm25f), true
}
