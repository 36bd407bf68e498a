package fielded

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"

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
	s.addBest(max(k, limit))
	s.sums.Begin(max(k, limit))
	least := 0.0 // the BM25F from which on a document can be among the best
	for _, doc := range s.sums.Found() {
		bm25f := s.sums.Of(doc)
		if bm25f < least {
			continue
		}
		s.sums.Offer(retrieval.Hit{Doc: int(doc), Score: s.scoreBehind(bm25f)})
		if worst, full := s.sums.Worst(); full {
			least = worst.Score * s.largest / (1 - s.maxPenalty()) * (1 - nearlyEqual)
		}
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
	s.findLargest()
}

func (s *searcher) findLargest() {
	s.largest = 0
	for _, doc := range s.sums.Found() {
		s.largest = max(s.largest, s.sums.Of(doc))
	}
}

// champions has the best documents by the common words of queries alone, with their BM25F.
type champions struct {
	mu   sync.Mutex
	hits map[string][]retrieval.Hit // by the terms and their weights
}

const (
	championHits  = 512 // of a list; far more than the candidates
	championShare = 64  // a term is common when one of so many documents has it
	mostChampions = 64  // lists, of 8 KB each
)

func (s *searcher) isCommon(t *term) bool { return s.x.postings.DF(t.term)*championShare >= s.x.Len() }

// addBest is addTerms for what can be among the best n documents, where that is less to read: the
// champions of the common terms and the documents with a rarer one. No other is before a
// champion, which its rarer terms only lift. So a catalog of equal texts is not added up anew for
// every query.
func (s *searcher) addBest(n int) {
	s.crowd, s.some = s.crowd[:0], append(s.some[:0], s.pinned...)
	common, rare := 0, len(s.pinned)
	for i := range s.terms {
		switch t := &s.terms[i]; {
		case t.idfWeight <= 0:
		case s.isCommon(t):
			s.crowd = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(s.crowd, t.term), math.Float64bits(t.idfWeight))
			common += s.x.postings.DF(t.term)
		default:
			rare += s.x.postings.DF(t.term)
		}
	}
	const lookUp = 32 // of one document in the postings of the common terms, in postings
	if s.x.champions == nil || len(s.crowd) == 0 || n > championHits || (rare*len(s.terms)+championHits)*lookUp > common {
		s.addTerms()
		return
	}
	hits := s.commonHits()
	for i := range s.terms {
		if t := &s.terms[i]; t.idfWeight > 0 && !s.isCommon(t) {
			s.some = append(s.some, s.x.postings.Docs(t.term)...)
		}
	}
	slices.Sort(s.some)
	s.some = slices.Compact(s.some)
	for i := range s.terms {
		if t := &s.terms[i]; t.idfWeight > 0 {
			s.sums.AddTo(s.some, s.x.postings, t.term, t.idfWeight)
		}
	}
	for _, h := range hits {
		if s.sums.Of(uint32(h.Doc)) == 0 {
			s.sums.Put(uint32(h.Doc), h.Score)
		}
	}
	s.findLargest()
}

// commonHits returns the champions of the common terms of the query.
func (s *searcher) commonHits() []retrieval.Hit {
	c := s.x.champions
	c.mu.Lock()
	defer c.mu.Unlock()
	hits, known := c.hits[string(s.crowd)]
	if !known {
		for i := range s.terms {
			if t := &s.terms[i]; t.idfWeight > 0 && s.isCommon(t) {
				s.sums.Add(s.x.postings, t.term, t.idfWeight)
			}
		}
		hits = slices.Clone(s.sums.Best(championHits))
		s.sums.Clear()
		if len(c.hits) == mostChampions {
			clear(c.hits)
		}
		c.hits[string(s.crowd)] = hits
	}
	return hits
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
