package retrieval

import (
	"math"
	"slices"
)

// A caller can rank a document that is not in the lists, such as an edited one,
// among those that are. It knows the score of that document and has no sum for it.
// Above and GatheredAbove compare sums with a score.
//
// A score is in units of the shares: Σ share·impact/65535, with the impacts before
// they were rounded. Sums have another unit, in which the weight 1 is the share
// total/room (weights.go), so that a score is the sum score·65535·room/total.

// NoDocument is a number that no document has.
const NoDocument = math.MaxUint32

// Target is the score that documents are compared with.
type Target struct {
	Score  float64
	Spare  uint32                // that of Candidates; also bounds how far the real impacts are from those of the lists
	Except uint32                // a document that is left out, or NoDocument
	Ahead  func(doc uint32) bool // reports whether a document with a sum too near to tell is better
}

// Above returns how many documents other than t.Except are better, by real scores,
// than one with the score of t: those whose sums say so in spite of
// rounding, and those with sums too near for which t.Ahead returns true. It is only
// called with documents that have a term of the plan.
//
// The terms are added rarest first. As soon as the terms that are left cannot lift
// a document without a sum above the score, only the documents that have a sum are
// completed. So a document that has all terms of a plan, as a tool has the words of
// its own name, is compared with few others. Above costs at most a pass over the postings
// of the plan and one over all sums.
func (s *ListSearch) Above(t Target) int {
	s.prepare(false, t.Spare)
	if len(s.plan) == 0 {
		return 0
	}
	b := s.barOf(t.Score, t.Except, t.Ahead)
	for i := range s.plan {
		step := &s.plan[i]
		if s.rest[i] < b.least {
			return s.completeAbove(i, b)
		}
		if step.Dense {
			return s.aboveOfAll(i, b)
		}
		s.addSparse(step)
	}
	return s.completeAbove(len(s.plan), b)
}

// aboveOfAll counts over all documents. The terms before step i of the plan are in the
// sums, the others are dense.
func (s *ListSearch) aboveOfAll(i int, b bar) int {
	defer s.clearSums()
	if b.least > math.MaxInt32 {
		return 0 // no sum is as large
	}
	l := leaders{bar: b.least}
	bias, count, n := l.bias(), 0, groups(s.lists.size)
	var sums block
	for from := 0; from < n; from += blockGroups {
		to := min(from+blockGroups, n)
		s.addColumns(&sums, s.plan[i:], from, to)
		for j := range to - from {
			pair := &sums[j&(blockGroups-1)]
			if ((pair[0]+bias)|(pair[1]+bias))&highest == 0 {
				continue
			}
			for k, sum := range fourOf(pair) {
				if doc := uint32((from+j)*4 + k); sum >= b.least && b.above(doc, sum) {
					count++
				}
			}
		}
	}
	return count
}

// completeAbove counts among the documents that have a sum, to which the terms from
// step i of the plan on are added.
func (s *ListSearch) completeAbove(i int, b bar) int {
	defer s.clearSums()
	s.top.begin(0, 0, true)
	for _, doc := range s.touched[:s.reached] {
		if sum := s.sums[doc]; sum+s.rest[i] >= b.least {
			s.top.keep(doc, sum)
		}
	}
	l := &s.top
	apart := false // the sums of those that are left went on without the others
	for ; i < len(s.plan) && len(l.docs) > 0; i++ {
		apart = s.addToLeaders(&s.plan[i], apart)
		n := 0
		for j, sum := range l.sums {
			if sum+s.rest[i+1] >= b.least {
				l.docs[n], l.sums[n] = l.docs[j], sum
				n++
			}
		}
		l.docs, l.sums = l.docs[:n], l.sums[:n]
	}
	count := 0
	for j, doc := range l.docs {
		if b.above(doc, l.sums[j]) {
			count++
		}
	}
	return count
}

// bar is a score that the sums of documents are compared with.
type bar struct {
	least  uint32 // smaller sums are not better
	sure   uint32 // larger sums are better
	except uint32
	ahead  func(doc uint32) bool
}

// barOf returns the bar of a score for the whole plan.
func (s *ListSearch) barOf(score float64, except uint32, ahead func(doc uint32) bool) bar {
	total := 0.0
	for i := range s.plan {
		total += s.plan[i].share
	}
	sum, slack := score/total*(room(len(s.plan))*math.MaxUint16), float64(s.slackBefore(len(s.plan)))
	return bar{max(1, bounded(sum-slack)), bounded(sum + slack), except, ahead}
}

// bounded returns a sum as the largest integer that is not above it, between 0 and
// the largest number.
func bounded(sum float64) uint32 { return uint32(min(max(0, math.Floor(sum)), math.MaxUint32)) }

// above reports whether a document with a sum that reaches the bar is better than
// one with the score.
func (b *bar) above(doc, sum uint32) bool {
	return doc != b.except && (sum > b.sure || b.ahead(doc))
}

// GatheredAbove returns how many gathered documents are better than one with a score,
// as Above does.
func (s *ListSearch) GatheredAbove(score float64, ahead func(doc uint32) bool) int {
	if len(s.plan) == 0 {
		return 0
	}
	b, count := s.barOf(score, NoDocument, ahead), 0
	for i, sum := range s.members.sums {
		if sum >= b.least && b.above(s.members.docs[i], sum) {
			count++
		}
	}
	return count
}

// Leave leaves a gathered document out of what GatheredBest and GatheredAbove are
// about, if it was gathered.
func (s *ListSearch) Leave(doc uint32) {
	m := &s.members
	if i, ok := slices.BinarySearch(m.docs, doc); ok {
		m.docs, m.sums = slices.Delete(m.docs, i, i+1), slices.Delete(m.sums, i, i+1)
	}
}
