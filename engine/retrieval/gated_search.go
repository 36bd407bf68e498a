package retrieval

import (
	"slices"

	"caliper/engine/retrieval/postings"
)

// Search returns the k best tools for a query: all of them when fewer are
// admitted, none when k is not positive.
func (x *Gated) Search(query string, k int) Result { return x.SearchInto(nil, query, k) }

// SearchInto is Search, but appends the hits to dst. It does not allocate when
// dst has room, but for names beyond ASCII, a query of thousands of tokens,
// words whose stem is not remembered, and the first queries of an index.
func (x *Gated) SearchInto(dst []Hit, query string, k int) Result {
	if k <= 0 {
		return Result{Hits: dst}
	}
	s := x.borrow(query)
	defer x.giveBack(s)
	before := len(dst)
	if len(s.exact) > 0 {
		bonus := s.bonus(x.params)
		for _, doc := range s.exact {
			dst = append(dst, Hit{Doc: int(doc), Score: s.score(doc) + bonus})
		}
		slices.SortFunc(dst[before:], better)
		dst = dst[:min(before+k, len(dst))]
	}
	for _, h := range s.best(k) {
		if len(dst)-before == k {
			break
		}
		if !s.named(uint32(h.Doc)) {
			dst = append(dst, h)
		}
	}
	return Result{Hits: dst}
}

// named tells whether the name of a document is the query.
func (s *gatedSearcher) named(doc uint32) bool {
	_, ok := slices.BinarySearch(s.exact, doc)
	return ok
}

// best returns hits for what passes the gates, without the bonus and best
// first: the best k beside those whose name is the query, and perhaps more.
func (s *gatedSearcher) best(k int) []Hit {
	if k += len(s.exact); len(s.order) != 1 || s.tokens != 1 || k > postings.ChampionHits {
		return s.bestOf(k)
	}
	id := s.terms[0].id
	list, room := s.x.champions.Find(id)
	if list == nil && room {
		best := s.bestOf(postings.ChampionHits)
		list = slices.Clone(best[:min(postings.ChampionHits, len(best))])
		s.x.champions.Keep(id, list)
	} else if list == nil {
		list = s.bestOf(k)
	}
	return list
}

func (s *gatedSearcher) bestOf(k int) []Hit {
	docs := s.admitted()
	if s.open() && s.exactly() {
		docs = s.GatheredBest(k)
	}
	s.hits = s.hits[:0]
	for _, doc := range docs {
		s.hits = append(s.hits, Hit{Doc: int(doc), Score: s.score(doc)})
	}
	slices.SortFunc(s.hits, better)
	return s.hits
}

// Scored returns how many tools a query admits.
func (x *Gated) Scored(query string) int {
	s := x.borrow(query)
	defer x.giveBack(s)
	return s.scored()
}

func (s *gatedSearcher) scored() int {
	docs := s.admitted()
	n := len(docs)
	for _, doc := range s.exact {
		if _, ok := slices.BinarySearch(docs, doc); !ok {
			n++
		}
	}
	return n
}

// Rank returns the place of a document among all that a query admits, from 1,
// and its score. ok is false when the query does not admit it, or when there is
// no such document.
func (x *Gated) Rank(query string, doc int) (rank int, score float64, ok bool) {
	if doc < 0 || doc >= x.Len() {
		return 0, 0, false
	}
	s := x.borrow(query)
	defer x.giveBack(s)
	own := Hit{Doc: doc, Score: s.score(uint32(doc))}
	ahead := func(doc uint32) bool { return better(Hit{Doc: int(doc), Score: s.score(doc)}, own) < 0 }
	if s.named(uint32(doc)) {
		rank = 1
		for _, other := range s.exact {
			if ahead(other) {
				rank++
			}
		}
		return rank, own.Score + s.bonus(x.params), true
	}
	docs := s.admitted()
	if _, ok := slices.BinarySearch(docs, uint32(doc)); !ok {
		return 0, 0, false
	}
	rank = 1 + len(s.exact)
	for _, other := range s.exact { // which the following counts once more
		if _, ok := slices.BinarySearch(docs, other); ok && ahead(other) {
			rank--
		}
	}
	if s.exactly() {
		return rank + s.GatheredAhead(uint32(doc), ahead), own.Score, true
	}
	for _, other := range docs {
		if ahead(other) {
			rank++
		}
	}
	return rank, own.Score, true
}
