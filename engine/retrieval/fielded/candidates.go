package fielded

import (
	"encoding/binary"
	"slices"
)

// fewScanned is the most documents whose hits are kept. Of more documents, only
// the candidates are scanned again, so that the hits of the others need no memory.
const fewScanned = 1024

// spare bounds the error of a score by rounding in float64, in units of 2^-31 of
// the largest possible score. It is much less than one unit.
const spare = 1

// chooseCandidates scans the documents that can be among the k best and chooses
// the candidates, which are scored in full: the best by BM25F, and tools whose
// name is in the query. The candidates come first in scanned.
//
// The score of every other document (scoreBehind) is not above any
// candidate, even after the candidate has lost the most that it can lose to better
// ranks. So the list of the candidates, each by score and document, followed by the
// list of the others in the same order is sorted as a whole.
func (s *searcher) chooseCandidates(k int) {
	s.scanned, s.largest, s.forgot = s.scanned[:0], 0, false
	limit := s.x.recipe.Candidates
	s.firstStage(max(k, limit))
	found := len(s.scanned)
	for _, doc := range s.pinned {
		if !slices.ContainsFunc(s.scanned[:found], func(r scanned) bool { return r.doc == doc }) {
			s.scanned = append(s.scanned, s.scanDocument(doc))
		}
	}
	best := min(limit, len(s.scanned))
	for i := range s.scanned {
		s.scanned[i].behind = s.scoreBehind(s.scanned[i].bm25f)
	}
	selectFirst(s.scanned, best, compareBehind)
	for i := best; i < len(s.scanned) && len(s.pinned) > 0; i++ {
		if slices.Contains(s.pinned, s.scanned[i].doc) {
			s.scanned[i], s.scanned[best] = s.scanned[best], s.scanned[i]
			best++
		}
	}
	s.candidates = slices.Grow(s.candidates[:0], best)[:best]
	for i := range s.candidates {
		if s.forgot {
			behind := s.scanned[i].behind
			s.scanned[i] = s.scanDocument(s.scanned[i].doc)
			s.scanned[i].behind = behind
		}
		s.candidates[i] = candidate{scanned: s.scanned[i], sentence: -1}
	}
}

// firstStage scans the documents that can be among the k best by BM25F, and few
// others. The documents of a query of one term are remembered.
func (s *searcher) firstStage(k int) {
	if s.Terms() != 1 || k > s.x.recipe.Candidates {
		if !s.scanCrowded(k) {
			s.scanAll(s.Candidates(k, spare))
		}
		return
	}
	single := s.terms[slices.IndexFunc(s.terms, func(t term) bool { return t.idfWeight > 0 })].term
	s.crowd = binary.LittleEndian.AppendUint32(s.crowd[:0], single)
	docs, known := s.x.champions.Find(s.crowd)
	if !known {
		if docs = s.Candidates(k, spare); len(docs) <= fewScanned {
			s.x.champions.Keep(s.crowd, slices.Clone(docs))
		}
	}
	s.scanAll(docs)
}

// scanAll makes scanned the documents that can be among the k best.
func (s *searcher) scanAll(docs []uint32) {
	s.forgot = len(docs) > fewScanned
	if s.collectable(len(docs)) {
		n := len(s.scanned)
		s.prefetchTrigrams(docs)
		s.collect(docs)
		if s.forgot && n < len(s.scanned) {
			s.forget(s.scanned[n])
		}
		return
	}
	s.prefetch(docs)
	for _, doc := range docs {
		r := s.scanDocument(doc)
		if s.forgot {
			s.forget(r)
		}
		s.scanned = append(s.scanned, r)
		s.largest = max(s.largest, r.bm25f)
	}
}

// prefetch reads one number of every cache line of the records of docs, so that
// the processor loads many lines at the same time.
func (s *searcher) prefetch(docs []uint32) {
	for _, doc := range docs {
		r := s.x.documents[doc].record
		sum := uint32(s.x.stats[doc].norm)
		for i := 0; i < len(r); i += cacheLine {
			sum += r[i]
		}
		s.prefetched += sum
	}
}

const (
	cacheLine    = 16 // words
	trigramLines = 3  // of the trigrams of most tools
)

// prefetchTrigrams is prefetch for the parts read of a record whose terms are not: the
// header, and at the end the trigrams, which are on few cache lines.
func (s *searcher) prefetchTrigrams(docs []uint32) {
	for _, doc := range docs {
		r := s.x.documents[doc].record
		sum := uint32(s.x.stats[doc].norm)
		for i := len(r) - 1; i >= max(0, len(r)-trigramLines*cacheLine); i -= cacheLine {
			sum += r[i]
		}
		s.prefetched += sum + r[0]
	}
}

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

// compareBehind orders documents by their score when they are no candidates, then by
// document.
func compareBehind(a, b scanned) int { return compare(a.behind, b.behind, a.doc, b.doc) }

// compareScanned is compareBehind for documents where one may have no score yet.
func (s *searcher) compareScanned(a, b scanned) int {
	return compare(s.scoreBehind(a.bm25f), s.scoreBehind(b.bm25f), a.doc, b.doc)
}

// selectFirst moves the n elements that are first in an order to the front, in no
// order, by partitioning around the median of three (Hoare's Find, Communications of
// the ACM 4, 1961).
func selectFirst[E any](all []E, n int, compare func(a, b E) int) {
	for lo, hi := 0, len(all)-1; lo < hi; {
		mid := lo + (hi-lo)/2
		for _, p := range [][2]int{{mid, lo}, {hi, lo}, {hi, mid}} {
			if compare(all[p[0]], all[p[1]]) < 0 {
				all[p[0]], all[p[1]] = all[p[1]], all[p[0]]
			}
		}
		pivot := all[mid]
		i, j := lo, hi
		for i <= j {
			for compare(all[i], pivot) < 0 {
				i++
			}
			for compare(all[j], pivot) > 0 {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i++
				j--
			}
		}
		switch {
		case n-1 <= j:
			hi = j
		case n-1 >= i:
			lo = i
		default:
			return
		}
	}
}

// sortFirst sorts the n elements that are first in an order to the front.
func sortFirst[E any](all []E, n int, compare func(a, b E) int) {
	if n = max(0, n); n < len(all) {
		if n == 0 {
			return
		}
		selectFirst(all, n, compare)
		all = all[:n]
	}
	slices.SortFunc(all, compare)
}
