package retrieval

import (
	"cmp"
	"math/bits"
	"slices"
)

// ListSearch is the memory of one search in Lists. It is used again by the next
// search. A ListSearch is for one goroutine; a pool of them serves many. Its methods
// do not allocate after a search that was as large.
//
// A search is Reset, Add for every term, and then any number of the questions Top,
// Candidates, Matches, Above and Gather.
type ListSearch struct {
	lists    *Lists
	exact    bool   // sums are the scores
	spare    uint32 // bounds the error of the caller's scores
	top      leaders
	sums     []uint32 // of impacts, per document; 0 between questions. As long as a column has impacts
	touched  []uint32 // documents whose sum is not 0; the first reached are valid
	reached  int
	terms    []step   // as they were added
	order    []uint64 // terms by frequency, with their indexes
	plan     []step   // in the order of search, dense terms last; those still to be searched
	rest     []uint32 // per step of the plan, how much it and later ones can add to a sum; one longer than plan
	setAside []uint32 // candidates found before the plan was shortened
	best     []uint32 // those and what is found with the shortened plan
	found    []uint64 // bitmap of documents, for Matches
	members  members
}

// NewSearch returns a search, which takes 8 bytes per document.
func (l *Lists) NewSearch() *ListSearch {
	n := groups(l.size) * 4
	// addSparse writes every document behind those that have a sum, also when all have one.
	return &ListSearch{lists: l, sums: make([]uint32, n), touched: make([]uint32, n+1)}
}

// Reset removes all terms from the plan.
func (s *ListSearch) Reset() { s.terms = s.terms[:0] }

// Add adds a term to the plan. Its weight is proportional to share, which is
// positive and finite, in any unit. A term is added once. Add returns false when no
// document has the term, which is then not in the plan. The questions panic when
// the plan has more than MaxTerms.
func (s *ListSearch) Add(id uint32, share float64) bool {
	t := s.lists.Term(id)
	if t.DF == 0 {
		return false
	}
	s.terms = append(s.terms, step{Term: t, id: id, share: share})
	return true
}

// Terms returns how many terms the plan has.
func (s *ListSearch) Terms() int { return len(s.terms) }

// prepare makes the plan of the added terms. Weights are set in the order in which
// the terms were added, so that they do not depend on the numbers of terms.
func (s *ListSearch) prepare(exact bool, spare uint32) {
	if len(s.terms) > MaxTerms {
		panic("postings: plan of more than MaxTerms terms")
	}
	s.exact, s.spare = exact, spare
	weigh(s.terms)
	if exact {
		s.plan = append(s.plan[:0], s.terms...)
		slices.SortFunc(s.plan, byYield)
	} else {
		s.sortByFrequency()
	}
	s.sumRest()
}

// sortByFrequency makes the plan of the terms, the rarest first, so that dense terms
// are last. It sorts numbers, which is faster than to move steps.
func (s *ListSearch) sortByFrequency() {
	s.order = s.order[:0]
	for i := range s.terms {
		s.order = append(s.order, uint64(s.terms[i].DF)<<32|uint64(i))
	}
	slices.Sort(s.order)
	s.plan = s.plan[:0]
	for _, at := range s.order {
		s.plan = append(s.plan, s.terms[uint32(at)])
	}
}

// byYield sorts first the term that adds most to sums for each posting read, dense
// terms last. When weights grow with rarity this is nearly byFrequency. Frequent
// terms of little weight come late, when few documents need them.
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
func (s *ListSearch) sumRest() {
	n := len(s.plan)
	s.rest = slices.Grow(s.rest[:0], n+1)[:n+1]
	s.rest[n] = 0
	for i := n - 1; i >= 0; i-- {
		s.rest[i] = s.rest[i+1] + uint32(s.plan[i].Max)*s.plan[i].weight
	}
}

// slackBefore returns the slack of sums over the first n terms of the plan.
func (s *ListSearch) slackBefore(n int) uint32 {
	if s.exact {
		return 0
	}
	return slack(s.plan[:n], s.spare)
}

// addSparse adds a sparse term to the sums.
func (s *ListSearch) addSparse(t *step) {
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
func (s *ListSearch) addTouched(t *step) {
	docs, impacts := s.lists.Sparse(t.Term)
	impacts = impacts[:len(docs)]
	for i, doc := range docs {
		if sum := s.sums[doc]; sum != 0 {
			s.sums[doc] = sum + uint32(impacts[i])*t.weight
		}
	}
}

// clearSums makes all sums 0.
func (s *ListSearch) clearSums() {
	if s.reached > len(s.sums)/8 {
		clear(s.sums)
	} else {
		for _, doc := range s.touched[:s.reached] {
			s.sums[doc] = 0
		}
	}
	s.reached = 0
}

// Matches returns how many documents have a term of the plan. It reads no impacts:
// a plan of one term costs nothing, any other a pass over the documents of its
// sparse terms.
func (s *ListSearch) Matches() int {
	switch len(s.terms) {
	case 0:
		return 0
	case 1:
		return int(s.terms[0].DF)
	}
	if s.found == nil {
		s.found = make([]uint64, bitmapWords(s.lists.size))
	}
	clear(s.found)
	for i := range s.terms {
		t := s.terms[i].Term
		if t.Dense {
			for i, word := range s.lists.bitmap(t) {
				s.found[i] |= word
			}
			continue
		}
		docs, _ := s.lists.Sparse(t)
		for _, doc := range docs {
			s.found[doc/64] |= 1 << (doc % 64)
		}
	}
	count := 0
	for _, word := range s.found {
		count += bits.OnesCount64(word)
	}
	return count
}
