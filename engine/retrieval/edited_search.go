package retrieval

import (
	"bytes"
	"slices"
)

// A search of a changed catalog computes the score of every document from its bag:
// the impacts of the postings leave out documents that the change lets in. That costs
// one pass over the bags, which is still far less than an index of them.

// every yields the documents of the changed catalog.
func (b *bags) every(yield func(doc uint32) bool) {
	if !b.edit.gone && !yield(uint32(b.edit.doc)) {
		return
	}
	b.rivals(yield)
}

// bestOf collects the best k of the hits of a changed catalog.
//
// It keeps up to twice as many hits as are wanted. When they are as many, they are
// sorted and the worse half goes; from then on a hit that is not ahead of the last one
// left is not kept. So 100,000 hits of which 5 are wanted take the memory of 64, and
// most of them cost one comparison. Example: 2 are wanted and 4 fit. Of the scores
// 1, 5, 3, 2 are left 5 and 3; then 2 is dropped, and 4 is kept.
//
// Invariants:
//   - the hits are those that sorting all of them would put first, in that order;
//   - scored counts every hit, kept or not.
type bestOf struct {
	e      *edit
	k      int
	hits   []Hit
	cut    bool // hits[k-1] was the last one left, and no hit behind it can be wanted
	scored int
}

// leastKept is how many hits are kept at least before they are sorted.
const leastKept = 64

// add adds a hit.
func (b *bestOf) add(h Hit) {
	b.scored++
	if b.k <= 0 || b.cut && !b.e.ahead(h, b.hits[b.k-1]) {
		return
	}
	b.hits = append(b.hits, h)
	if n := len(b.hits); n >= leastKept && n/2 >= b.k {
		b.sort()
		b.cut = true
	}
}

// sort leaves the best k, in order.
func (b *bestOf) sort() {
	slices.SortFunc(b.hits, func(x, y Hit) int {
		switch {
		case b.e.ahead(x, y):
			return -1
		case b.e.ahead(y, x):
			return 1
		}
		return 0
	})
	b.hits = b.hits[:max(0, min(b.k, len(b.hits)))]
}

// result returns the best hits and how many there were.
func (b *bestOf) result() (Result, int) {
	b.sort()
	return Result{Hits: b.hits}, b.scored
}

// Search implements Edited.
func (y *editedIndex) Search(query string, k int) (found Result, scored int) {
	s := y.x.acquireFor(&y.bags, query)
	defer y.x.release(s)
	switch {
	case s.tokens == 0:
		return Result{}, 0
	case len(s.terms) == 0:
		return y.searchLiteral(query, k)
	}
	best := bestOf{e: y.edit, k: k}
	for doc := range y.every {
		bag := y.bag(doc)
		if score := s.scorer.scoreBag(&y.bags, &s.query, bag); score > 0 {
			best.add(Hit{int(doc), score})
		}
	}
	return best.result()
}

// searchLiteral is Search for the literal fallback.
func (y *editedIndex) searchLiteral(query string, k int) (found Result, scored int) {
	part := appendLower(nil, trim(query))
	best := bestOf{e: y.edit, k: k}
	if !y.edit.gone && bytes.Contains(y.edit.name, part) {
		best.add(Hit{y.edit.doc, FallbackScore})
	}
	for doc := y.names.next(part, 0); doc < len(y.documents); doc = y.names.next(part, doc+1) {
		if doc != y.edit.doc {
			best.add(Hit{doc, FallbackScore})
		}
	}
	found, scored = best.result()
	found.Fallback = len(found.Hits) > 0
	return found, scored
}

// Search implements Edited.
func (y *editedGated) Search(query string, k int) (found Result, scored int) {
	s := y.acquire(query)
	defer y.x.release(s)
	named, others := bestOf{e: y.edit, k: k}, bestOf{e: y.edit, k: k}
	for doc := range y.every {
		bag := y.bag(doc)
		switch {
		case s.named(doc):
			named.add(Hit{int(doc), s.scorer.scoreBag(&y.bags, &s.query, bag)})
		case y.admits(s, doc):
			others.add(Hit{int(doc), s.scorer.scoreBag(&y.bags, &s.query, bag)})
		}
	}
	found, scored = named.result()
	rest, more := others.result()
	found.Hits = append(found.Hits, rest.Hits[:max(0, min(k-len(found.Hits), len(rest.Hits)))]...)
	return found, scored + more
}
