package postings

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
}

// begin empties l. With all set, everything is kept.
func (l *leaders) begin(k int, slack uint32, all bool) {
	if all {
		k = 0
	}
	l.docs, l.sums, l.best = l.docs[:0], l.sums[:0], l.best[:0]
	l.bar, l.past, l.k, l.slack = 1, 0, k, slack
}

// ordered is told, before the first offer, when documents come in order and
// ties are settled by it: what only ties with the k-th is then not worth
// offering.
func (l *leaders) ordered(yes bool) {
	if yes && l.slack == 0 {
		l.past = 1
	}
}

// offer takes a document whose sum is at least bar.
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

// raise counts a sum among the k largest, and lifts the bar.
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

// trim drops what the bar has passed.
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

// again offers what is kept once more, with sums that have grown and a
// smaller slack.
func (l *leaders) again(slack uint32) {
	l.best, l.bar, l.past, l.slack = l.best[:0], 1, 0, slack
	for _, sum := range l.sums {
		l.raise(sum)
	}
	l.trim()
}
