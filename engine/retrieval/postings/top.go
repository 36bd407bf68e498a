package postings

import "slices"

// Ranked is a document and its sum: of weight times impact over the terms of
// the plan that it holds, 1 to 2^31-1.
type Ranked struct{ Doc, Sum uint32 }

// Top appends to dst the k documents with the largest sums, best first, ties in
// document order: all that hold a term of the plan when they are fewer. The
// weights are the shares scaled to use the range of sums, rounded up, and
// depend on nothing but the shares, in their order.
func (s *Searcher) Top(dst []Ranked, k int) []Ranked {
	k = max(k, 0)
	s.search(k, true, 0)
	before, l := len(dst), &s.top
	if len(l.docs) <= k {
		for i, doc := range l.docs {
			dst = append(dst, Ranked{doc, l.sums[i]})
		}
	} else {
		dst = l.cut(dst, k)
	}
	slices.SortFunc(dst[before:], func(a, b Ranked) int {
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
func (l *leaders) cut(dst []Ranked, k int) []Ranked {
	before, least, ties := len(dst), l.least(), l.docs[:0]
	for i, doc := range l.docs {
		switch sum := l.sums[i]; {
		case sum > least:
			dst = append(dst, Ranked{doc, sum})
		case sum == least:
			ties = append(ties, doc)
		}
	}
	if !slices.IsSorted(ties) {
		slices.Sort(ties)
	}
	for _, doc := range ties[:k-(len(dst)-before)] {
		dst = append(dst, Ranked{doc, least})
	}
	return dst
}
