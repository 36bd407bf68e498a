package fielded

import "slices"

// Many documents can be among the best by their sums when they are equal in what the
// query asks for: half of a catalog may have a frequent word once, in tools of the same
// length. They are not scanned. The postings and the norm tell the BM25F of a document,
// and of those with an equal BM25F only the first k in the order of documents can be
// among the k best.

// manyScores is the memory in which the BM25F of many documents is computed. It is used
// again by the next query.
type manyScores struct {
	norms, scores []float64 // by place in the list
	sorted        []float64
	equal         []uint32
}

// scoreMany computes the BM25F of documents, as sum does, and adds to scanned, without
// hits, those that can be among the k best. It reads the postings of the query with
// their notes, and no record.
func (s *searcher) scoreMany(docs []uint32, k int) {
	m := &s.manyScores
	m.norms = slices.Grow(m.norms[:0], len(docs))[:len(docs)]
	m.scores = slices.Grow(m.scores[:0], len(docs))[:len(docs)]
	clear(m.scores)
	for i, doc := range docs {
		m.norms[i] = s.x.stats[doc].norm
	}
	s.number(docs, s.x.Len())
	for i := range s.terms {
		weight := s.terms[i].idfWeight
		switch t := s.x.lists.Term(s.terms[i].term); {
		case t.DF == 0 || weight == 0:
		case t.Dense:
			notes := s.x.lists.DenseNotes(t)
			for place, doc := range docs {
				if note := notes[doc]; note > 0 {
					m.addScore(place, weight, s.frequencyOf(doc, s.terms[i].term, note), &s.x.recipe)
				}
			}
		default:
			having, notes := s.x.lists.SparseNotes(t)
			for j, doc := range having {
				if place := s.places[doc]; place > 0 {
					m.addScore(int(place-1), weight, s.frequencyOf(doc, s.terms[i].term, notes[j]), &s.x.recipe)
				}
			}
		}
	}
	s.forgetPlaces(docs)
	for _, score := range m.scores {
		s.largest = max(s.largest, score)
	}
	s.keepFirst(docs, k)
}

// addScore adds what a term adds to the BM25F of the document at a place.
func (m *manyScores) addScore(place int, weight, frequency float64, r *Recipe) {
	m.scores[place] += float64(weight * r.saturation(frequency, m.norms[place]))
}

// frequencyOf returns how often a document has a term, weighted by fields. note is that
// of the posting.
func (s *searcher) frequencyOf(doc, term uint32, note uint16) float64 {
	tally := uint32(note) - 1
	if tally == manyTallies-1 {
		tally = s.tallyOf(doc, term)
	}
	return s.x.presences[tally].frequency
}

// nearlyEqual is the share by which two scores differ that may be equal as scoreBehind
// rounds them.
const nearlyEqual = 1e-12

// keepFirst adds to scanned those documents of a list that can be among the k best by
// their scores: all that are better than the k-th, the first k that are equal to it, and
// those that rounding may make equal.
func (s *searcher) keepFirst(docs []uint32, k int) {
	m, kth := &s.manyScores, 0.0
	m.equal = m.equal[:0]
	if k < len(docs) {
		m.sorted = append(m.sorted[:0], m.scores...)
		selectFirst(m.sorted, k, func(a, b float64) int { return compare(a, b, 0, 0) })
		kth = slices.Min(m.sorted[:k])
	}
	for i, doc := range docs {
		switch score := m.scores[i]; {
		case score == kth:
			m.equal = append(m.equal, doc)
		case score >= kth*(1-nearlyEqual):
			s.scanned = append(s.scanned, scanned{doc: doc, bm25f: score})
		}
	}
	sortFirst(m.equal, k, func(a, b uint32) int { return int(a) - int(b) })
	for _, doc := range m.equal[:min(k, len(m.equal))] {
		s.scanned = append(s.scanned, scanned{doc: doc, bm25f: kth})
	}
}
