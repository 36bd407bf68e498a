package retrieval

import (
	"slices"

	"caliper/engine/retrieval/postings"
)

// searcher is the working memory of one query at a time, used again by the
// next.
type searcher struct {
	x *Index
	*postings.Searcher
	query
	scorer scorer
	hits   []Hit
	docs   []uint32
}

const largeQuery = 1 << 12 // tokens of a query whose memory is not kept

// borrow returns a searcher that has parsed the query.
func (x *Index) borrow(text string) *searcher {
	s := x.searchers.Get().(*searcher)
	s.parse(&x.bags, text)
	s.scorer.begin(len(s.terms))
	s.plan(s.Searcher)
	return s
}

// giveBack takes a searcher back.
func (x *Index) giveBack(s *searcher) {
	if len(s.order) <= largeQuery {
		x.searchers.Put(s)
	}
}

// score returns the exact score of a document.
func (s *searcher) score(doc uint32) float64 { return s.scorer.score(&s.x.bags, &s.query, doc) }

// candidates returns every document that can be among the k best, and few
// others.
func (s *searcher) candidates(k int) []uint32 {
	if len(s.terms) <= postings.MaxTerms {
		return s.Candidates(k, s.spare())
	}
	s.docs = s.docs[:0]
	for doc := range s.x.documents {
		if s.score(uint32(doc)) > 0 {
			s.docs = append(s.docs, uint32(doc))
		}
	}
	return s.docs
}

// best returns the best k hits, and perhaps more, in memory that the next
// query uses again.
func (s *searcher) best(k int) []Hit {
	s.hits = s.hits[:0]
	for _, doc := range s.candidates(k) {
		s.hits = append(s.hits, Hit{Doc: int(doc), Score: s.score(doc)})
	}
	slices.SortFunc(s.hits, better)
	return s.hits
}

// champions returns the best hits of a query that is one term, or nil when it
// is not, when k is more than a list holds, or when there is no room for more
// lists.
func (s *searcher) champions(k int) []Hit {
	if len(s.order) != 1 || k > postings.ChampionHits {
		return nil
	}
	id := s.terms[0].id
	list, room := s.x.champions.Find(id)
	if list != nil || !room {
		return list
	}
	best := s.best(postings.ChampionHits)
	list = slices.Clone(best[:min(postings.ChampionHits, len(best))])
	s.x.champions.Keep(id, list)
	return list
}
