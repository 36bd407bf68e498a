package fielded

import (
	"caliper/engine/retrieval"
)

// Search returns the k best tools for a query, best first, ties in catalog order.
// It returns all when fewer are found, and none when k is not positive. A query finds the
// tools that have one of its words or expansions, and those whose name it has.
// Fallback is never set.
func (x *Index) Search(query string, k int) retrieval.Result {
	return x.SearchInto(nil, query, k)
}

// SearchInto is Search, but appends the hits to dst. It does not allocate
// when dst has room, but for the first queries of an index, new words, and a
// query of thousands of letters.
func (x *Index) SearchInto(dst []retrieval.Hit, query string, k int) retrieval.Result {
	if k <= 0 {
		return retrieval.Result{Hits: dst}
	}
	s := x.acquire(query)
	defer x.release(s)
	s.rank(k, k)
	for _, r := range s.ranking[:min(k, len(s.ranking))] {
		dst = append(dst, retrieval.Hit{Doc: int(r.doc), Score: r.score})
	}
	k -= len(s.ranking)
	rest := s.scanned[len(s.candidates):]
	if k = min(k, len(rest)); k > 0 {
		sortFirst(rest, k, compareBehind)
		for _, r := range rest[:k] {
			dst = append(dst, retrieval.Hit{Doc: int(r.doc), Score: r.behind})
		}
	}
	return retrieval.Result{Hits: dst}
}

// rank ranks the candidates, and sorts the first of them. Behind them in scanned, in
// no order, are at least all others that are among the k best.
func (s *searcher) rank(k, sorted int) {
	s.chooseCandidates(k)
	s.scoreAll()
	s.diversify(sorted)
}

// Scored returns how many tools a query finds: the number of hits of Search
// without a limit. It counts documents and computes no score.
func (x *Index) Scored(query string) int {
	s := x.acquire(query)
	defer x.release(s)
	count := s.Matches()
	for _, doc := range s.pinned {
		if s.scanDocument(doc).bm25f == 0 {
			count++
		}
	}
	return count
}

// Rank returns the rank of a document among all that a query finds, counting from
// 1, and its score. ok is false when the query does not find it, or when there is
// no such document. The rank is that in a Search without a limit. It costs a search
// and one pass over the postings of the query.
func (x *Index) Rank(query string, doc int) (rank int, score float64, ok bool) {
	if doc < 0 || doc >= x.Len() {
		return 0, 0, false
	}
	s := x.acquire(query)
	defer x.release(s)
	s.rank(0, s.x.Len())
	for i, r := range s.ranking {
		if int(r.doc) == doc {
			return i + 1, r.score, true
		}
	}
	own := s.scanDocument(uint32(doc))
	if own.bm25f == 0 {
		return 0, 0, false
	}
	rank = 1
	for i := range s.candidates {
		if s.compareScanned(s.candidates[i].scanned, own) > 0 {
			rank++ // for its name alone
		}
	}
	rank += s.Above(retrieval.Target{Score: own.bm25f / (x.recipe.K1 + 1), Spare: spare, Except: own.doc, Ahead: func(doc uint32) bool {
		r := s.scanDocument(doc)
		s.forget(r)
		return s.compareScanned(r, own) < 0
	}})
	return rank, s.scoreBehind(own.bm25f), true
}

// searcher is the memory of one query. It is used again by the next query.
type searcher struct {
	x *Index
	*retrieval.ListSearch
	query
	memo memo
	pins
	docScan
	trigramMatcher

	scanned    []scanned // the documents that were read; candidates come first
	candidates []candidate
	ranking    []ranked // the candidates, best first
	forgot     bool     // not all of them have their hits
	largest    float64  // the largest BM25F of a document
	prefetched uint32   // sum of what prefetch read, kept so that the compiler does not remove the reads

	crowd      []byte             // key of what is remembered, see firstStage and scanCrowded
	holders    []uint32           // see scanCrowded
	tops       []retrieval.DocSum // see AppendTop
	saidAt     []Said             // see asked
	said       []QueryWord        // see readWords
	gained     []Addition         // see gain
	spareAdded []Addition         // additions to documents that were not known

	maxima         maxima
	sentenceScores []float64 // of each candidate, for each sentence
	coverage
	serverScores
}

func newSearcher(x *Index) *searcher {
	s := &searcher{x: x, ListSearch: x.lists.NewSearch(), memo: memo{x: x}}
	s.comparer.exchange = x.meanings != nil
	return s
}

// acquire returns a searcher that has read the query.
func (x *Index) acquire(text string) *searcher {
	s := x.searchers.Get().(*searcher)
	s.parse(text)
	s.addTerms()
	s.findPins()
	return s
}

// addTerms makes the searcher ready to search for the terms of the query, and to scan.
func (s *searcher) addTerms() {
	s.Reset()
	for i := range s.terms {
		if t := &s.terms[i]; t.idfWeight > 0 {
			s.Add(t.term, t.idfWeight)
		}
	}
	s.begin(&s.query)
}

// Limits of what a searcher keeps for the next query. Larger memory is dropped.
const (
	largeQuery  = 1 << 14 // bytes
	manyScanned = 1 << 14
)

// release keeps a searcher for the next query.
func (x *Index) release(s *searcher) {
	if len(s.query.text) > largeQuery {
		s.query, s.pins, s.docScan, s.trigramMatcher, s.coverage = query{}, pins{}, docScan{}, trigramMatcher{}, coverage{}
	}
	if cap(s.scanned) > manyScanned {
		s.scanned, s.docScan = nil, docScan{}
	}
	x.searchers.Put(s)
}
