package retrieval

import "slices"

// candidates leaves in top every document that can be among the k best, and
// few others.
func (s *searcher) candidates(k int) {
	if !s.makePlan() {
		s.everyone()
		return
	}
	s.aside = s.aside[:0]
	for again := true; again; {
		all := k >= int(s.matches())
		if len(s.plan) == 1 {
			s.single(k, all)
			break
		}
		if again = s.several(k, all); again {
			s.aside = append(s.aside, s.touched[:s.reached]...)
			s.weighPlan()
		}
		s.clearSums()
	}
	if len(s.aside) > 0 {
		s.top.docs = append(s.top.docs, s.aside...)
		slices.Sort(s.top.docs)
		s.top.docs = slices.Compact(s.top.docs)
	}
}

// matches returns an upper bound of the number of documents that score.
func (s *searcher) matches() uint64 {
	sum := uint64(0)
	for _, t := range s.plan {
		sum += uint64(t.df)
	}
	return min(sum, uint64(s.x.Len()))
}

// everyone makes every document that holds a term a candidate.
func (s *searcher) everyone() {
	s.top.begin(0, 0, true)
	for i := range s.x.documents {
		if s.score(uint32(i)) > 0 {
			s.top.docs = append(s.top.docs, uint32(i))
		}
	}
}

// single finds the candidates of a query of one term: an impact that is
// larger by more than its rounding is a larger score, however often the term is
// repeated.
func (s *searcher) single(k int, all bool) {
	s.top.begin(k, 1, all)
	t := s.plan[0].term
	if t.dense {
		for doc, impact := range s.x.column(t) {
			if uint32(impact) >= s.top.bar {
				s.top.offer(uint32(doc), uint32(impact))
			}
		}
	} else {
		docs, impacts := s.x.postings(t)
		for i, impact := range impacts {
			if uint32(impact) >= s.top.bar {
				s.top.offer(docs[i], uint32(impact))
			}
		}
	}
	s.top.trim()
}

// scoreCost is what the exact score of a document costs, in postings.
const scoreCost = 64

// fineWeight is the least weight with which a term is told from rounding.
const fineWeight = 256

// several finds the candidates of a plan of two terms or more. Sparse terms
// are added to the sums one after another, the rarest first. As soon as the
// best sums are out of reach for documents that have none, only the documents
// that can still be among the best are completed. If that never happens, the
// dense terms are added in one pass over all documents.
//
// When fewer than k documents hold the rare terms and the others weigh next
// to nothing beside them, their sums would not tell those apart that make up
// the number. several then shortens the plan by the rare terms and returns
// true: the documents reached are candidates, and so are the best k of the
// shorter plan, searched with weights of its own. No other document can be
// among the best: the k documents before it in the shorter plan only gain by
// the rare terms.
func (s *searcher) several(k int, all bool) (again bool) {
	work := 0
	for _, t := range s.plan {
		work += int(t.df)
	}
	for i, t := range s.plan {
		if !all && s.reached > 0 && s.reached < k && t.weight < fineWeight {
			s.plan = s.plan[i:]
			return true
		}
		if !all && s.reached >= k && s.reached <= work && s.settled(i, k) {
			s.complete(i)
			return false
		}
		if t.dense {
			s.addDense(i, k, all)
			return false
		}
		s.addSparse(t)
		work -= int(t.df)
	}
	s.lead(k, s.slackBefore(len(s.plan)), all)
	s.top.trim()
	return false
}

// lead offers the sums of all documents reached.
func (s *searcher) lead(k int, slack uint32, all bool) {
	s.top.begin(k, slack, all)
	for _, doc := range s.touched[:s.reached] {
		if sum := s.sums[doc]; sum >= s.top.bar {
			s.top.offer(doc, sum)
		}
	}
}

// settled tells, before step i of the plan, whether no document without a sum
// can be among the best k. If so, the leaders are those that can.
func (s *searcher) settled(i, k int) bool {
	slack := s.slackBefore(i) + s.rest[i]
	if s.rest[0]-s.rest[i] <= slack {
		return false // even the largest sum
	}
	s.top.begin(k, slack, false)
	least := uint32(0)
	for _, doc := range s.touched[:s.reached] {
		if sum := s.sums[doc]; sum > least {
			s.top.raise(sum)
			least = s.top.least()
		}
	}
	if least <= slack {
		return false
	}
	for _, doc := range s.touched[:s.reached] {
		if sum := s.sums[doc]; sum >= s.top.bar {
			s.top.keep(doc, sum)
		}
	}
	return true
}

// complete adds the terms from step i on to the sums of the leaders, and drops
// those that fall behind, for as long as that is cheaper than to score them.
func (s *searcher) complete(i int) {
	for ; i < len(s.plan); i++ {
		t := s.plan[i]
		if t.dense {
			if len(s.top.docs) <= 2*s.top.k {
				return
			}
			column := s.x.column(t.term)
			for j, doc := range s.top.docs {
				s.top.sums[j] += uint32(column[doc]) * t.weight
			}
		} else {
			if len(s.top.docs)*scoreCost <= int(t.df) {
				return
			}
			s.addTouched(t)
			for j, doc := range s.top.docs {
				s.top.sums[j] = s.sums[doc]
			}
		}
		s.top.again(s.slackBefore(i+1) + s.rest[i+1])
	}
}
