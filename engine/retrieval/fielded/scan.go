package fielded

import "slices"

// hit is a term of the query that a document has.
type hit struct {
	term       uint32 // its index in the terms of the query
	tally      uint32 // the number of its tally, see Index.presences
	saturation float64
}

// pairHit is a pair of the query that a document has.
type pairHit struct {
	pair  uint32
	value float64
}

// scanned is a document with what was found in it.
type scanned struct {
	doc      uint32
	bm25f    float64
	hits     span
	pairHits span

	description float64 // weight times idf of the terms that the description has
	name        float64 // the same for the name, without expansions
}

// span is a range of a list, from from up to but without to.
type span struct{ from, to uint32 }

// forget drops the hits of a document and of all that were scanned after it.
func (s *searcher) forget(r scanned) {
	s.hits, s.pairHits = s.hits[:r.hits.from], s.pairHits[:r.pairHits.from]
}

// scanDocument returns the hits of a document in the order of terms, its pairs, and
// its sums over the hits: BM25F, which is weight times idf times saturation, and what
// the description and the name have. It reads the record of the document.
func (s *searcher) scanDocument(doc uint32) scanned {
	record := s.x.documents[doc].record
	s.found = s.found[:0]
	for place, t := range record.terms() {
		at := s.indexes[t&termMask]
		if at == 0 {
			continue
		}
		tally := t >> fieldShift
		if place >= int(record[onceAt]) {
			tally = record.tallies()[place-int(record[onceAt])]
		}
		s.found = append(s.found, uint64(at-1)<<32|uint64(tally))
	}
	slices.Sort(s.found)
	norm := s.x.stats[doc].norm
	from, bm25f, description, name := uint32(len(s.hits)), 0.0, 0.0, 0.0
	s.hits = slices.Grow(s.hits, len(s.found))[:len(s.hits)+len(s.found)]
	hits := s.hits[from:]
	s.scan++
	neighbours := uint32(0) // not 0 when a term may be in a pair
	for i, f := range s.found {
		at, tally := uint32(f>>32), uint32(f)
		p, t := &s.x.presences[tally], &s.terms[at]
		saturation := s.x.recipe.saturation(p.frequency, norm)
		hits[i] = hit{at, tally, saturation}
		bm25f += float64(t.idfWeight * saturation)
		if p.fields.has(Description) {
			description += t.idfWeight
		}
		if p.fields.has(Name) {
			name += t.ownWeight
		}
		paired := uint32(p.fields & pairFields)
		s.seen[at] = s.scan<<pairBits | paired
		neighbours |= paired
	}
	before := uint32(len(s.pairHits))
	if neighbours != 0 && len(s.pairs) > 0 {
		s.scanPairs(doc, hits)
	}
	return scanned{
		doc:         doc,
		bm25f:       bm25f,
		hits:        span{from, uint32(len(s.hits))},
		pairHits:    span{before, uint32(len(s.pairHits))},
		description: description,
		name:        name,
	}
}

// pairFields are the fields whose tokens are compared with the pairs of the query. They
// are the first fields.
const (
	pairFields fieldSet = 1<<Name | 1<<Toolset | 1<<Description
	pairBits            = 3
)

// commonFields returns the pairFields of the current document that have both of two
// terms. The document has the first.
func (s *searcher) commonFields(first, second uint32) fieldSet {
	a, b := s.seen[first], s.seen[second]
	if b>>pairBits != s.scan {
		return 0
	}
	return fieldSet(a&b) & pairFields
}

// scanPairs appends the pairs that the current document has. hits are its hits.
func (s *searcher) scanPairs(doc uint32, hits []hit) {
	s.likely = s.likely[:0]
	for i := range hits {
		at := hits[i].term
		for p := s.terms[at].nextPair; p >= 0; p = s.pairs[p].next {
			if s.commonFields(at, s.pairs[p].second) != 0 {
				s.likely = append(s.likely, uint32(p))
			}
		}
	}
	slices.Sort(s.likely)
	for _, i := range s.likely {
		p, r, frequency, found := &s.pairs[i], s.x.documents[doc].record, 0.0, false
		first, second := s.terms[p.first].term, s.terms[p.second].term
		tokens, in := r.tokens(), s.commonFields(p.first, p.second)
		for f := range ParameterNames {
			if !in.has(f) {
				continue
			}
			from, to := r.span(f)
			before := ^uint32(0) // no term
			for _, token := range tokens[from:to] {
				token &= termMask
				if token == second && before == first {
					frequency, found = frequency+s.x.recipe.Fields[f], true
				}
				before = token
			}
		}
		if !found {
			continue
		}
		v := frequency / s.x.stats[doc].norm
		idf := s.terms[p.first].idf + s.terms[p.second].idf
		s.pairHits = append(s.pairHits, pairHit{i, idf * (v / (s.x.recipe.K1 + v))})
	}
}

// fieldsOf returns the fields that have the term of a hit.
func (s *searcher) fieldsOf(h hit) fieldSet { return s.x.presences[h.tally].fields }

// hitsOf returns the hits of a document.
func (s *searcher) hitsOf(r *scanned) []hit { return s.hits[r.hits.from:r.hits.to] }

// pairHitsOf returns the pairs of a document.
func (s *searcher) pairHitsOf(r *scanned) []pairHit {
	return s.pairHits[r.pairHits.from:r.pairHits.to]
}
