package retrieval

import (
	"cmp"
	"slices"
)

// searcher is the working memory of one query at a time, used again by the
// next.
type searcher struct {
	x *Index
	query
	scorer  scorer
	top     leaders
	sums    []uint32 // of impacts, per document; 0 between queries
	touched []uint32 // documents whose sum is not 0; as long as the catalog, the first reached are valid
	reached int
	plan    []queryTerm // terms of the query, rarest first; those still to be searched
	rest    []uint32    // per step of the plan, how much it and later ones can add to a sum; one longer than plan
	aside   []uint32    // candidates found before the plan was shortened
	hits    []Hit
	found   []uint64 // bitmap of documents, for Scored
}

func newSearcher(x *Index) *searcher {
	n := len(x.documents)
	return &searcher{x: x, sums: make([]uint32, n), touched: make([]uint32, n)}
}

const largeQuery = 1 << 12 // tokens of a query whose memory is not kept

// borrow returns a searcher that has parsed the query.
func (x *Index) borrow(text string) *searcher {
	s := x.searchers.Get().(*searcher)
	s.parse(x, text)
	s.scorer.begin(len(s.terms))
	return s
}

// giveBack takes a searcher back whose sums are 0.
func (x *Index) giveBack(s *searcher) {
	if len(s.order) <= largeQuery {
		x.searchers.Put(s)
	}
}

// score returns the exact score of a document.
func (s *searcher) score(doc uint32) float64 { return s.scorer.score(s.x, &s.query, doc) }

// makePlan orders the terms, rarest first, so that dense terms are last. It
// returns false when there are more than maxTerms.
func (s *searcher) makePlan() bool {
	if len(s.terms) > maxTerms {
		return false
	}
	s.plan = append(s.plan[:0], s.terms...)
	slices.SortFunc(s.plan, func(a, b queryTerm) int {
		return cmp.Or(cmp.Compare(a.df, b.df), cmp.Compare(a.id, b.id))
	})
	s.weighPlan()
	return true
}

// weighPlan sets weights and rest of the plan.
func (s *searcher) weighPlan() {
	weigh(s.plan)
	n := len(s.plan)
	s.rest = slices.Grow(s.rest[:0], n+1)[:n+1]
	s.rest[n] = 0
	for i, t := range slices.Backward(s.plan) {
		s.rest[i] = s.rest[i+1] + uint32(t.max)*t.weight
	}
}

// slackBefore returns the slack of sums over the first n terms of the plan.
func (s *searcher) slackBefore(n int) uint32 { return slack(s.plan[:n], s.tokens) }

// addSparse adds a sparse term to the sums.
func (s *searcher) addSparse(t queryTerm) {
	docs, impacts := s.x.postings(t.term)
	impacts = impacts[:len(docs)]
	sums, touched, n := s.sums, s.touched, s.reached
	for i, doc := range docs {
		sum := sums[doc]
		sums[doc] = sum + uint32(impacts[i])*t.weight
		touched[n] = doc
		if sum == 0 {
			n++
		}
	}
	s.reached = n
}

// addTouched adds a sparse term to the sums that are not 0.
func (s *searcher) addTouched(t queryTerm) {
	docs, impacts := s.x.postings(t.term)
	impacts = impacts[:len(docs)]
	for i, doc := range docs {
		if sum := s.sums[doc]; sum != 0 {
			s.sums[doc] = sum + uint32(impacts[i])*t.weight
		}
	}
}

// clearSums makes all sums 0.
func (s *searcher) clearSums() {
	if s.reached > len(s.sums)/8 {
		clear(s.sums)
	} else {
		for _, doc := range s.touched[:s.reached] {
			s.sums[doc] = 0
		}
	}
	s.reached = 0
}
