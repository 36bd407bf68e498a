package fielded

import (
	"bytes"
	"slices"

	"caliper/engine/retrieval"
	"caliper/model/words"
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
	s.rank(k)
	for _, r := range s.ranking[:min(k, len(s.ranking))] {
		dst = append(dst, retrieval.Hit{Doc: int(r.doc), Score: r.final()})
	}
	return retrieval.Result{Hits: append(dst, s.rest[:max(0, min(k-len(s.ranking), len(s.rest)))]...)}
}

// rank ranks the candidates, the first k of them in order, and all where k is 0. In rest are all
// others that are among the k best.
func (s *searcher) rank(k int) {
	s.chooseCandidates(k)
	s.scoreAll()
	s.diversify(k)
}

// Scored returns how many tools a query finds: the number of hits of Search
// without a limit. It scores no candidate.
func (x *Index) Scored(query string) int {
	s := x.acquire(query)
	defer x.release(s)
	s.addTerms()
	count := len(s.sums.AtLeast(0))
	for _, doc := range s.pinned {
		if s.sums.Of(doc) == 0 {
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
	s.rank(0)
	s.sums.Clear()
	s.addTerms()
	for i, r := range s.ranking {
		if int(r.doc) == doc {
			return i + 1, r.final(), true
		}
	}
	if s.sums.Of(uint32(doc)) == 0 {
		return 0, 0, false
	}
	own := s.scoreBehind(s.sums.Of(uint32(doc)))
	ahead := func(other uint32) bool { return compare(s.scoreBehind(s.sums.Of(other)), own, other, uint32(doc)) < 0 }
	rank = 1
	for i := range s.candidates {
		if !ahead(s.candidates[i].doc) {
			rank++ // for its name alone
		}
	}
	for _, other := range s.sums.AtLeast(0) {
		if ahead(other) {
			rank++
		}
	}
	return rank, own, true
}

// searcher is the memory of one query. It is used again by the next query.
type searcher struct {
	x *Index
	query
	pins
	known map[string]*knownQueryWord
	cut   trigrams

	found    []uint64 // terms of the query in a record, or in many: the index in the query, and the number of the tally
	ends     []uint32 // of the hits of each candidate, see scanChosen
	hits     []hit
	pairHits []pairHit

	grams      []uint32  // of the query
	askedGrams []float64 // of each trigram of the index: its weight in the query, with the idf

	touched    uint32         // the sum of what scanChosen reads only to load it, so that the compiler keeps these reads
	sums       retrieval.Sums // of BM25F
	largest    float64        // the largest of them
	weighted   []Weighted     // the terms, see chooseCandidates
	chosen     []uint32       // the documents that are candidates
	candidates []candidate
	ranking    []*candidate    // the candidates, best first, see diversify
	rest       []retrieval.Hit // the best others, best first

	saidAt     []Said      // see asked
	said       []QueryWord // see readWords
	gained     []Addition  // see gain
	spareAdded []Addition  // additions to documents that were not known
	places     []uint32    // of each document: its place in chosen + 1, then in gained + 1; else 0

	mostLetters, mostPairs float64 // of a candidate: components are divided by them
	mostSentences          [maxSentences]float64
	sentenceScores         []float64 // of each candidate, for each sentence
	most                   []float64 // of each term, the most that it adds to the BM25F of a candidate
	serverBest             []float64 // see supportServers
	covered                []float64 // the share of it that a better rank has
}

func newSearcher(x *Index) *searcher {
	s := &searcher{x: x, sums: retrieval.NewSums(x.Len()), places: make([]uint32, x.Len())}
	s.comparer.exchange = x.meanings != nil
	return s
}

// acquire returns a searcher that has read the query.
func (x *Index) acquire(text string) *searcher {
	s := x.searchers.Get().(*searcher)
	s.parse(text)
	s.hits, s.pairHits = s.hits[:0], s.pairHits[:0]
	s.findPins()
	return s
}

// largeQuery is how many bytes a query has whose memory is not kept for the next.
const largeQuery = 1 << 14

// release keeps a searcher for the next query.
func (x *Index) release(s *searcher) {
	if len(s.query.text) > largeQuery {
		return
	}
	s.sums.Clear()
	x.searchers.Put(s)
}

// Finds reports whether a query finds a document: whether Search without a limit has
// it. It reads the query and the document, and none of the postings; a query that is
// the name of the document is not even read. It is false when there is no such
// document.
func (x *Index) Finds(query string, doc int) bool {
	if doc < 0 || doc >= x.Len() {
		return false
	}
	// Only the first tools of a name are certain to be found for it.
	name := x.documents[doc].name
	var room, letters [128]byte
	if lower := words.AppendLower(room[:0], bytes.TrimSpace([]byte(query))); name != "" && string(lower) == name {
		var pinned [maxPinned]uint32
		if slices.Contains(x.names.find(pinned[:0], words.AppendLetters(letters[:0], lower), maxPinned, func(d *document) bool { return d.name == name }), uint32(doc)) {
			return true
		}
	}
	s := x.acquire(query)
	defer x.release(s)
	return slices.Contains(s.pinned, uint32(doc)) || s.scanDocument(uint32(doc)).bm25f > 0
}
