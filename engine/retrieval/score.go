package retrieval

import "slices"

// scorer computes exact scores of one query. Its memory is used again by the
// next one.
type scorer struct {
	counts        []uint32  // frequency of each term of the query in the document; 0 between documents
	contributions []float64 // of each term to the document's score
}

// begin makes room for a query of n terms.
func (s *scorer) begin(n int) {
	s.counts = slices.Grow(s.counts[:0], n)[:n]
	s.contributions = slices.Grow(s.contributions[:0], n)[:n]
}

// score returns the score of a document: the sum of the contributions of the
// query's tokens, repeats counted, added in the order of the query. Adding 0
// changes no float, so that tokens the catalog lacks may be left out.
func (s *scorer) score(b *bags, q *query, doc uint32) float64 {
	tokens := b.documents[doc]
	for _, id := range tokens {
		if q.mayHold(id) {
			if place := q.place(id); place >= 0 {
				s.counts[place]++
			}
		}
	}
	norm := b.params.lengthNorm(len(tokens), b.avgdl)
	for place, tf := range s.counts {
		s.contributions[place] = 0
		if tf > 0 {
			s.contributions[place] = q.terms[place].idf * b.params.tfNorm(int(tf), norm)
			s.counts[place] = 0
		}
	}
	sum := 0.0
	for _, place := range q.order {
		sum += s.contributions[place]
	}
	return sum
}
