package fielded

import "slices"

// fewReadings is how many documents are read once; of more, the candidates are
// read again, so that the hits of the others need not be kept.
const fewReadings = 1024

// spare bounds what rounding does to a score, in units of 2^-31 of the largest
// possible: much less than one.
const spare = 1

// choose reads the documents that can be among the k best, and makes those
// candidates that are to be scored in full: the best by BM25F, and tools whose
// name the query has. Readings of candidates come first.
//
// Every other document has a score (behind) that is not above that of any
// candidate, whatever better ranks take from these: so that the candidates in
// their order and the others in theirs are one order by score, then document.
func (s *searcher) choose(k int) {
	s.readings, s.largest = s.readings[:0], 0
	limit := s.x.recipe.Candidates
	docs := s.firstStage(max(k, limit))
	s.prefetch(docs)
	for _, doc := range docs {
		r := s.readDocument(doc)
		if len(docs) > fewReadings {
			s.forget(r)
		}
		s.readings = append(s.readings, r)
		s.largest = max(s.largest, r.bm25f)
	}
	for _, doc := range s.pinned {
		if !slices.Contains(docs, doc) {
			s.readings = append(s.readings, s.readDocument(doc))
		}
	}
	best := min(limit, len(s.readings))
	s.selectBest(s.readings, best)
	for i := best; i < len(s.readings) && len(s.pinned) > 0; i++ {
		if slices.Contains(s.pinned, s.readings[i].doc) {
			s.readings[i], s.readings[best] = s.readings[best], s.readings[i]
			best++
		}
	}
	s.candidates = slices.Grow(s.candidates[:0], best)[:best]
	for i := range s.candidates {
		if len(docs) > fewReadings {
			s.readings[i] = s.readDocument(s.readings[i].doc)
		}
		s.candidates[i] = candidate{reading: s.readings[i], piece: -1}
	}
}

// firstStage returns the documents that can be among the k best by BM25F, and
// few others. Those of single terms are remembered.
func (s *searcher) firstStage(k int) []uint32 {
	if s.Terms() != 1 || k > s.x.recipe.Candidates {
		return s.Candidates(k, spare)
	}
	single := s.terms[slices.IndexFunc(s.terms, func(t term) bool { return t.share > 0 })].id
	remembered, room := s.x.champions.Find(single)
	if remembered != nil {
		return remembered
	}
	docs := s.Candidates(k, spare)
	if room && len(docs) <= fewReadings {
		s.x.champions.Keep(single, slices.Clone(docs))
	}
	return docs
}

// prefetch reads a word of every line of some documents, so that the machine
// waits for many of them at a time.
func (s *searcher) prefetch(docs []uint32) {
	for _, doc := range docs {
		r := s.x.documents[doc].record
		sum := uint32(s.x.facts[doc].norm)
		for i := 0; i < len(r); i += cacheLine {
			sum += r[i]
		}
		s.prefetched += sum
	}
}

const cacheLine = 16 // words

// behind is the score of a document that is no candidate: what BM25F alone
// gives, as if better ranks took all they can.
func (s *searcher) behind(bm25f float64) float64 {
	if s.largest == 0 {
		return 0
	}
	base := bm25f / s.largest
	return base - float64(base*s.takes())
}

// takes is the share of a score that better ranks can take.
func (s *searcher) takes() float64 {
	if s.pieces == 0 {
		return 0
	}
	return s.x.recipe.CoveredAbove
}

// compare orders by score, then document.
func compare(a, b float64, docA, docB uint32) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return int(docA) - int(docB)
}

// compareReadings orders documents by what BM25F alone gives them.
func (s *searcher) compareReadings(a, b *reading) int {
	return compare(s.behind(a.bm25f), s.behind(b.bm25f), a.doc, b.doc)
}

// selectBest brings the n best readings to the front, in no order, by
// partitioning around the median of three (Hoare's find).
func (s *searcher) selectBest(all []reading, n int) {
	for lo, hi := 0, len(all)-1; lo < hi; {
		mid := lo + (hi-lo)/2
		for _, p := range [][2]int{{mid, lo}, {hi, lo}, {hi, mid}} {
			if s.compareReadings(&all[p[0]], &all[p[1]]) < 0 {
				all[p[0]], all[p[1]] = all[p[1]], all[p[0]]
			}
		}
		pivot := all[mid]
		i, j := lo, hi
		for i <= j {
			for s.compareReadings(&all[i], &pivot) < 0 {
				i++
			}
			for s.compareReadings(&all[j], &pivot) > 0 {
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
