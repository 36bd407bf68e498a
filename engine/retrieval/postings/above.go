package postings

import (
	"math"
	"slices"
)

// A caller can rank documents that are not in the lists among those that are: a
// document that was edited, say. It knows the score of such a document and has no
// sum for it. Above and GatheredAbove compare sums with a score.
//
// A score is in units of the shares: Σ share·impact/65535, with the impacts before
// they were rounded. Sums have another unit, in which the weight 1 is the share
// total/room (weights.go), so that a score is the sum score·65535·room/total.

// Above returns how many documents other than except are better, by real scores,
// than one with a score: those whose sums say so in spite of rounding, and those
// with sums too near for which ahead returns true. ahead is only called with
// documents that have a term of the plan. spare is that of Candidates, and also
// bounds how far the real impacts are from those of the lists. The cost is that
// of Ahead.
func (s *Searcher) Above(score float64, spare, except uint32, ahead func(doc uint32) bool) int {
	s.prepare(false, spare)
	if len(s.plan) == 0 {
		return 0
	}
	for i := range s.plan {
		s.addAll(&s.plan[i])
	}
	if int(except) < s.lists.size {
		s.sums[except] = 0
	}
	count := s.countAbove(s.sums[:s.lists.size], nil, score, ahead)
	clear(s.sums)
	return count
}

// GatheredAbove returns how many gathered documents are better than one with a score,
// as Above does.
func (s *Searcher) GatheredAbove(score float64, ahead func(doc uint32) bool) int {
	return s.countAbove(s.members.sums, s.members.docs, score, ahead)
}

// Leave leaves a gathered document out of what GatheredBest and GatheredAbove are
// about, if it was gathered.
func (s *Searcher) Leave(doc uint32) {
	m := &s.members
	if i, ok := slices.BinarySearch(m.docs, doc); ok {
		m.docs, m.sums = slices.Delete(m.docs, i, i+1), slices.Delete(m.sums, i, i+1)
	}
}

// countAbove returns how many documents are better than one with a score. docs
// are the documents of the sums; nil means 0, 1, 2 and so on.
func (s *Searcher) countAbove(sums, docs []uint32, score float64, ahead func(doc uint32) bool) int {
	target, slack := s.sumOf(score), s.fullSlack()
	sure := bounded(target + slack)        // larger sums are better
	least := max(1, bounded(target-slack)) // smaller ones are not
	count := 0
	for i, sum := range sums {
		switch {
		case sum < least:
		case sum > sure:
			count++
		default:
			doc := uint32(i)
			if docs != nil {
				doc = docs[i]
			}
			if ahead(doc) {
				count++
			}
		}
	}
	return count
}

// sumOf returns a score in the unit of the sums.
func (s *Searcher) sumOf(score float64) float64 {
	total := 0.0
	for i := range s.plan {
		total += s.plan[i].share
	}
	return score / total * (room(len(s.plan)) * math.MaxUint16)
}

// fullSlack returns the slack of the whole plan.
func (s *Searcher) fullSlack() float64 { return float64(s.slackBefore(len(s.plan))) }

// bounded returns a sum as the largest integer that is not above it, between 0 and
// the largest number.
func bounded(sum float64) uint32 {
	return uint32(min(max(0, math.Floor(sum)), math.MaxUint32))
}
