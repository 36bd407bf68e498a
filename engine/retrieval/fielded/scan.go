package fielded

import (
	"cmp"
	"slices"
)

// docScan is the memory in which documents are scanned for a query. It is used
// again by the next query.
type docScan struct {
	found           []uint64  // terms of the query in a record: the index in the query, and the place in the record
	seen            []uint32  // for each term of the query, the scan that last found it where pairs are counted
	scan            uint32    // number of the current scan, from 1
	pairFrequencies []float64 // weighted frequency of each pair of the query; 0 between documents
	touchedPairs    []uint32  // the pairs that the document has
	hits            []hit
	pairHits        []pairHit
	collector
}

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
	behind   float64 // the score when it is no candidate; see scoreBehind
	hits     span
	pairHits span

	description float64 // weight times idf of the terms that the description has
	name        float64 // the same for the name, without expansions
}

// span is a range of a list, from from up to but without to.
type span struct{ from, to uint32 }

// begin makes the memory ready for a query.
func (s *docScan) begin(q *query) {
	s.seen = slices.Grow(s.seen[:0], len(q.terms))[:len(q.terms)]
	clear(s.seen)
	s.scan = 0
	s.pairFrequencies = slices.Grow(s.pairFrequencies[:0], len(q.pairs))[:len(q.pairs)]
	s.hits, s.pairHits = s.hits[:0], s.pairHits[:0]
}

// forget drops the hits of a document and of all that were scanned after it.
func (s *docScan) forget(r scanned) {
	s.hits, s.pairHits = s.hits[:r.hits.from], s.pairHits[:r.pairHits.from]
}

// scanDocument returns the hits of a document in the order of terms, its pairs, and
// its sums over the hits: BM25F, which is weight times idf times saturation, and what
// the description and the name have. It reads the record of the document.
func (s *searcher) scanDocument(doc uint32) scanned {
	record := s.x.documents[doc].record
	terms := record.terms()
	s.found = s.table.FindAll(s.found[:0], terms, termMask)
	sortFew(s.found)
	for i, f := range s.found {
		place := uint32(f)
		tally := terms[place] >> fieldShift
		if place >= record[onceAt] {
			tally = record.tallies()[place-record[onceAt]]
		}
		s.found[i] = f>>32<<32 | uint64(tally)
	}
	return s.sum(doc, s.found)
}

// sum returns a document with the hits that were found in it. A number of found has
// the index of a term in the query, in ascending order, and in the lower half that of
// its tally.
func (s *searcher) sum(doc uint32, found []uint64) scanned {
	norm := s.x.stats[doc].norm
	r := scanned{doc: doc, hits: span{from: uint32(len(s.hits))}, pairHits: span{from: uint32(len(s.pairHits))}}
	s.hits = slices.Grow(s.hits, len(found))[:len(s.hits)+len(found)]
	hits := s.hits[r.hits.from:][:len(found)]
	s.scan++
	neighbours := uint32(0) // terms that may be in pairs
	for i, f := range found {
		at, tally := uint32(f>>32), uint32(f)
		p, t := &s.x.presences[tally], &s.terms[at]
		saturation := s.x.recipe.saturation(p.frequency, norm)
		hits[i] = hit{at, tally, saturation}
		r.bm25f += float64(t.idfWeight * saturation)
		r.description += p.fields.value(Description, t.idfWeight)
		r.name += p.fields.value(Name, t.ownWeight)
		s.seen[at] = s.scan * uint32(p.paired)
		neighbours += uint32(p.paired)
	}
	r.hits.to = uint32(len(s.hits))
	if neighbours > 0 && s.mayHavePairs(hits) {
		s.scanPairs(s.x.documents[doc].record, norm)
	}
	r.pairHits.to = uint32(len(s.pairHits))
	return r
}

// pairFields are the fields whose tokens are compared with the pairs of the query.
const pairFields fieldSet = 1<<Name | 1<<Toolset | 1<<Description

// mayHavePairs reports whether the current document has both terms of a pair where
// pairs are counted. hits are its hits.
func (s *searcher) mayHavePairs(hits []hit) bool {
	for i := range hits {
		if s.seen[hits[i].term] != s.scan {
			continue
		}
		for p := s.terms[hits[i].term].nextPair; p >= 0; p = s.pairs[p].next {
			if s.seen[s.pairs[p].second] == s.scan {
				return true
			}
		}
	}
	return false
}

// scanPairs appends the pairs of the query that a record has.
func (s *searcher) scanPairs(r record, norm float64) {
	s.touchedPairs = s.touchedPairs[:0]
	tokens := r.tokens()
	for f := range ParameterNames {
		weight, last := s.x.recipe.Fields[f], -1
		for i, to := r.span(f); i < to; i++ {
			at := -1
			if id := tokens[i] & termMask; s.table.MayHold(id) {
				at = s.table.Find(id)
			}
			if last >= 0 && at >= 0 {
				if pair := s.pairOf(int32(last), uint32(at)); pair >= 0 {
					if s.pairFrequencies[pair] == 0 {
						s.touchedPairs = append(s.touchedPairs, uint32(pair))
					}
					s.pairFrequencies[pair] += weight
				}
			}
			last = at
		}
	}
	sortFew(s.touchedPairs)
	for _, i := range s.touchedPairs {
		p := &s.pairs[i]
		v := s.pairFrequencies[i] / norm
		idf := s.terms[p.first].idf + s.terms[p.second].idf
		s.pairHits = append(s.pairHits, pairHit{i, idf * (v / (s.x.recipe.K1 + v))})
		s.pairFrequencies[i] = 0
	}
}

// sortFew sorts numbers, of which there are few in most queries.
func sortFew[N cmp.Ordered](numbers []N) {
	if len(numbers) > 24 {
		slices.Sort(numbers)
		return
	}
	for i := 1; i < len(numbers); i++ {
		for j := i; j > 0 && numbers[j] < numbers[j-1]; j-- {
			numbers[j], numbers[j-1] = numbers[j-1], numbers[j]
		}
	}
}

// fieldsOf returns the fields that have the term of a hit.
func (s *searcher) fieldsOf(h hit) fieldSet { return s.x.presences[h.tally].fields }

// hitsOf returns the hits of a document.
func (s *docScan) hitsOf(r *scanned) []hit { return s.hits[r.hits.from:r.hits.to] }

// pairHitsOf returns the pairs of a document.
func (s *docScan) pairHitsOf(r *scanned) []pairHit {
	return s.pairHits[r.pairHits.from:r.pairHits.to]
}
