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

// best returns the best k of some hits, and how many hits there are.
func (e *edit) best(hits []Hit, k int) (Result, int) {
	slices.SortFunc(hits, func(a, b Hit) int {
		switch {
		case e.ahead(a, b):
			return -1
		case e.ahead(b, a):
			return 1
		}
		return 0
	})
	return Result{Hits: hits[:max(0, min(k, len(hits)))]}, len(hits)
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
	var hits []Hit
	for doc := range y.every {
		bag := y.bag(doc)
		if score := s.scorer.scoreBag(&y.bags, &s.query, bag, len(bag)); score > 0 {
			hits = append(hits, Hit{int(doc), score})
		}
	}
	return y.edit.best(hits, k)
}

// searchLiteral is Search for the literal fallback.
func (y *editedIndex) searchLiteral(query string, k int) (found Result, scored int) {
	part := appendLower(nil, trim(query))
	var hits []Hit
	if !y.edit.gone && bytes.Contains(y.edit.name, part) {
		hits = append(hits, Hit{y.edit.doc, FallbackScore})
	}
	for doc := y.names.next(part, 0); doc < len(y.documents); doc = y.names.next(part, doc+1) {
		if doc != y.edit.doc {
			hits = append(hits, Hit{doc, FallbackScore})
		}
	}
	found, scored = y.edit.best(hits, k)
	found.Fallback = len(found.Hits) > 0
	return found, scored
}

// Search implements Edited.
func (y *editedGated) Search(query string, k int) (found Result, scored int) {
	s := y.acquire(query)
	defer y.x.release(s)
	var named, others []Hit
	for doc := range y.every {
		bag := y.bag(doc)
		switch {
		case s.named(doc):
			named = append(named, Hit{int(doc), s.scorer.scoreBag(&y.bags, &s.query, bag, len(bag))})
		case y.admits(s, doc):
			others = append(others, Hit{int(doc), s.scorer.scoreBag(&y.bags, &s.query, bag, len(bag))})
		}
	}
	found, scored = y.edit.best(named, k)
	for i := range found.Hits {
		found.Hits[i].Score += s.bonus(y.params)
	}
	rest, more := y.edit.best(others, k-len(found.Hits))
	found.Hits = append(found.Hits, rest.Hits...)
	return found, scored + more
}
