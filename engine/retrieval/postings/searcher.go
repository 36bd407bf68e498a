package postings

import (
	"cmp"
	"slices"
)

// Searcher is the working memory of one search at a time over one Lists, used
// again by the next. It is for one goroutine; a pool of them serves many. Its
// methods do not allocate once it has met a search as large.
//
// A search is Reset, Add for every term, and then questions, any number: Top,
// Candidates, Matches, Ahead, Gather.
type Searcher struct {
	lists   *Lists
	exact   bool   // sums are the scores
	spare   uint32 // what the caller's scores may be wrong
	top     leaders
	sums    []uint32 // of impacts, per document; 0 between questions. As long as a column has impacts
	touched []uint32 // documents whose sum is not 0; the first reached are valid
	reached int
	terms   []step   // as they were added
	plan    []step   // in the order of search, dense terms last; those still to be searched
	rest    []uint32 // per step of the plan, how much it and later ones can add to a sum; one longer than plan
	aside   []uint32 // candidates found before the plan was shortened
	found   []uint64 // bitmap of documents, for Matches
	members members
}

// NewSearcher returns a searcher, which takes 8 bytes per document.
func (l *Lists) NewSearcher() *Searcher {
	n := groups(l.size) * 4
	return &Searcher{lists: l, sums: make([]uint32, n), touched: make([]uint32, n)}
}

// Reset empties the plan.
func (s *Searcher) Reset() { s.terms = s.terms[:0] }

// Add adds a term to the plan, of a weight in proportion to share, positive and
// finite, whose unit is the caller's. A term is added once. It returns false
// when no document holds the term, which is then not part of the plan. More
// than MaxTerms are a panic in the questions.
func (s *Searcher) Add(id uint32, share float64) bool {
	t := s.lists.Term(id)
	if t.DF == 0 {
		return false
	}
	s.terms = append(s.terms, step{Term: t, id: id, share: share})
	return true
}

// Terms returns how many terms the plan has.
func (s *Searcher) Terms() int { return len(s.terms) }

// prepare makes the plan of the terms added. Weights are set in the order of
// addition, so that they do not depend on how terms are numbered.
func (s *Searcher) prepare(exact bool, spare uint32) {
	if len(s.terms) > MaxTerms {
		panic("postings: plan of more than MaxTerms terms")
	}
	s.exact, s.spare = exact, spare
	s.plan = append(s.plan[:0], s.terms...)
	weigh(s.plan)
	if exact {
		slices.SortFunc(s.plan, byYield)
	} else {
		slices.SortFunc(s.plan, byFrequency)
	}
	s.sumRest()
}

// byFrequency orders the rarest term first, so that dense terms are last.
func byFrequency(a, b step) int { return cmp.Or(cmp.Compare(a.DF, b.DF), cmp.Compare(a.id, b.id)) }

// byYield orders first what adds most to sums for each posting read, dense
// terms last. Where weights grow with rarity this is nearly byFrequency; it puts
// frequent terms of little weight behind, where few documents need them.
func byYield(a, b step) int {
	if a.Dense != b.Dense {
		if b.Dense {
			return -1
		}
		return 1
	}
	yield, other := uint64(a.weight)*uint64(a.Max)*uint64(b.DF), uint64(b.weight)*uint64(b.Max)*uint64(a.DF)
	return cmp.Or(cmp.Compare(other, yield), cmp.Compare(a.id, b.id))
}

// sumRest sets rest.
func (s *Searcher) sumRest() {
	n := len(s.plan)
	s.rest = slices.Grow(s.rest[:0], n+1)[:n+1]
	s.rest[n] = 0
	for i := n - 1; i >= 0; i-- {
		s.rest[i] = s.rest[i+1] + uint32(s.plan[i].Max)*s.plan[i].weight
	}
}

// slackBefore returns the slack of sums over the first n terms of the plan.
func (s *Searcher) slackBefore(n int) uint32 {
	if s.exact {
		return 0
	}
	return slack(s.plan[:n], s.spare)
}

// addSparse adds a sparse term to the sums.
func (s *Searcher) addSparse(t *step) {
	docs, impacts := s.lists.Sparse(t.Term)
	impacts = impacts[:len(docs)]
	sums, touched, n, weight := s.sums, s.touched, s.reached, t.weight
	for i, doc := range docs {
		sum := sums[doc]
		sums[doc] = sum + uint32(impacts[i])*weight
		touched[n] = doc
		if sum == 0 {
			n++
		}
	}
	s.reached = n
}

// addTouched adds a sparse term to the sums that are not 0.
func (s *Searcher) addTouched(t *step) {
	docs, impacts := s.lists.Sparse(t.Term)
	impacts = impacts[:len(docs)]
	for i, doc := range docs {
		if sum := s.sums[doc]; sum != 0 {
			s.sums[doc] = sum + uint32(impacts[i])*t.weight
		}
	}
}

// clearSums makes all sums 0.
func (s *Searcher) clearSums() {
	if s.reached > len(s.sums)/8 {
		clear(s.sums)
	} else {
		for _, doc := range s.touched[:s.reached] {
			s.sums[doc] = 0
		}
	}
	s.reached = 0
}
