package postings

import "slices"

// Candidates returns every document that can be among the best k by real
// scores, ties included, and few others, in no order: all that hold a term when
// they may be fewer than k. spare is what the caller's scores may be wrong, in
// units of 2^-31 of the largest possible score. The result is valid until the
// next question.
func (s *Searcher) Candidates(k int, spare uint32) []uint32 {
	s.search(k, false, spare)
	return s.top.docs
}

// search leaves in top every document that can be among the k best, and few
// others.
func (s *Searcher) search(k int, exact bool, spare uint32) {
	s.prepare(exact, spare)
	s.aside = s.aside[:0]
	if len(s.plan) == 0 || k <= 0 {
		s.top.begin(0, 0, true)
		return
	}
	for again := true; again; {
		all := k >= int(s.matches())
		if len(s.plan) == 1 {
			s.single(k, all)
			break
		}
		if again = s.several(k, all); again {
			s.aside = append(s.aside, s.touched[:s.reached]...)
			weigh(s.plan)
			s.sumRest()
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
func (s *Searcher) matches() uint64 {
	sum := uint64(0)
	for i := range s.plan {
		sum += uint64(s.plan[i].DF)
	}
	return min(sum, uint64(s.lists.size))
}

// single finds the candidates of a plan of one term. The weight is of no
// importance then: an impact that is larger by more than its rounding is a
// larger score.
func (s *Searcher) single(k int, all bool) {
	slack := uint32(1)
	if s.exact {
		slack = 0
	}
	s.top.begin(k, slack, all)
	s.top.ordered(s.exact)
	t := s.plan[0].Term
	if t.Dense {
		s.lead1(s.lists.column(t), 1)
	} else {
		docs, impacts := s.lists.Sparse(t)
		for i, impact := range impacts {
			if uint32(impact) >= s.top.bar {
				s.top.offer(docs[i], uint32(impact))
			}
		}
	}
	s.top.trim()
}

const (
	scoreCost = 64 // what the caller's score of a document costs, in postings
	findCost  = 32 // what the search for a document in a list costs, in postings
)

// fineWeight is the least weight with which a term is told from rounding.
const fineWeight = 256

// several finds the candidates of a plan of two terms or more. Sparse terms
// are added to the sums one after another, the rarest first. As soon as the
// best sums are out of reach for documents that have none, only the documents
// that can still be among the best are completed. If that never happens, the
// dense terms are added in one pass over all documents.
//
// When fewer than k documents hold the rare terms and the others weigh next
// to nothing beside them, rounded sums would not tell those apart that make up
// the number. several then shortens the plan by the rare terms and returns
// true: the documents reached are candidates, and so are the best k of the
// shorter plan, searched with weights of its own. No other document can be
// among the best: the k documents before it in the shorter plan only gain by
// the rare terms.
func (s *Searcher) several(k int, all bool) (again bool) {
	work, added := 0, 0 // postings still to be added, and since sums were last compared
	for i := range s.plan {
		work += int(s.plan[i].DF)
	}
	for i := range s.plan {
		t := &s.plan[i]
		if !s.exact && !all && s.reached > 0 && s.reached < k && t.weight < fineWeight {
			s.plan = s.plan[i:]
			return true
		}
		if !all && s.reached >= k && s.reached <= work && (!s.exact || t.Dense || s.reached <= 4*added) {
			if s.settled(i, k) {
				s.complete(i)
				return false
			}
			added = 0
		}
		if t.Dense {
			s.addDense(i, k, all)
			return false
		}
		s.addSparse(t)
		work -= int(t.DF)
		added += int(t.DF)
	}
	s.lead(k, s.slackBefore(len(s.plan)), all)
	s.top.trim()
	return false
}

// lead offers the sums of all documents reached.
func (s *Searcher) lead(k int, slack uint32, all bool) {
	s.top.begin(k, slack, all)
	for _, doc := range s.touched[:s.reached] {
		if sum := s.sums[doc]; sum >= s.top.bar {
			s.top.offer(doc, sum)
		}
	}
}

// settled tells, before step i of the plan, whether no document without a sum
// can be among the best k. If so, the leaders are those that can.
func (s *Searcher) settled(i, k int) bool {
	slack := s.slackBefore(i) + s.rest[i]
	if s.rest[0]-s.rest[i] <= slack {
		return false // even the largest sum
	}
	enough := 0
	for _, doc := range s.touched[:s.reached] {
		if s.sums[doc] > slack {
			if enough++; enough == k {
				break
			}
		}
	}
	if enough < k {
		return false
	}
	s.top.begin(k, slack, false)
	least := slack
	for _, doc := range s.touched[:s.reached] {
		if sum := s.sums[doc]; sum > least {
			s.top.raise(sum)
			least = max(slack, s.top.least())
		}
	}
	for _, doc := range s.touched[:s.reached] {
		if sum := s.sums[doc]; sum >= s.top.bar {
			s.top.keep(doc, sum)
		}
	}
	return true
}
