package retrieval

import (
	"cmp"
	"context"
	"slices"
)

// Postings has the documents of each term, ascending, each with a value above 0: the score that
// the term adds to the document when it weighs 1 in a query. They never change.
type Postings struct {
	starts []int // of each term: its first posting; one longer than there are terms
	docs   []uint32
	values []float64
}

// NewPostings returns the postings of documents 0 to docs-1, whose terms are numbers below
// terms. of appends the distinct terms of a document and their values; it is asked twice. The
// only error is the context's.
func NewPostings(ctx context.Context, terms, docs int, of func(doc int, terms []uint32, values []float64) ([]uint32, []float64)) (*Postings, error) {
	p := &Postings{starts: make([]int, terms+1)}
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
	sums  []float64 // by document; 0 between queries
	found []uint32  // the documents with a sum, and one place more; the first n are valid
	n     int
	k     int
	best  []Hit // the best k so far: when there are k, a heap with the worst at its root
}

// NewSums returns sums of docs documents, all 0.
func NewSums(docs int) Sums { return Sums{sums: make([]float64, docs), found: make([]uint32, docs+1)} }

// Add adds a term that a document has, with a weight above 0. Terms are added in the order of the
// query, so that a sum is the same to the last bit as one that is computed for its document alone.
func (s *Sums) Add(p *Postings, id uint32, weight float64) {
	docs := p.Docs(id)
	values := p.values[p.starts[id]:][:len(docs)]
	sums, found, n := s.sums, s.found, s.n
	for i, doc := range docs {
		sum := sums[doc]
		sums[doc] = sum + float64(weight*values[i])
		found[n] = doc // a branch would often be mispredicted
		if sum == 0 {
			n++
		}
	}
	s.n = n
}

// AddTo is Add for some documents alone.
func (s *Sums) AddTo(docs []uint32, p *Postings, id uint32, weight float64) {
	all := p.Docs(id)
	for _, doc := range docs {
		if i, ok := slices.BinarySearch(all, doc); ok {
			s.Put(doc, s.sums[doc]+float64(weight*p.values[p.starts[id]+i]))
		}
	}
}

// Put sets the sum of a document to one above 0.
func (s *Sums) Put(doc uint32, sum float64) {
	if s.sums[doc] == 0 {
		s.found[s.n] = doc
		s.n++
	}
	s.sums[doc] = sum
}

// Set sets the sum of a document that has one or none.
func (s *Sums) Set(doc uint32, sum float64) {
	at := slices.Index(s.Found(), doc)
	if s.sums[doc] = sum; at < 0 && sum != 0 {
		s.found[s.n] = doc
		s.n++
	} else if at >= 0 && sum == 0 {
		s.n--
		s.found[at] = s.found[s.n]
	}
}

// Of returns the sum of a document, 0 when it has no term.
func (s *Sums) Of(doc uint32) float64 { return s.sums[doc] }

// Found returns the documents that have a sum, in no order, until the next call of Add or Clear.
func (s *Sums) Found() []uint32 { return s.found[:s.n] }

// Clear makes all sums 0.
func (s *Sums) Clear() {
	for _, doc := range s.Found() {
		s.sums[doc] = 0
	}
	s.n = 0
}

// Best returns the k documents with the largest sums, the largest first and equal ones in order:
// all that have a sum when they are fewer. They are overwritten by the next Best or Begin.
func (s *Sums) Best(k int) []Hit {
	s.Begin(k)
	for _, doc := range s.Found() {
		if sum := s.sums[doc]; len(s.best) < k || sum >= s.best[0].Score {
			s.Offer(Hit{int(doc), sum})
		}
	}
	return s.Sorted()
}

// Begin forgets all hits, to keep the k best of those that are offered then.
func (s *Sums) Begin(k int) { s.k, s.best = k, s.best[:0] }

// Wants reports whether a hit is among the best that were offered.
func (s *Sums) Wants(h Hit) bool {
	return len(s.best) < s.k || s.k > 0 && compareHits(h, s.best[0]) < 0
}

// Offer keeps a hit if it is among the best.
func (s *Sums) Offer(h Hit) {
	switch {
	case !s.Wants(h):
	case len(s.best) < s.k:
		if s.best = append(s.best, h); len(s.best) == s.k {
			for i := s.k/2 - 1; i >= 0; i-- {
				s.sink(i)
			}
		}
	default:
		s.best[0] = h
		s.sink(0)
	}
}

// sink restores the heap below i.
func (s *Sums) sink(i int) {
	for {
		worse := 2*i + 1
		if worse+1 < len(s.best) && compareHits(s.best[worse], s.best[worse+1]) < 0 {
			worse++
		}
		if worse >= len(s.best) || compareHits(s.best[i], s.best[worse]) >= 0 {
			return
		}
		s.best[i], s.best[worse], i = s.best[worse], s.best[i], worse
	}
}

// Worst returns the worst of the hits that are kept, once there are k.
func (s *Sums) Worst() (worst Hit, full bool) {
	if s.k == 0 || len(s.best) < s.k {
		return Hit{}, false
	}
	return s.best[0], true
}

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
