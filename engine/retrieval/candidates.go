package retrieval

import "slices"

// Candidates returns every document that can be among the best k by real scores,
// ties included, and few others, in no order. It returns all documents that have a
// term of the plan when they may be fewer than k. spare bounds the error of the
// caller's scores, in units of 2^-31 of the largest possible score. The result is
// valid until the next question.
func (s *ListSearch) Candidates(k int, spare uint32) []uint32 {
	s.search(k, false, spare)
	if len(s.setAside) == 0 {
		return s.top.docs
	}
	s.best = append(s.best[:0], s.setAside...)
	for _, doc := range s.top.docs {
		if _, ok := slices.BinarySearch(s.setAside, doc); !ok {
			s.best = append(s.best, doc)
		}
	}
	return s.best
}

// search leaves every document that can be among the k best in top or in setAside,
// and few others. Those in setAside are sorted; some of them may also be in top.
func (s *ListSearch) search(k int, exact bool, spare uint32) {
	s.prepare(exact, spare)
	s.setAside = s.setAside[:0]
	if len(s.plan) == 0 || k <= 0 {
		s.top.begin(0, 0, true)
		return
	}
	for again := true; again; {
		all := k >= int(s.matches())
		if len(s.plan) == 1 {
			s.searchOne(k, all)
			break
		}
		if again = s.searchMany(k, all); again {
			s.setAside = append(s.setAside, s.touched[:s.reached]...)
			weigh(s.plan)
			s.sumRest()
		}
		s.clearSums()
	}
	slices.Sort(s.setAside)
	s.setAside = slices.Compact(s.setAside)
}

// matches returns an upper bound of the number of documents that score.
func (s *ListSearch) matches() uint64 {
	sum := uint64(0)
	for i := range s.plan {
		sum += uint64(s.plan[i].DF)
	}
	return min(sum, uint64(s.lists.size))
}

// searchOne finds the candidates of a plan of one term. The weight does not matter
// then: an impact that is larger by more than its rounding is a larger score.
func (s *ListSearch) searchOne(k int, all bool) {
	slack := uint32(1)
	if s.exact {
		slack = 0
	}
	s.top.begin(k, slack, all)
	s.top.ordered(s.exact)
	t := s.plan[0].Term
	if t.Dense {
		s.offerColumn(s.lists.column(t), 1)
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
	scoreCost = 64 // the cost of the caller's score of a document, in postings
	findCost  = 32 // the cost of finding a document in a list, in postings

	compareCost = 8 // the cost of comparing a sum with the others and completing it, in postings
)

const (
	// fineWeight is the least weight with which a term is larger than rounding.
	fineWeight = 16
	// fineShare: terms that can add less than one of so many parts of the largest sum
	// are no longer told well from rounding.
	fineShare = 32
)

// searchMany finds the candidates of a plan of two terms or more. It adds the
// sparse terms to the sums one after another, the rarest first. As soon as
// documents without a sum cannot reach the best sums, it completes the sums of only
// those documents that can still be among the best. If that never happens, it adds
// the dense terms in one pass over all documents.
//
// When fewer than k documents have the rare terms, and the other terms weigh very
// little beside them, the rounded sums of the other documents would be too coarse
// to order them. searchMany then removes the rare terms from the plan and returns
// true. The documents reached so far are candidates, and so are the best k of the
// shorter plan, which is searched with new weights. No other document can be among
// the best: k documents are before it by the shorter plan, and the rare terms only
// add to their scores.
func (s *ListSearch) searchMany(k int, all bool) (again bool) {
	work, added := 0, 0 // postings still to be added, and since sums were last compared
	for i := range s.plan {
		work += int(s.plan[i].DF)
	}
	for i := range s.plan {
		t := &s.plan[i]
		if !s.exact && !all && s.reached > 0 && s.reached < k && (t.weight < fineWeight || s.rest[i] < s.rest[0]/fineShare) {
			s.plan = s.plan[i:]
			return true
		}
		if !all && s.reached >= k && s.mayPay(t, work, added) {
			if s.settled(i, k) {
				s.complete(i)
				return false
			}
			added = 0
		}
		if t.Dense {
			s.offerDense(i, k, all)
			return false
		}
		s.addSparse(t)
		work -= int(t.DF)
		added += int(t.DF)
	}
	s.offerReached(k, s.slackBefore(len(s.plan)), all)
	s.top.trim()
	return false
}

// mayPay reports whether sums should be compared before a term is added. Comparing
// reads all sums, which must be few beside the postings that it can save and those
// that were added since the last time.
func (s *ListSearch) mayPay(t *step, work, added int) bool {
	if s.exact {
		return s.reached <= work && (t.Dense || s.reached <= 4*added)
	}
	return compareCost*s.reached <= work && (t.Dense || s.reached <= added)
}

// offerReached offers the sums of all documents that have one.
func (s *ListSearch) offerReached(k int, slack uint32, all bool) {
	s.top.begin(k, slack, all)
	if !s.exact {
		s.keep(s.reached)
		s.top.rebase(slack)
		return
	}
	for _, doc := range s.touched[:s.reached] {
		if sum := s.sums[doc]; sum >= s.top.bar {
			s.top.offer(doc, sum)
		}
	}
}

// keep keeps the first n documents that got a sum.
func (s *ListSearch) keep(n int) {
	l := &s.top
	l.docs, l.sums = append(l.docs, s.touched[:n]...), slices.Grow(l.sums, n)
	for _, doc := range s.touched[:n] {
		l.sums = append(l.sums, s.sums[doc])
	}
}

// settled reports, before step i of the plan, whether no document without a sum can
// be among the best k. Then top has the documents that can.
func (s *ListSearch) settled(i, k int) bool {
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
	if !s.exact {
		s.keep(s.reached)
		s.top.rebase(slack)
		return true
	}
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

// complete adds the terms from step i on to the sums of the leaders and drops those
// that are no longer among the best. When the sums are the scores it adds all
// terms, else it stops when scoring the leaders is cheaper for the caller.
func (s *ListSearch) complete(i int) {
	apart := false // the leaders' sums went on without the others
	for ; i < len(s.plan); i++ {
		t, n := &s.plan[i], len(s.top.docs)
		if !s.exact && !t.Dense && n*scoreCost <= int(t.DF) {
			return
		}
		apart = s.addToLeaders(t, apart)
		slack := s.slackBefore(i+1) + s.rest[i+1]
		switch {
		case s.exact:
			s.top.recount(slack)
		case slack <= s.top.slack/2 || i+1 == len(s.plan): // else few can be dropped
			s.top.rebase(slack)
		}
	}
}

// addToLeaders adds a term to the sums of the leaders. apart says that these went on
// without the sums of the other documents, and so does what addToLeaders returns.
func (s *ListSearch) addToLeaders(t *step, apart bool) bool {
	l := &s.top
	switch {
	case t.Dense:
		column := s.lists.column(t.Term)
		for j, doc := range l.docs {
			l.sums[j] += uint32(impactOf(column, doc)) * t.weight
		}
		return true
	case apart || len(l.docs)*findCost <= int(t.DF):
		for j, doc := range l.docs {
			l.sums[j] += uint32(s.lists.Impact(t.Term, doc)) * t.weight
		}
		return true
	}
	s.addTouched(t)
	for j, doc := range l.docs {
		l.sums[j] = s.sums[doc]
	}
	return false
}
