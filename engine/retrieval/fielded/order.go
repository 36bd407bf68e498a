package fielded

import "slices"

// covering is how far the terms of the query are covered by better ranks. Its
// memory is used again by the next query.
type covering struct {
	most    []float64 // of each term, the most that it adds to the BM25F of a candidate
	covered []float64 // the share of it that a better rank has
}

// order brings the candidates in order, best first.
//
// A query of several sentences wants several things: what better ranks cover
// counts less below them. The best candidate has the first rank. A term is then
// covered as far as a rank above has of the most that the term adds to any
// candidate; and a candidate loses CoveredAbove times the share of its BM25F
// that the first Covering ranks cover. The best of the others has the next
// rank, so that scores never rise from rank to rank.
func (s *searcher) order() {
	s.ranking = s.ranking[:0]
	for i := range s.candidates {
		c := &s.candidates[i]
		s.ranking = append(s.ranking, ranked{c.score, c.doc, uint32(i)})
	}
	slices.SortFunc(s.ranking, compareRanked)
	if s.takes() == 0 {
		return
	}
	s.beginCovering()
	left := s.ranking
	for range min(s.x.recipe.Covering, len(left)) {
		best := &left[0]
		s.take(best)
		for i := range left[1:] {
			r := &left[1+i]
			if compareRanked(*r, *best) > 0 {
				continue // and would be so still: what is taken only grows
			}
			if s.take(r); compareRanked(*r, *best) < 0 {
				best = r
			}
		}
		s.coverBy(&s.candidates[best.candidate])
		left[0], *best = *best, left[0]
		left = left[1:]
	}
	for i := range left {
		s.take(&left[i])
	}
	slices.SortFunc(left, compareRanked)
}

// ranked is a candidate with a score so far.
type ranked struct {
	score          float64
	doc, candidate uint32
}

func compareRanked(a, b ranked) int { return compare(a.score, b.score, a.doc, b.doc) }

// beginCovering finds the most that each term adds.
func (s *searcher) beginCovering() {
	n := len(s.terms)
	s.most = slices.Grow(s.most[:0], n)[:n]
	s.covered = slices.Grow(s.covered[:0], n)[:n]
	clear(s.most)
	clear(s.covered)
	for i := range s.candidates {
		for _, h := range s.hitsOf(&s.candidates[i].reading) {
			s.most[h.place] = max(s.most[h.place], s.terms[h.place].share*h.saturation)
		}
	}
}

// coverBy covers the terms of a candidate.
func (s *searcher) coverBy(c *candidate) {
	for _, h := range s.hitsOf(&c.reading) {
		if most := s.most[h.place]; most > 0 {
			s.covered[h.place] = max(s.covered[h.place], s.terms[h.place].share*h.saturation/most)
		}
	}
}

// take sets what better ranks take from a candidate, and its score.
func (s *searcher) take(r *ranked) {
	c, sum := &s.candidates[r.candidate], 0.0
	for _, h := range s.hitsOf(&c.reading) {
		sum += float64(s.terms[h.place].share*h.saturation) * s.covered[h.place]
	}
	c.taken = -float64(c.score * float64(s.takes()*min(1, share(sum, c.bm25f))))
	r.score = c.final()
}
