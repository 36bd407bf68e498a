package fielded

import "slices"

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
// The score of every other document (scoreBehind) is not above that of any
// candidate, even after the candidate has lost the most that it can lose to better
// ranks. So the list of the candidates, each by score and document, followed by the
// list of the others in the same order is sorted as a whole.
func (s *searcher) chooseCandidates(k int) {
	s.scanned, s.largest = s.scanned[:0], 0
	limit := s.x.recipe.Candidates
	docs := s.firstStage(max(k, limit))
	s.prefetch(docs)
	for _, doc := range docs {
		r := s.scanDocument(doc)
		if len(docs) > fewScanned {
			s.forget(r)
		}
		s.scanned = append(s.scanned, r)
		s.largest = max(s.largest, r.bm25f)
	}
	for _, doc := range s.pinned {
		if !slices.Contains(docs, doc) {
			s.scanned = append(s.scanned, s.scanDocument(doc))
		}
	}
	best := min(limit, len(s.scanned))
	s.selectBest(s.scanned, best)
	for i := best; i < len(s.scanned) && len(s.pinned) > 0; i++ {
		if slices.Contains(s.pinned, s.scanned[i].doc) {
			s.scanned[i], s.scanned[best] = s.scanned[best], s.scanned[i]
			best++
		}
	}
	s.candidates = slices.Grow(s.candidates[:0], best)[:best]
	for i := range s.candidates {
		if len(docs) > fewScanned {
			s.scanned[i] = s.scanDocument(s.scanned[i].doc)
		}
		s.candidates[i] = candidate{scanned: s.scanned[i], sentence: -1}
	}
}

// firstStage returns the documents that can be among the k best by BM25F, and
// few others. The documents of a query of one term are remembered.
func (s *searcher) firstStage(k int) []uint32 {
	if s.Terms() != 1 || k > s.x.recipe.Candidates {
		return s.Candidates(k, spare)
	}
	single := s.terms[slices.IndexFunc(s.terms, func(t term) bool { return t.idfWeight > 0 })].term
	remembered, room := s.x.champions.Find(single)
	if remembered != nil {
		return remembered
	}
	docs := s.Candidates(k, spare)
	if room && len(docs) <= fewScanned {
		s.x.champions.Keep(single, slices.Clone(docs))
	}
	return docs
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

const cacheLine = 16 // words

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

// compareScanned orders documents by scoreBehind, then by document.
func (s *searcher) compareScanned(a, b *scanned) int {
	return compare(s.scoreBehind(a.bm25f), s.scoreBehind(b.bm25f), a.doc, b.doc)
}

// selectBest moves the n best documents to the front, in no order, by partitioning
// around the median of three (Hoare's Find, Communications of the ACM 4, 1961).
func (s *searcher) selectBest(all []scanned, n int) {
	for lo, hi := 0, len(all)-1; lo < hi; {
		mid := lo + (hi-lo)/2
		for _, p := range [][2]int{{mid, lo}, {hi, lo}, {hi, mid}} {
			if s.compareScanned(&all[p[0]], &all[p[1]]) < 0 {
				all[p[0]], all[p[1]] = all[p[1]], all[p[0]]
			}
		}
		pivot := all[mid]
		i, j := lo, hi
		for i <= j {
			for s.compareScanned(&all[i], &pivot) < 0 {
				i++
			}
			for s.compareScanned(&all[j], &pivot) > 0 {
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

// docScan is the memory in which documents are scanned for a query. It is used
// again by the next query.
type docScan struct {
	counts          []termCount // of each term of the query in the current document; zero between documents
	touched         []uint32    // the terms that it has
	pairFrequencies []float64   // weighted frequency of each pair of the query; 0 between documents
	touchedPairs    []uint32    // the pairs that it has
	hits            []hit
	pairHits        []pairHit
}

// termCount is how often a document has a term.
type termCount struct {
	frequency float64 // weighted by fields
	count     uint32
	fields    fieldSet
}

// fieldSet is a set of fields.
type fieldSet uint8

func (s fieldSet) has(f Field) bool { return s>>f&1 != 0 }

// hit is a term of the query that a document has.
type hit struct {
	term       uint32 // its index in the terms of the query
	count      uint32
	fields     fieldSet
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
}

// span is a range of a list, from from up to but without to.
type span struct{ from, to uint32 }

// begin makes the memory ready for a query.
func (s *docScan) begin(q *query) {
	s.counts = slices.Grow(s.counts[:0], len(q.terms))[:len(q.terms)]
	s.pairFrequencies = slices.Grow(s.pairFrequencies[:0], len(q.pairs))[:len(q.pairs)]
	s.hits, s.pairHits = s.hits[:0], s.pairHits[:0]
}

// forget drops the hits of a document and of all that were scanned after it.
func (s *docScan) forget(r scanned) {
	s.hits, s.pairHits = s.hits[:r.hits.from], s.pairHits[:r.pairHits.from]
}

// scanDocument returns the hits of a document in the order of terms, its pairs,
// and its BM25F: the sum of weight times idf times saturation over the hits.
func (s *searcher) scanDocument(doc uint32) scanned {
	s.touch(s.x.documents[doc].record)
	norm := s.x.stats[doc].norm
	r := scanned{doc: doc, hits: span{from: uint32(len(s.hits))}, pairHits: span{from: uint32(len(s.pairHits))}}
	sortFew(s.touched)
	for _, at := range s.touched {
		h := &s.counts[at]
		saturation := s.x.recipe.saturation(h.frequency, norm)
		s.hits = append(s.hits, hit{at, h.count, h.fields, saturation})
		r.bm25f += float64(s.terms[at].idfWeight * saturation)
		*h = termCount{}
	}
	sortFew(s.touchedPairs)
	for _, i := range s.touchedPairs {
		p := &s.pairs[i]
		v := s.pairFrequencies[i] / norm
		idf := s.terms[p.first].idf + s.terms[p.second].idf
		s.pairHits = append(s.pairHits, pairHit{i, idf * (v / (s.x.recipe.K1 + v))})
		s.pairFrequencies[i] = 0
	}
	r.hits.to, r.pairHits.to = uint32(len(s.hits)), uint32(len(s.pairHits))
	return r
}

// touch counts the terms and pairs of the query in a record.
func (s *searcher) touch(r record) {
	s.touched, s.touchedPairs = s.touched[:0], s.touchedPairs[:0]
	tokens := r.tokens()
	for f := range fields {
		weight, last := s.x.recipe.Fields[f], int32(-1)
		for i, to := r.span(f); i < to; i++ {
			token := tokens[i]
			if token&again != 0 {
				token = tokens[token&termMask]
			}
			id := token & termMask
			if !s.table.MayHold(id) {
				last = -1
				continue
			}
			at := s.table.Find(id)
			if at < 0 {
				last = -1
				continue
			}
			h := &s.counts[at]
			if h.count == 0 {
				s.touched = append(s.touched, uint32(at))
			}
			h.frequency += weight
			h.count++
			h.fields |= 1 << f
			if f > Description {
				continue
			}
			if last >= 0 {
				if pair := s.pairOf(last, uint32(at)); pair >= 0 {
					if s.pairFrequencies[pair] == 0 {
						s.touchedPairs = append(s.touchedPairs, uint32(pair))
					}
					s.pairFrequencies[pair] += weight
				}
			}
			last = int32(at)
		}
	}
}

// sortFew sorts numbers, of which there are few in most queries.
func sortFew(numbers []uint32) {
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

// hitsOf returns the hits of a document.
func (s *docScan) hitsOf(r *scanned) []hit { return s.hits[r.hits.from:r.hits.to] }

// pairHitsOf returns the pairs of a document.
func (s *docScan) pairHitsOf(r *scanned) []pairHit {
	return s.pairHits[r.pairHits.from:r.pairHits.to]
}
