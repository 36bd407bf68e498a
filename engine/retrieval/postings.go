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
//
// The values of BM25 follow from few numbers, so that most are equal: a posting has the number of its value then.
// Where there are more than mostValues, whose list would not stay in the fastest memory, it has the value itself.
type Postings struct {
	starts  []int // of each term: its first posting; one longer than there are terms
	docs    []uint32
	numbers []uint16  // of the values, by posting; nil: each posting has its own value
	values  []float64 // by number, or by posting
	tallies []uint16  // that the values follow from; the lower bits of larger ones

	documents int
	common    []atomic.Pointer[common] // by term
	champions champions
}

// mostValues is how many values have numbers in each part of the documents, of which there are maxParts.
const (
	mostValues = 1 << valueBits
	valueBits  = 11
)

// NewPostings returns the postings of documents 0 to docs-1, whose terms are numbers below
// terms. of appends the distinct terms of a document and the tally of each, which is how often the document has
// it, or any number that tells it. norm returns the norm of a document, and value the value of a tally at a norm.
// They are called on all cores, more than once for a document. The only error is the context's.
func NewPostings(ctx context.Context, terms, docs int, of func(doc int, terms, tallies []uint32) ([]uint32, []uint32),
	norm func(doc int) float64, value func(tally uint32, norm float64) float64) (*Postings, error) {
	p := &Postings{starts: make([]int, terms+1), documents: docs, common: make([]atomic.Pointer[common], terms), champions: champions{seed: maphash.MakeSeed(), hits: map[string][]Hit{}}}
	parts := Parts(docs)
	begins := make([][]int, parts) // of each part: how many postings each term has, then where they begin
	for part := range begins {
		begins[part] = make([]int, terms)
	}
	err := Parallel(ctx, docs, parts, func(part, from, to int) {
		var ids, tallies []uint32
		for doc := from; doc < to; doc++ {
			ids, tallies = of(doc, ids[:0], tallies[:0])
			for _, id := range ids {
				begins[part][id]++
			}
		}
	})
	if err != nil {
		return nil, err
	}
	count := 0
	for id := range terms {
		p.starts[id] = count
		for part := range begins {
			begins[part][id], count = count, count+begins[part][id]
		}
	}
	p.starts[terms] = count
	p.docs, p.numbers = make([]uint32, count), make([]uint16, count)
	p.values, p.tallies = make([]float64, parts*mostValues), make([]uint16, parts*mostValues)
	// Each part numbers its values for itself, by the last one of each slot, which has its norm, one more than its tally and
	// its number. A value that has lost its slot is numbered again.
	next, free := make([][]int, parts), make([]int, parts)
	norms, known := make([][mostValues]float64, parts), make([][mostValues][2]uint32, parts)
	var many atomic.Bool
	write := func(part, from, to int) {
		var ids, tallies []uint32
		next, norms, known := next[part], &norms[part], &known[part]
		for doc := from; doc < to; doc++ {
			ids, tallies = of(doc, ids[:0], tallies[:0])
			norm := norm(doc)
			hash := uint32(math.Float64bits(norm) * 0x9e3779b97f4a7c15 >> 32)
			for i, id := range ids {
				at, tally := next[id], tallies[i]
				next[id]++
				p.docs[at] = uint32(doc)
				if p.numbers == nil {
					p.values[at], p.tallies[at] = value(tally, norm), uint16(tally)
					continue
				}
				slot := (hash + tally*0x9e3779b1) >> (32 - valueBits)
				if norms[slot] != norm || known[slot][0] != tally+1 {
					if free[part] == mostValues {
						many.Store(true)
						return
					}
					n := part*mostValues + free[part]
					free[part]++
					p.values[n], p.tallies[n] = value(tally, norm), uint16(tally)
					norms[slot], known[slot] = norm, [2]uint32{tally + 1, uint32(n)}
				}
				p.numbers[at] = uint16(known[slot][1])
			}
		}
	}
	for {
		for part := range begins {
			next[part] = slices.Clone(begins[part])
		}
		if err := Parallel(ctx, docs, parts, write); err != nil {
			return nil, err
		}
		if !many.Swap(false) {
			break
		}
		p.numbers, p.values, p.tallies = nil, make([]float64, count), make([]uint16, count)
	}
	if p.numbers != nil {
		end := (parts-1)*mostValues + free[parts-1]
		p.values, p.tallies = slices.Clone(p.values[:end]), slices.Clone(p.tallies[:end])
	}
	return p, nil
}

// value returns the value of a posting.
func (p *Postings) value(at int) float64 {
	if p.numbers == nil {
		return p.values[at]
	}
	return p.values[p.numbers[at]]
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

// Tally returns the tally of a term in the document at a place among Docs, which may be 65,535 at most.
func (p *Postings) Tally(id uint32, place int) uint16 {
	at := p.starts[id] + place
	if p.numbers == nil {
		return p.tallies[at]
	}
	return p.tallies[p.numbers[at]]
}

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
const fewShare = 4

// NewSums returns sums of docs documents, all 0.
func NewSums(docs int) Sums { return Sums{sums: make([]float64, docs)} }

// few reports whether the documents with a sum are listed.
func (s *Sums) few() bool { return s.read*fewShare <= len(s.sums) }

// Add adds a term that a document has, with a weight above 0. Terms are added in the order of the
// query, so that a sum is the same to the last bit as one that is computed for its document alone.
func (s *Sums) Add(p *Postings, id uint32, weight float64) {
	docs, sums := p.Docs(id), s.sums
	s.read += len(docs)
	few := s.few()
	if p.numbers == nil {
		values := p.values[p.starts[id]:][:len(docs)]
		for i, doc := range docs {
			if few && sums[doc] == 0 {
				s.found = append(s.found, doc)
			}
			sums[doc] += float64(weight * values[i])
		}
		return
	}
	numbers, values := p.numbers[p.starts[id]:][:len(docs)], p.values
	if few {
		found := s.found
		for i, doc := range docs {
			sum := sums[doc]
			if sum == 0 {
				found = append(found, doc)
			}
			sums[doc] = sum + float64(weight*values[numbers[i]])
		}
		s.found = found
		return
	}
	for i, doc := range docs {
		sums[doc] += float64(weight * values[numbers[i]])
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
		if len(s.found) > 2*k { // else to sort them all costs less
			s.offer(s.found, 0)
			return s.Sorted()
		}
		for _, doc := range s.found {
			s.best = append(s.best, Hit{int(doc), s.sums[doc]})
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

// offer offers documents whose sum is at least least.
func (s *Sums) offer(docs []uint32, least float64) {
	for _, doc := range docs {
		if sum := s.sums[doc]; sum >= least {
			if s.Offer(Hit{int(doc), sum}); len(s.best) == s.k {
				least = s.best[0].Score
			}
		}
	}
}

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
