package fielded

import (
	"math"
	"slices"
)

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

// scanChosen scans the documents that are candidates. Their records are on many cache lines, so the
// postings of the query and their tallies are read instead, where they are not too many.
func (s *searcher) scanChosen() {
	const (
		recordCost = 256 // of the record of one document, in postings
		lookUp     = 4   // of one document in the postings of a common term
		line       = 16  // numbers
	)
	docs, work := s.chosen, 0
	s.candidates = s.candidates[:0]
	for i := range s.terms {
		if t := &s.terms[i]; s.x.postings.IsCommon(t.term) {
			work += min(t.df, len(docs)*lookUp)
		} else {
			work += t.df
		}
	}
	byRecord := len(s.x.presences) > math.MaxUint16 || work > len(docs)*recordCost
	for _, doc := range docs { // one read of each cache line, so that the lines of many documents are loaded at the same time
		r := s.x.documents[doc].record
		s.touched += uint32(s.x.stats[doc].norm) + r[0]
		if grams := r.trigrams(); len(grams) > 0 {
			s.touched += grams[0] + grams[len(grams)/2] + grams[len(grams)-1]
		}
		for i := line; byRecord && i < len(r); i += line {
			s.touched += r[i]
		}
	}
	if byRecord {
		for _, doc := range docs {
			s.candidates = append(s.candidates, candidate{scanned: s.scanDocument(doc), sentence: -1})
		}
		return
	}
	places := s.places
	for i, doc := range docs {
		places[doc] = uint32(i + 1)
	}
	s.found, s.ends = s.found[:0], slices.Grow(s.ends[:0], len(docs)+1)[:len(docs)+1]
	clear(s.ends)
	for i := range s.terms {
		t := &s.terms[i]
		if t.df == 0 {
			continue
		}
		having := s.x.postings.Docs(t.term)
		add := func(place uint32, at int) {
			s.found = append(s.found, uint64(place)<<32|uint64(i)<<16|uint64(s.x.postings.Tally(t.term, at)))
			s.ends[place]++
		}
		if !s.x.postings.IsCommon(t.term) || t.df <= len(docs)*lookUp {
			for at, doc := range having {
				if places[doc] > 0 {
					add(places[doc], at)
				}
			}
			continue
		}
		for j, doc := range docs {
			if at, ok := s.x.postings.Place(t.term, doc); ok {
				add(uint32(j+1), at)
			}
		}
	}
	// The hits are sorted by document, and stay in the order of terms.
	for i := range docs {
		places[docs[i]] = 0
		s.ends[i+1] += s.ends[i]
	}
	s.hits = slices.Grow(s.hits, len(s.found))[:len(s.found)]
	for _, f := range s.found {
		end := &s.ends[f>>32-1]
		s.hits[*end] = hit{term: uint32(f >> 16 & (1<<16 - 1)), tally: uint32(f & (1<<16 - 1))}
		*end++
	}
	from := uint32(0)
	for i, doc := range docs {
		s.candidates = append(s.candidates, candidate{scanned: s.sum(doc, span{from, s.ends[i]}), sentence: -1})
		from = s.ends[i]
	}
}

// scanDocument returns the hits of a document in the order of terms, its pairs, and
// its sums. It reads the record of the document.
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
	from := len(s.hits)
	for _, f := range s.found {
		s.hits = append(s.hits, hit{term: uint32(f >> 32), tally: uint32(f)})
	}
	return s.sum(doc, span{uint32(from), uint32(len(s.hits))})
}

// sum returns a document with the sums over its hits, whose saturations it sets: BM25F, which is
// weight times idf times saturation, and what the description and the name have.
func (s *searcher) sum(doc uint32, own span) scanned {
	norm, bm25f, description, name := s.x.stats[doc].norm, 0.0, 0.0, 0.0
	hits := s.hits[own.from:own.to]
	for i := range hits {
		h := &hits[i]
		p, t := &s.x.presences[h.tally], &s.terms[h.term]
		h.saturation = s.x.recipe.saturation(p.frequency, norm)
		bm25f += float64(t.idfWeight * h.saturation)
		if p.fields.has(Description) {
			description += t.idfWeight
		}
		if p.fields.has(Name) {
			name += t.ownWeight
		}
	}
	before := uint32(len(s.pairHits))
	if len(s.pairs) > 0 {
		s.scanPairs(doc, hits)
	}
	return scanned{
		doc:         doc,
		bm25f:       bm25f,
		hits:        own,
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

// scanPairs appends the pairs of the query that a document has. hits are its hits.
func (s *searcher) scanPairs(doc uint32, hits []hit) {
	var room [32]uint32
	likely := room[:0] // the pairs with both terms in one of the pairFields, and in which
	some := uint64(0)  // a bit of each term that is in one; few have the same
	for _, h := range hits {
		if s.x.presences[h.tally].fields&pairFields != 0 {
			some |= 1 << (h.term % 64)
		}
	}
	for _, h := range hits {
		if some>>(h.term%64)&1 == 0 {
			continue
		}
		for p := s.terms[h.term].nextPair; p >= 0; p = s.pairs[p].next {
			second := s.pairs[p].second
			if some>>(second%64)&1 == 0 {
				continue
			}
			at, found := slices.BinarySearchFunc(hits, second, func(h hit, term uint32) int { return int(h.term) - int(term) })
			if !found {
				continue
			}
			if in := s.x.presences[h.tally].fields & s.x.presences[hits[at].tally].fields & pairFields; in != 0 {
				likely = append(likely, uint32(p)<<pairBits|uint32(in))
			}
		}
	}
	slices.Sort(likely)
	for _, l := range likely {
		i, in := l>>pairBits, fieldSet(l)&pairFields
		p, r, frequency, found := &s.pairs[i], s.x.documents[doc].record, 0.0, false
		first, second := s.terms[p.first].term, s.terms[p.second].term
		tokens := r.tokens()
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
