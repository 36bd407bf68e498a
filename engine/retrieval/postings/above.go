package postings

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

// Above returns how many documents other than except are better, by real scores,
// than one with a score: those whose sums say so in spite of rounding, and those
// with sums too near for which ahead returns true. ahead is only called with
// documents that have a term of the plan. spare is that of Candidates, and also
// bounds how far the real impacts are from those of the lists.
//
// The terms are added rarest first. As soon as the terms that are left cannot lift
// a document without a sum above the score, only the documents that have a sum are
// completed. So a document that has all terms of a plan, as a tool has the words of
// its own name, is compared with few others; the cost is at most that of Ahead.
func (s *Searcher) Above(score float64, spare, except uint32, ahead func(doc uint32) bool) int {
	s.prepare(false, spare)
	if len(s.plan) == 0 {
		return 0
	}
	b := s.barOf(score, except, ahead)
	for i := range s.plan {
		t := &s.plan[i]
		if s.rest[i] < b.least {
			count := s.completeAbove(i, b)
			s.clearSums()
			return count
		}
		if t.Dense {
			break
		}
		s.addSparse(t)
	}
	return s.aboveOfAll(b)
}

// aboveOfAll adds the dense terms to the sums and counts over all documents.
func (s *Searcher) aboveOfAll(b bar) int {
	for i := range s.plan {
		if s.plan[i].Dense {
			s.addAll(&s.plan[i])
		}
	}
	count := 0
	for doc, sum := range s.sums[:s.lists.size] {
		if sum >= b.least && b.above(uint32(doc), sum) {
			count++
		}
	}
	clear(s.sums)
	s.reached = 0
	return count
}

// completeAbove counts among the documents that have a sum, to which the terms from
// step i of the plan on are added.
func (s *Searcher) completeAbove(i int, b bar) int {
	s.top.begin(0, 0, true)
	for _, doc := range s.touched[:s.reached] {
		if sum := s.sums[doc]; sum+s.rest[i] >= b.least {
			s.top.keep(doc, sum)
		}
	}
	l := &s.top
	apart := false // the sums of those that are left went on without the others
	for ; i < len(s.plan) && len(l.docs) > 0; i++ {
		t := &s.plan[i]
		switch {
		case t.Dense:
			apart = true
			column := s.lists.column(t.Term)
			for j, doc := range l.docs {
				l.sums[j] += uint32(impactOf(column, doc)) * t.weight
			}
		case apart || len(l.docs)*findCost <= int(t.DF):
			apart = true
			for j, doc := range l.docs {
				l.sums[j] += uint32(s.lists.Impact(t.Term, doc)) * t.weight
			}
		default:
			s.addTouched(t)
			for j, doc := range l.docs {
				l.sums[j] = s.sums[doc]
			}
		}
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
func (s *Searcher) barOf(score float64, except uint32, ahead func(doc uint32) bool) bar {
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
func (s *Searcher) GatheredAbove(score float64, ahead func(doc uint32) bool) int {
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
func (s *Searcher) Leave(doc uint32) {
	m := &s.members
	if i, ok := slices.BinarySearch(m.docs, doc); ok {
		m.docs, m.sums = slices.Delete(m.docs, i, i+1), slices.Delete(m.sums, i, i+1)
	}
}
