package retrieval

import (
	"math"
	"math/bits"
	"slices"
)

// DocSum is a document with its sum, 1 to 2^31-1.
type DocSum struct{ Doc, Sum uint32 }

// Top appends to dst the k documents with the largest sums, best first, ties in
// document order: all that have a term of the plan when they are fewer. The weights
// are the shares, scaled to use the range of sums and rounded up. They depend only
// on the shares in the order in which they were added.
func (s *ListSearch) Top(dst []DocSum, k int) []DocSum {
	k = max(k, 0)
	s.search(k, true, 0)
	before, l := len(dst), &s.top
	if len(l.docs) <= k {
		for i, doc := range l.docs {
			dst = append(dst, DocSum{doc, l.sums[i]})
		}
	} else {
		dst = l.cut(dst, k)
	}
	slices.SortFunc(dst[before:], func(a, b DocSum) int {
		if a.Sum != b.Sum {
			if a.Sum > b.Sum {
				return -1
			}
			return 1
		}
		return int(a.Doc) - int(b.Doc)
	})
	if len(s.plan) == 1 { // whose impacts were compared
		for i := range dst[before:] {
			dst[before+i].Sum *= s.plan[0].weight
		}
	}
	return dst
}

// cut appends to dst the k best of more leaders: those above the k-th sum, and
// the first documents that have it.
func (l *leaders) cut(dst []DocSum, k int) []DocSum {
	before, least, ties := len(dst), l.least(), l.docs[:0]
	for i, doc := range l.docs {
		switch sum := l.sums[i]; {
		case sum > least:
			dst = append(dst, DocSum{doc, sum})
		case sum == least:
			ties = append(ties, doc)
		}
	}
	if !slices.IsSorted(ties) {
		slices.Sort(ties)
	}
	for _, doc := range ties[:k-(len(dst)-before)] {
		dst = append(dst, DocSum{doc, least})
	}
	return dst
}

// leaders collects the documents whose sums can be among the k largest. A
// document is kept when its sum is at most slack below the k-th largest sum
// that was offered.
type leaders struct {
	docs, sums []uint32 // kept so far, in the order offered
	bar        uint32   // least sum worth offering
	past       uint32   // how far the bar is above the least sum kept
	k          int
	slack      uint32
	best       []uint32 // the k largest sums, a heap with the least at its root
	buckets    [1 << levelBits]uint32
}

// begin empties l. With all set, everything is kept.
func (l *leaders) begin(k int, slack uint32, all bool) {
	if all {
		k = 0
	}
	l.docs, l.sums, l.best = l.docs[:0], l.sums[:0], l.best[:0]
	l.bar, l.past, l.k, l.slack = 1, 0, k, slack
}

// ordered is called before the first offer. yes means that documents are offered
// in order and that the first of equal sums wins: a sum that only equals the k-th
// is then not worth offering.
func (l *leaders) ordered(yes bool) {
	if yes && l.slack == 0 {
		l.past = 1
	}
}

// offer adds a document whose sum is at least bar.
func (l *leaders) offer(doc, sum uint32) {
	l.keep(doc, sum)
	l.raise(sum)
}

// keep keeps a document without counting its sum.
func (l *leaders) keep(doc, sum uint32) {
	l.docs, l.sums = append(l.docs, doc), append(l.sums, sum)
}

// least returns the k-th largest sum, or 0 when fewer were counted.
func (l *leaders) least() uint32 {
	if len(l.best) < l.k {
		return 0
	}
	return l.best[0]
}

// raise adds a sum to the k largest and raises the bar.
func (l *leaders) raise(sum uint32) {
	switch {
	case len(l.best) < l.k:
		l.best = append(l.best, sum)
		if len(l.best) < l.k {
			return
		}
		for i := l.k/2 - 1; i >= 0; i-- {
			l.sink(i)
		}
	case l.k == 0 || sum <= l.best[0]:
		return
	default:
		l.best[0] = sum
		l.sink(0)
	}
	if least := l.best[0]; least > l.slack {
		l.bar = least - l.slack + l.past
	}
}

// sink restores the heap below i.
func (l *leaders) sink(i int) {
	sum := l.best[i]
	for {
		child := 2*i + 1
		if child >= len(l.best) {
			break
		}
		if child+1 < len(l.best) && l.best[child+1] < l.best[child] {
			child++
		}
		if sum <= l.best[child] {
			break
		}
		l.best[i], i = l.best[child], child
	}
	l.best[i] = sum
}

// trim drops the documents below the bar.
func (l *leaders) trim() {
	n := 0
	for i, sum := range l.sums {
		if sum >= l.bar-l.past {
			l.docs[n], l.sums[n] = l.docs[i], sum
			n++
		}
	}
	l.docs, l.sums = l.docs[:n], l.sums[:n]
}

// recount offers the documents again, with sums that have grown and a smaller
// slack.
func (l *leaders) recount(slack uint32) {
	l.best, l.bar, l.past, l.slack = l.best[:0], 1, 0, slack
	for _, sum := range l.sums {
		l.raise(sum)
	}
	l.trim()
}

// levelBits are the bits of a sum by which level counts at a time.
const levelBits = 9

// level returns a number that at least k of the sums kept reach, and at most 2k unless
// more are equal to it. When fewer than k are kept it is 0.
func (l *leaders) level(k int) uint32 {
	if k <= 0 || len(l.sums) < k {
		return 0
	}
	wanted, level, size := k, uint32(0), uint32(math.MaxUint32)
	for shift := max(0, bits.Len32(slices.Max(l.sums))-levelBits); ; shift = max(0, shift-levelBits) {
		clear(l.buckets[:])
		for _, sum := range l.sums {
			if above := sum - level; above < size { // not below level, as numbers wrap around
				l.buckets[above>>shift&(1<<levelBits-1)]++
			}
		}
		bucket := len(l.buckets) - 1
		for ; int(l.buckets[bucket]) < wanted; bucket-- {
			wanted -= int(l.buckets[bucket])
		}
		level += uint32(bucket) << shift
		if size = 1 << shift; size == 1 || int(l.buckets[bucket]) <= k {
			return level
		}
	}
}

// rebase drops the documents more than slack below the level of the k-th largest
// sum. It is for sums that were kept and not counted.
func (l *leaders) rebase(slack uint32) {
	l.slack, l.bar, l.past = slack, 1, 0
	if level := l.level(l.k); level > slack {
		l.bar = level - slack
	}
	l.trim()
}
