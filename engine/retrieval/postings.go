package retrieval

import (
	"cmp"
	"context"
	"hash/maphash"
	"math"
	"slices"
	"sync/atomic"
)

// Postings has the documents of each term, ascending, each with a value above 0: the score that
// the term adds to the document when it weighs 1 in a query. They never change.
type Postings struct {
	starts []int // of each term: its first posting; one longer than there are terms
	docs   []uint32
	values []float64

	documents int
	common    []atomic.Pointer[common] // by term
	champions champions
}

// NewPostings returns the postings of documents 0 to docs-1, whose terms are numbers below
// terms. of appends the distinct terms of a document and their values; it is asked twice. The
// only error is the context's.
func NewPostings(ctx context.Context, terms, docs int, of func(doc int, terms []uint32, values []float64) ([]uint32, []float64)) (*Postings, error) {
	p := &Postings{starts: make([]int, terms+1), documents: docs, common: make([]atomic.Pointer[common], terms), champions: champions{seed: maphash.MakeSeed(), hits: map[string][]Hit{}}}
	var ids []uint32
	var values []float64
	for doc := range docs {
		if doc%batch == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ids, values = of(doc, ids[:0], values[:0])
		for _, id := range ids {
			p.starts[id+1]++
		}
	}
	for id := range terms {
		p.starts[id+1] += p.starts[id]
	}
	p.docs, p.values = make([]uint32, p.starts[terms]), make([]float64, p.starts[terms])
	next := slices.Clone(p.starts)
	for doc := range docs {
		if doc%batch == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ids, values = of(doc, ids[:0], values[:0])
		for i, id := range ids {
			p.docs[next[id]], p.values[next[id]] = uint32(doc), values[i]
			next[id]++
		}
	}
	return p, nil
}

// DF returns how many documents have a term; 0 for one that was numbered after the postings were
// made.
func (p *Postings) DF(id uint32) int {
	if int(id) >= len(p.starts)-1 {
		return 0
	}
	return p.starts[id+1] - p.starts[id]
}

// Docs returns the documents of a term that at least one has. They must not be changed.
func (p *Postings) Docs(id uint32) []uint32 { return p.docs[p.starts[id]:p.starts[id+1]] }

// Sums has the sum of each document over the terms of one query, and the best of them.
type Sums struct {
	sums      []float64  // by document; 0 between queries
	read      int        // postings that were added
	found     []uint32   // the documents with a sum, while few postings were added
	some      []uint32   // those of found that AtLeast returned
	commonKey []byte     // the common terms of a query and their weights, see addChampions
	sorted    []Weighted // the common terms of a query, the rarest first, see addRarest
	k         int
	best      []Hit // the best k so far: when there are k, a heap with the worst at its root
}

// fewShare: a list of the documents that have a sum pays while the postings are so small a part of
// all documents, else each document is looked at.
const fewShare = 8

// NewSums returns sums of docs documents, all 0.
func NewSums(docs int) Sums { return Sums{sums: make([]float64, docs)} }

// few reports whether the documents with a sum are listed.
func (s *Sums) few() bool { return s.read*fewShare <= len(s.sums) }

// Add adds a term that a document has, with a weight above 0. Terms are added in the order of the
// query, so that a sum is the same to the last bit as one that is computed for its document alone.
func (s *Sums) Add(p *Postings, id uint32, weight float64) {
	docs := p.Docs(id)
	values := p.values[p.starts[id]:][:len(docs)]
	sums := s.sums
	if s.read += len(docs); !s.few() {
		for i, doc := range docs {
			sums[doc] += float64(weight * values[i])
		}
		return
	}
	for i, doc := range docs {
		if sums[doc] == 0 {
			s.found = append(s.found, doc)
		}
		sums[doc] += float64(weight * values[i])
	}
}

// Set sets the sum of a document.
func (s *Sums) Set(doc uint32, sum float64) {
	if s.sums[doc] == 0 && sum != 0 && s.few() {
		s.found = append(s.found, doc)
	}
	s.sums[doc] = sum
}

// Of returns the sum of a document, 0 when it has no term.
func (s *Sums) Of(doc uint32) float64 { return s.sums[doc] }

// AtLeast returns the documents that have a sum of at least least, in no order, until the next call of Add, Set,
// AtLeast or Clear.
func (s *Sums) AtLeast(least float64) []uint32 {
	least = max(least, math.SmallestNonzeroFloat64)
	if s.few() {
		s.some = s.some[:0]
		for _, doc := range s.found { // which Clear needs whole
			if s.sums[doc] >= least {
				s.some = append(s.some, doc)
			}
		}
		return s.some
	}
	s.found = s.found[:0]
	above := math.Nextafter(least, 0)
	for doc := next(s.sums, 0, above); doc < len(s.sums); doc = next(s.sums, doc+1, above) {
		s.found = append(s.found, uint32(doc))
	}
	return s.found
}

// next returns the first document, from one on, whose sum is above least, or the length of sums.
func next(sums []float64, from int, least float64) int {
	doc := from
	for ; doc+8 <= len(sums); doc += 8 {
		e := sums[doc : doc+8 : doc+8] // one check of bounds for all
		if e[0] > least || e[1] > least || e[2] > least || e[3] > least ||
			e[4] > least || e[5] > least || e[6] > least || e[7] > least {
			break
		}
	}
	for doc < len(sums) && sums[doc] <= least {
		doc++
	}
	return doc
}

// Clear makes all sums 0.
func (s *Sums) Clear() {
	if s.few() {
		for _, doc := range s.found {
			s.sums[doc] = 0
		}
	} else {
		clear(s.sums)
	}
	s.read, s.found = 0, s.found[:0]
}

// Best returns the k documents with the largest sums, the largest first and equal ones in order:
// all that have a sum when they are fewer. They are overwritten by the next Best or Begin.
func (s *Sums) Best(k int) []Hit {
	s.Begin(k)
	if s.few() {
		heap := len(s.found) > 2*k // else to sort them all costs less
		for _, doc := range s.found {
			if h := (Hit{int(doc), s.sums[doc]}); heap {
				s.Offer(h)
			} else {
				s.best = append(s.best, h)
			}
		}
		hits := s.Sorted()
		return hits[:min(k, len(hits))]
	}
	least := 0.0
	for doc := next(s.sums, 0, least); doc < len(s.sums); doc = next(s.sums, doc+1, least) {
		if s.Offer(Hit{doc, s.sums[doc]}); len(s.best) == k {
			least = s.best[0].Score
		}
	}
	return s.Sorted()
}

// Begin forgets all hits, to keep the k best of those that are offered then.
func (s *Sums) Begin(k int) { s.k, s.best = k, s.best[:0] }

// Wants reports whether a hit is among the best that were offered.
func (s *Sums) Wants(h Hit) bool { return len(s.best) < s.k || s.k > 0 && behind(s.best[0], h) }

// Offer keeps a hit if it is among the best.
func (s *Sums) Offer(h Hit) {
	switch {
	case !s.Wants(h):
	case len(s.best) < s.k:
		if s.best = append(s.best, h); len(s.best) == s.k {
			for i := s.k/2 - 1; i >= 0; i-- {
				s.sink(s.best[i], i)
			}
		}
	default:
		s.sink(h, 0)
	}
}

// sink puts a hit at i of the heap, or below it.
func (s *Sums) sink(h Hit, i int) {
	best := s.best
	for {
		worse := 2*i + 1
		if worse+1 < len(best) && behind(best[worse+1], best[worse]) {
			worse++
		}
		if worse >= len(best) || !behind(best[worse], h) {
			best[i] = h
			return
		}
		best[i], i = best[worse], worse
	}
}

// behind reports whether a hit stands behind another.
func behind(a, b Hit) bool { return a.Score < b.Score || a.Score == b.Score && a.Doc > b.Doc }

// Sorted returns the hits that are kept, best first. No hit can be offered behind it.
func (s *Sums) Sorted() []Hit {
	slices.SortFunc(s.best, compareHits)
	return s.best
}

// compareHits orders hits by score, the highest first, then by document.
func compareHits(a, b Hit) int {
	switch {
	case a.Score > b.Score:
		return -1
	case a.Score < b.Score:
		return 1
	}
	return cmp.Compare(a.Doc, b.Doc)
}
