package fielded

import "slices"

// scan reads documents for a query. Its memory is used again by the next one.
type scan struct {
	held       []holding // of each term of the query in the document; zero between documents
	touched    []uint32  // places of the terms that it holds
	paired     []float64 // weighted frequency of each pair of the query; 0 between documents
	touchedTwo []uint32  // pairs that it has
	hits       []hit
	neighbours []neighbour
}

// holding is how a document holds a term.
type holding struct {
	frequency float64 // weighted by fields
	count     uint32
	fields    fieldSet
}

// fieldSet is a set of fields.
type fieldSet uint8

func (s fieldSet) has(f Field) bool { return s>>f&1 != 0 }

// hit is a term of the query that a document holds.
type hit struct {
	place      uint32 // in terms
	count      uint32
	fields     fieldSet
	saturation float64
}

// neighbour is a pair of the query that a document has.
type neighbour struct {
	pair  uint32
	value float64
}

// reading is what was read of a document.
type reading struct {
	doc        uint32
	bm25f      float64
	hits       span
	neighbours span
}

// span is a part of a list.
type span struct{ from, to uint32 }

// begin makes room for a query.
func (s *scan) begin(q *query) {
	s.held = slices.Grow(s.held[:0], len(q.terms))[:len(q.terms)]
	s.paired = slices.Grow(s.paired[:0], len(q.pairs))[:len(q.pairs)]
	s.hits, s.neighbours = s.hits[:0], s.neighbours[:0]
}

// forget drops the hits of the last readings.
func (s *scan) forget(r reading) {
	s.hits, s.neighbours = s.hits[:r.hits.from], s.neighbours[:r.neighbours.from]
}

// readDocument reads a document: its hits, in the order of terms; its pairs;
// and its BM25F, the sum of share times saturation over the hits.
func (s *searcher) readDocument(doc uint32) reading {
	s.touch(s.x.documents[doc].record)
	norm := s.x.facts[doc].norm
	r := reading{doc: doc, hits: span{from: uint32(len(s.hits))}, neighbours: span{from: uint32(len(s.neighbours))}}
	sortPlaces(s.touched)
	for _, place := range s.touched {
		h := &s.held[place]
		saturation := s.x.recipe.saturation(h.frequency, norm)
		s.hits = append(s.hits, hit{place, h.count, h.fields, saturation})
		r.bm25f += float64(s.terms[place].share * saturation)
		*h = holding{}
	}
	sortPlaces(s.touchedTwo)
	for _, i := range s.touchedTwo {
		p := &s.pairs[i]
		v := s.paired[i] / norm
		idf := s.terms[p.first].idf + s.terms[p.second].idf
		s.neighbours = append(s.neighbours, neighbour{i, idf * (v / (s.x.recipe.K1 + v))})
		s.paired[i] = 0
	}
	r.hits.to, r.neighbours.to = uint32(len(s.hits)), uint32(len(s.neighbours))
	return r
}

// touch finds the terms and pairs of the query in a record.
func (s *searcher) touch(r record) {
	s.touched, s.touchedTwo = s.touched[:0], s.touchedTwo[:0]
	tokens := r.tokens()
	for f := range fields {
		weight, last := s.x.recipe.Fields[f], int32(-1)
		for i, to := r.span(f); i < to; i++ {
			token := tokens[i]
			if token&again != 0 {
				token = tokens[token&unmarked]
			}
			id := token & unmarked
			if !s.places.mayHold(id) {
				last = -1
				continue
			}
			place := s.places.find(id)
			if place < 0 {
				last = -1
				continue
			}
			h := &s.held[place]
			if h.count == 0 {
				s.touched = append(s.touched, uint32(place))
			}
			h.frequency += weight
			h.count++
			h.fields |= 1 << f
			if f > Description {
				continue
			}
			if last >= 0 {
				if pair := s.pairOf(last, uint32(place)); pair >= 0 {
					if s.paired[pair] == 0 {
						s.touchedTwo = append(s.touchedTwo, uint32(pair))
					}
					s.paired[pair] += weight
				}
			}
			last = int32(place)
		}
	}
}

// sortPlaces sorts a few numbers.
func sortPlaces(places []uint32) {
	if len(places) > 24 {
		slices.Sort(places)
		return
	}
	for i := 1; i < len(places); i++ {
		for j := i; j > 0 && places[j] < places[j-1]; j-- {
			places[j], places[j-1] = places[j-1], places[j]
		}
	}
}

// hitsOf returns the hits of a reading.
func (s *scan) hitsOf(r *reading) []hit { return s.hits[r.hits.from:r.hits.to] }

// neighboursOf returns the pairs of a reading.
func (s *scan) neighboursOf(r *reading) []neighbour {
	return s.neighbours[r.neighbours.from:r.neighbours.to]
}
