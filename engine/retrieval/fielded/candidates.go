package fielded

import (
	"cmp"
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
func (s *searcher) chooseCandidates(k int) {
	limit := s.x.recipe.Candidates
	most := max(k, limit)
	s.weighted = s.weighted[:0]
	for i := range s.terms {
		if t := &s.terms[i]; t.idfWeight > 0 {
			s.weighted = append(s.weighted, Weighted{Term: t.term, Weight: t.idfWeight})
		}
	}
	s.sums.AddBest(s.x.postings, s.weighted, most)
	s.largest = 0
	least := 0.0 // the BM25F from which on a document can be among the best
	if best := s.sums.Best(most); len(best) > 0 {
		s.largest = best[0].Score
		if len(best) == most {
			least = best[most-1].Score * (1 - nearlyEqual)
		}
	}
	s.sums.Begin(most)
	for _, doc := range s.sums.AtLeast(least) {
		s.sums.Offer(retrieval.Hit{Doc: int(doc), Score: s.scoreBehind(s.sums.Of(doc))})
	}
	best := s.sums.Sorted()
	s.candidates, s.rest = s.candidates[:0], s.rest[:0]
	for i, h := range best {
		if i < limit || slices.Contains(s.pinned, uint32(h.Doc)) {
			s.addCandidate(uint32(h.Doc))
		} else {
			s.rest = append(s.rest, h)
		}
	}
	for _, doc := range s.pinned {
		if !slices.ContainsFunc(best, func(h retrieval.Hit) bool { return h.Doc == int(doc) }) {
			s.addCandidate(doc)
		}
	}
}

// addCandidate adds a document to the candidates.
func (s *searcher) addCandidate(doc uint32) {
	s.candidates = append(s.candidates, candidate{scanned: s.scanDocument(doc), sentence: -1})
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
	return cmp.Or(cmp.Compare(b, a), int(docA)-int(docB))
}
