package retrieval

import (
	"context"
	"encoding/binary"
	"slices"
	"sync"

	"caliper/model"
)

// Index ranks the tools of one catalog as the reference agent does: ranker
// bm25. It never changes and is safe for concurrent use.
type Index struct {
	bags
	champions Remembered[Hit]
	crowds    Remembered[Hit]
	searchers *sync.Pool
}

// Index returns the index of a catalog: document i is tools[i]. The index
// never changes and keeps no tool. It is an error when p is out of range, when
// the context ends, and when a catalog has more than 2^32 postings.
//
// Tools that the corpus has not seen are tokenized on all cores, for one catalog at
// a time. Then all postings are made anew, at some 10 ns for each on two cores.
func (c *Corpus) Index(ctx context.Context, tools []*model.Tool, p Params) (*Index, error) {
	b, err := c.newBags(ctx, tools, p, 0)
	if err != nil {
		return nil, err
	}
	return &Index{bags: b, searchers: &sync.Pool{New: func() any { return &searcher{lists: b.lists.NewSearch()} }}}, nil
}

// Edited returns the index of a changed catalog. Documents keep their numbers; one that
// is added has the first number that is free. It reads the changed tool only.
func (x *Index) Edited(c Change) *Index {
	return &Index{bags: x.with(Words, c, 0), searchers: x.searchers}
}

// searcher is the memory of one query. It is used again by the next query.
type searcher struct {
	b     *bags
	lists *ListSearch
	query
	scorer scorer
	hits   []Hit
	docs   []uint32
}

const largeQuery = 1 << 12 // tokens of a query whose memory is not kept

// acquire returns a searcher that has parsed the query.
func (x *Index) acquire(text string) *searcher {
	s := x.searchers.Get().(*searcher)
	s.begin(&x.bags, text)
	return s
}

// begin parses a query.
func (s *searcher) begin(b *bags, text string) {
	s.b = b
	s.parse(b, text)
	s.scorer.begin(len(s.terms))
	s.plan(s.lists)
}

// release keeps a searcher for the next query.
func (x *Index) release(s *searcher) {
	if len(s.order) <= largeQuery {
		x.searchers.Put(s)
	}
}

// Whole returns the score of a tool that has each word of a query once, in a field of
// average length, where k1 adds nothing: the sum of their idf, also of words that no tool has.
func (x *Index) Whole(query string) (sum float64) {
	s := x.acquire(query)
	defer x.release(s)
	for _, t := range s.terms {
		sum += t.idf * float64(t.repeats)
	}
	return sum + idf(0, x.Len())*float64(s.tokens-len(s.order))
}

// score returns the exact score of a document.
func (s *searcher) score(doc uint32) float64 { return s.scorer.score(s.b, &s.query, doc) }

// bound returns the spare of sums. ok is false when sums say too little: the query has
// more terms than a plan may have, or the impacts are those of another catalog.
func (s *searcher) bound() (spare uint32, ok bool) {
	drift, ok := Drift(s.b.drift, len(s.terms))
	return s.spare() + drift, ok && len(s.terms) <= MaxTerms
}

// candidates returns every document of the lists that can be among the k best, and few
// others.
func (s *searcher) candidates(k int) []uint32 {
	if spare, ok := s.bound(); ok {
		return s.lists.Candidates(k, spare)
	}
	s.docs = s.docs[:0]
	for doc := range s.b.documents {
		s.docs = append(s.docs, uint32(doc))
	}
	return s.docs
}

// best returns the best k hits, and perhaps more, in memory that the next
// query uses again.
func (s *searcher) best(k int) []Hit {
	s.hits = s.hits[:0]
	left := s.b.leaves()
	if left != NoDocument {
		k = min(k, len(s.b.documents)) + 1
	}
	for _, doc := range s.candidates(k) {
		if doc != left {
			s.addHit(doc)
		}
	}
	if doc, ok := s.b.added(); ok {
		s.addHit(doc)
	}
	slices.SortFunc(s.hits, s.b.compare)
	return s.hits
}

// addHit adds a document that has a score to the hits.
func (s *searcher) addHit(doc uint32) {
	if score := s.score(doc); score > 0 {
		s.hits = append(s.hits, Hit{int(doc), score})
	}
}

// champions returns the best hits of a term, the only one of a query: more than a search
// asks for, best returns them.
func (s *searcher) champions(known *Remembered[Hit], best func(k int) []Hit) []Hit {
	key := binary.LittleEndian.AppendUint32(s.token[:0], s.terms[0].id)
	list, ok := known.Find(key)
	if !ok {
		all := best(championHits)
		list = slices.Clone(all[:min(championHits, len(all))])
		known.Keep(key, list)
	}
	return list
}

// Search returns the k best tools for a query: all of them when fewer score,
// none when k is not positive. A query without tokens finds nothing. When no tool
// has a token of the query, the hits are the first k tools whose name contains the
// query (see Result).
func (x *Index) Search(query string, k int) Result {
	return x.SearchInto(nil, query, k)
}

// SearchInto is Search, but appends the hits to dst. It does not allocate
// when dst has room, but for a literal fallback beyond ASCII, a query of
// thousands of tokens, and the first queries of an index.
func (x *Index) SearchInto(dst []Hit, query string, k int) Result {
	if k <= 0 {
		return Result{Hits: dst}
	}
	s := x.acquire(query)
	defer x.release(s)
	switch {
	case s.tokens == 0:
		return Result{Hits: dst}
	case len(s.terms) == 0:
		hits := s.literal(dst, query, k)
		return Result{Hits: hits, Fallback: len(hits) > len(dst)}
	}
	var hits []Hit
	if len(s.order) == 1 && k <= championHits {
		hits = s.champions(&x.champions, s.best)
	} else {
		hits = s.best(k)
	}
	return Result{Hits: append(dst, hits[:min(k, len(hits))]...)}
}

// literal appends the first k tools whose name contains the query.
func (s *searcher) literal(dst []Hit, query string, k int) []Hit {
	docs := s.named(query)
	for _, doc := range docs[:min(k, len(docs))] {
		dst = append(dst, Hit{Doc: int(doc), Score: FallbackScore})
	}
	return dst
}

// named returns the tools whose name contains the query, in catalog order.
func (s *searcher) named(query string) []uint32 {
	s.token = appendLower(s.token[:0], trim(query))
	s.docs = s.b.containing(s.docs[:0], s.token)
	return s.docs
}

// Rank returns the rank of a document among all that a query finds, counting from
// 1, and its score. ok is false when the query does not find it, or when there is
// no such document. The rank is that in a Search without a limit. It costs one pass
// over the postings of the query.
func (x *Index) Rank(query string, doc int) (rank int, score float64, ok bool) {
	if !x.has(doc) {
		return 0, 0, false
	}
	s := x.acquire(query)
	defer x.release(s)
	switch {
	case s.tokens == 0:
		return 0, 0, false
	case len(s.terms) == 0:
		return s.rankLiteral(query, doc)
	}
	target := Hit{Doc: doc, Score: s.score(uint32(doc))}
	if target.Score == 0 {
		return 0, 0, false
	}
	ahead := func(doc uint32) bool { return s.b.compare(Hit{int(doc), s.score(doc)}, target) < 0 }
	rank = 1
	if spare, ok := s.bound(); ok {
		rank += s.lists.Above(Target{Score: target.Score / (x.params.K1 + 1), Spare: spare, Except: x.leaves(), Ahead: ahead})
	} else {
		for doc := range uint32(len(x.documents)) {
			if doc != x.leaves() && ahead(doc) {
				rank++
			}
		}
	}
	if doc, ok := x.added(); ok && ahead(doc) {
		rank++
	}
	return rank, target.Score, true
}

// rankLiteral is Rank for the literal fallback.
func (s *searcher) rankLiteral(query string, doc int) (rank int, score float64, ok bool) {
	if at := slices.Index(s.named(query), uint32(doc)); at >= 0 {
		return at + 1, FallbackScore, true
	}
	return 0, 0, false
}

// Scored returns how many tools a query finds: the number of hits of Search
// without a limit. It computes no score.
func (x *Index) Scored(query string) int {
	s := x.acquire(query)
	defer x.release(s)
	switch {
	case s.tokens == 0:
		return 0
	case len(s.terms) == 0:
		return len(s.named(query))
	case x.edit == nil:
		return s.lists.Matches()
	}
	return s.matchesEdited()
}

// matchesEdited is Matches for a changed catalog.
func (s *searcher) matchesEdited() int {
	count, e := s.lists.Matches(), s.b.edit
	if e.doc < len(s.b.documents) && s.matchedIn(s.b.documents[e.doc]) > 0 {
		count--
	}
	if s.matchedIn(e.tokens) > 0 {
		count++
	}
	return count
}
