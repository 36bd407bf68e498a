package fielded

import (
	"cmp"
	"math"
	"slices"

	"caliper/engine/retrieval"
)

// chooseCandidates finds the documents that are the best k by BM25F, and chooses the candidates,
// which are scored in full: the best of these, and tools whose name is in the query. The others
// are in rest, best first.
//
// The score of every other document (scoreBehind) is not above any
// candidate, even after the candidate has lost the most that it can lose to better
// ranks. So the list of the candidates, each by score and document, followed by the
// list of the others in the same order is sorted as a whole.
//
// Few documents are compared with each other. Sums are counted by steps (reached): first those
// of the heaviest terms, which tell a sum that the best have at least, then all that have it. What is
// above the last step that is needed is among the best; only those on it are put in order.
func (s *searcher) chooseCandidates(k int) {
	limit := s.x.recipe.Candidates
	most, whole := max(k, limit), 0.0 // all sums are below whole
	s.weighted = s.weighted[:0]
	for i := range s.terms {
		if t := &s.terms[i]; t.idfWeight > 0 {
			s.weighted = append(s.weighted, Weighted{Term: t.term, Weight: t.idfWeight})
			whole += t.idfWeight * (s.x.recipe.K1 + 1)
		}
	}
	total := 0
	for _, t := range s.weighted {
		total += s.x.postings.DF(t.Term)
	}
	if len(s.weighted) == 1 || total >= manyPostings {
		s.sums.AddBest(s.x.postings, s.weighted, most)
	} else {
		for _, t := range s.weighted {
			s.sums.Add(s.x.postings, t.Term, t.Weight)
		}
	}
	scale := steps / whole
	step := s.reached(s.heaviest(2*most), most, scale)
	docs := s.sums.AtLeast(float64(step) / scale * (1 - nearlyEqual))
	s.largest = 0
	for _, doc := range docs {
		s.largest = max(s.largest, s.sums.Of(doc))
	}
	step = s.reached(docs, most, scale)
	possible, certain := float64(step)/scale*(1-nearlyEqual), float64(step+1)/scale*(1+nearlyEqual)
	if k > limit {
		certain = math.Inf(1) // all are put in order
	}
	s.chosen, s.rest = s.chosen[:0], s.rest[:0]
	s.sums.Begin(most)
	for _, doc := range docs {
		switch sum := s.sums.Of(doc); {
		case sum >= certain:
			s.chosen = append(s.chosen, doc)
		case sum >= possible:
			s.sums.Offer(retrieval.Hit{Doc: int(doc), Score: s.scoreBehind(sum)})
		}
	}
	best := s.sums.Sorted()
	for _, h := range best[:min(len(best), most-len(s.chosen))] {
		if len(s.chosen) < limit || slices.Contains(s.pinned, uint32(h.Doc)) {
			s.chosen = append(s.chosen, uint32(h.Doc))
		} else {
			s.rest = append(s.rest, h)
		}
	}
	for _, doc := range s.pinned {
		if !slices.Contains(s.chosen, doc) {
			s.chosen = append(s.chosen, doc)
		}
	}
	s.scanChosen()
}

// heaviest returns n documents that have the heaviest terms of the query, or some more; fewer where
// fewer have a term. It sorts weighted.
func (s *searcher) heaviest(n int) []uint32 {
	const most = 8 // times n documents of one term
	slices.SortFunc(s.weighted, func(a, b Weighted) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Term, b.Term))
	})
	s.chosen = s.chosen[:0]
	for i, t := range s.weighted {
		docs := s.x.postings.Docs(t.Term)
		if docs = docs[:min(len(docs), n*most)]; i == 0 && len(docs) >= n {
			return docs
		}
		for _, doc := range docs {
			if s.places[doc] == 0 {
				s.places[doc] = 1
				s.chosen = append(s.chosen, doc)
			}
		}
		if len(s.chosen) >= n {
			break
		}
	}
	for _, doc := range s.chosen {
		s.places[doc] = 0
	}
	return s.chosen
}

const (
	steps        = 1024    // by which sums are counted, up to the largest possible sum
	manyPostings = 1 << 16 // of a query; to add fewer costs less than to choose what to add
)

// reached returns the highest step that the sums of n documents of a list reach; 0 when the list
// has fewer.
func (s *searcher) reached(docs []uint32, n int, scale float64) int {
	var counts [steps]uint32
	for _, doc := range docs {
		counts[min(steps-1, uint(s.sums.Of(doc)*scale))]++
	}
	for step := steps - 1; step > 0; step-- {
		if n -= int(counts[step]); n <= 0 {
			return step
		}
	}
	return 0
}

// addTerms adds up the BM25F of all documents, term by term in the order of the query.
func (s *searcher) addTerms() {
	for i := range s.terms {
		if t := &s.terms[i]; t.idfWeight > 0 {
			s.sums.Add(s.x.postings, t.term, t.idfWeight)
		}
	}
	s.largest = 0
	for _, doc := range s.sums.AtLeast(0) {
		s.largest = max(s.largest, s.sums.Of(doc))
	}
}

// nearlyEqual is the share by which two scores differ that may be equal when they are rounded.
const nearlyEqual = 1e-12

// scoreBehind returns the score of a document that is no candidate: BM25F alone,
// less the most that a candidate can lose to better ranks.
func (s *searcher) scoreBehind(bm25f float64) float64 {
	if s.largest == 0 {
		return 0
	}
	base := bm25f / s.largest
	return base - float64(base*s.maxPenalty())
}

// maxPenalty returns the largest share of its score that a candidate can lose to
// better ranks.
func (s *searcher) maxPenalty() float64 {
	if s.sentences == 0 {
		return 0
	}
	return s.x.recipe.CoveredAbove
}

// compare orders by score, the highest first, then by document.
func compare(a, b float64, docA, docB uint32) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return int(docA) - int(docB)
}
