package fielded

import (
	"encoding/binary"
	"math"
	"slices"

	"caliper/engine/retrieval"
)

// scanCrowded is firstStage for a query with crowded terms, whose best documents are
// remembered (see OfCrowd of retrieval.Remembered): it scans these and the documents with another term. It
// reports false when the query has no crowded terms, when its other terms are in many
// documents, and when its crowded terms, with their weights, are asked for the first time.
func (s *searcher) scanCrowded(k int) bool {
	crowded, others := 0, 0
	for i := range s.terms {
		if t := &s.terms[i]; retrieval.Crowded(s.added(t)) {
			crowded += int(t.df)
		} else {
			others += int(s.added(t))
		}
	}
	if !retrieval.WorthCrowd(crowded, others) || s.Terms() > retrieval.MaxTerms {
		return false
	}
	s.crowd = binary.AppendUvarint(s.crowd[:0], uint64(k))
	for i := range s.terms {
		if t := &s.terms[i]; retrieval.Crowded(s.added(t)) {
			s.crowd = binary.LittleEndian.AppendUint32(s.crowd, t.term)
			s.crowd = binary.LittleEndian.AppendUint64(s.crowd, math.Float64bits(t.idfWeight))
		}
	}
	best, ok := s.x.crowds.OfCrowd(s.crowd, func() []uint32 { return s.searchCrowd(k) })
	if !ok {
		return false
	}
	s.holders = append(s.holders[:0], best...)
	for i := range s.terms {
		if t := &s.terms[i]; !retrieval.Crowded(s.added(t)) && s.added(t) > 0 {
			for doc := range s.x.lists.Postings(s.x.lists.Term(t.term)) {
				s.holders = append(s.holders, doc)
			}
		}
	}
	slices.Sort(s.holders)
	s.holders = slices.Compact(s.holders)
	s.scanAll(s.holders)
	return true
}

// added returns how many documents have a term, 0 for one that adds nothing to a score.
func (s *searcher) added(t *term) uint32 {
	if t.idfWeight == 0 {
		return 0
	}
	return t.df
}

// nearlyEqual is the share by which two scores differ that may be equal as scoreBehind
// rounds them.
const nearlyEqual = 1e-12

// searchCrowd returns the documents that can be among the k best by the crowded terms
// alone: firstStage's when the others weigh nothing, and of equal ones the first k.
func (s *searcher) searchCrowd(k int) []uint32 {
	terms := s.terms
	s.terms = slices.Clone(terms)
	for i := range s.terms {
		if t := &s.terms[i]; !retrieval.Crowded(s.added(t)) {
			t.idfWeight = 0
		}
	}
	s.addTerms()
	s.scanAll(s.Candidates(k, spare))
	slices.SortFunc(s.scanned, func(a, b scanned) int { return compare(a.bm25f, b.bm25f, a.doc, b.doc) })
	var docs []uint32
	for i, r := range s.scanned {
		if kth := s.scanned[min(i, k-1)].bm25f; i < k || r.bm25f < kth && r.bm25f >= kth*(1-nearlyEqual) {
			docs = append(docs, r.doc)
		}
	}
	s.terms, s.scanned, s.forgot, s.largest = terms, s.scanned[:0], false, 0
	s.addTerms()
	return docs
}
