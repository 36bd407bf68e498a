package retrieval

import (
	"context"
	"slices"
	"sync"

	"caliper/engine/retrieval/postings"
	"caliper/model"
)

// Index ranks the tools of one catalog as the reference agent does: ranker
// bm25. It never changes and is safe for concurrent use.
type Index struct {
	bags
	champions postings.Champions[Hit]
	coarse    postings.Coarse
	crowds    postings.Crowds[Hit]
	searchers sync.Pool
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
	return newIndex(b), nil
}

// newIndex returns the index of bags.
func newIndex(b bags) *Index {
	x := &Index{bags: b}
	x.searchers.New = func() any { return &searcher{x: x, Searcher: x.lists.NewSearcher()} }
	return x
}

// searcher is the memory of one query. It is used again by the next query.
type searcher struct {
	x *Index
	*postings.Searcher
	query
	scorer scorer
	hits   []Hit
	docs   []uint32
}

const largeQuery = 1 << 12 // tokens of a query whose memory is not kept

// acquire returns a searcher that has parsed the query.
func (x *Index) acquire(text string) *searcher { return x.acquireFor(&x.bags, text) }

// acquireFor is acquire for the bags of the index, or of it with an edit.
func (x *Index) acquireFor(b *bags, text string) *searcher {
	s := x.searchers.Get().(*searcher)
	s.parse(b, text)
	s.scorer.begin(len(s.terms))
	s.plan(s.Searcher)
	return s
}

// release keeps a searcher for the next query.
func (x *Index) release(s *searcher) {
	if len(s.order) <= largeQuery {
		x.searchers.Put(s)
	}
}

// Whole returns the score of a tool that has each word of a query once, in a field of
// average length, where k1 adds nothing: the sum of their idf, without words that no tool
// has.
func (x *Index) Whole(query string) (sum float64) {
	s := x.acquire(query)
	defer x.release(s)
	for _, t := range s.terms {
		sum += t.idf * float64(t.repeats)
	}
	return sum
}

// score returns the exact score of a document.
func (s *searcher) score(doc uint32) float64 { return s.scorer.score(&s.x.bags, &s.query, doc) }

// candidates returns every document that can be among the k best, and few
// others.
func (s *searcher) candidates(k int) []uint32 {
	if len(s.terms) <= postings.MaxTerms {
		return s.Candidates(k, s.spare())
	}
	s.docs = s.docs[:0]
	for doc := range s.x.documents {
		if s.score(uint32(doc)) > 0 {
			s.docs = append(s.docs, uint32(doc))
		}
	}
	return s.docs
}

// best returns the best k hits, and perhaps more, in memory that the next
// query uses again.
func (s *searcher) best(k int) []Hit {
	s.hits = s.hits[:0]
	for _, doc := range s.candidates(k) {
		s.hits = append(s.hits, Hit{Doc: int(doc), Score: s.score(doc)})
	}
	slices.SortFunc(s.hits, compareHits)
	return s.hits
}

// champions returns the best hits of a query that is one term, or nil when it
// is not, when k is more than a list holds, or when there is no room for more
// lists.
func (s *searcher) champions(k int) []Hit {
	if len(s.order) != 1 || k > postings.ChampionHits {
		return nil
	}
	id := s.terms[0].id
	list, room := s.x.champions.Find(id)
	if list != nil || !room {
		return list
	}
	best := s.best(postings.ChampionHits)
	list = slices.Clone(best[:min(postings.ChampionHits, len(best))])
	s.x.champions.Keep(id, list)
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
	hits := s.champions(k)
	if hits == nil {
		hits = s.best(k)
	}
	return Result{Hits: append(dst, hits[:min(k, len(hits))]...)}
}

// compareHits orders hits by score, the highest first, then in catalog order.
func compareHits(a, b Hit) int {
	switch {
	case a.Score > b.Score:
		return -1
	case a.Score < b.Score:
		return 1
	}
	return a.Doc - b.Doc
}

// literal appends the first k tools whose name contains the query.
func (s *searcher) literal(dst []Hit, query string, k int) []Hit {
	s.token = appendLower(s.token[:0], trim(query))
	for doc := s.x.names.next(s.token, 0); doc < s.x.Len() && k > 0; k-- {
		dst = append(dst, Hit{Doc: doc, Score: FallbackScore})
		doc = s.x.names.next(s.token, doc+1)
	}
	return dst
}

// Rank returns the rank of a document among all that a query finds, counting from
// 1, and its score. ok is false when the query does not find it, or when there is
// no such document. The rank is that in a Search without a limit. It costs one pass
// over the postings of the query at most, and less the better the rank is.
func (x *Index) Rank(query string, doc int) (rank int, score float64, ok bool) {
	return x.rank(query, doc, 0, nil)
}

// Within returns the rank of a document as Rank does when it is at most limit; ok is
// false when it is larger and when the query does not find the document. Within is
// for those who ask for many documents: it keeps a part of the index in a form that
// tells faster, in up to 64 MB.
func (x *Index) Within(query string, doc, limit int) (rank int, ok bool) {
	if limit <= 0 {
		return 0, false
	}
	rank, _, ok = x.rank(query, doc, limit, &x.coarse)
	if !ok || rank > limit {
		return 0, false
	}
	return rank, true
}

// rank is Rank, and counts no more documents before the one than most, unless most is
// 0.
func (x *Index) rank(query string, doc, most int, c *postings.Coarse) (rank int, score float64, ok bool) {
	if doc < 0 || doc >= x.Len() {
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
	return 1 + s.above(target, most, c), target.Score, true
}

// above returns the number of documents that are better than one, at most most unless
// it is 0. Documents whose sums differ from its sum by more than rounding need no exact
// score.
func (s *searcher) above(target Hit, most int, c *postings.Coarse) int {
	ahead := func(doc uint32) bool { return s.ahead(doc, target) }
	if len(s.terms) <= postings.MaxTerms {
		return s.Above(postings.Target{
			Score: target.Score / (s.x.params.K1 + 1), Spare: s.spare(), Except: postings.NoDocument, Ahead: ahead, Most: most,
		}, c)
	}
	count := 0
	for doc := range s.x.documents {
		if ahead(uint32(doc)) {
			count++
		}
	}
	return count
}

// ahead reports whether a document is a better hit than own.
func (s *searcher) ahead(doc uint32, target Hit) bool {
	score := s.score(doc)
	return score > 0 && compareHits(Hit{Doc: int(doc), Score: score}, target) < 0
}

// rankLiteral is Rank for the literal fallback, which finds tools in catalog order.
func (s *searcher) rankLiteral(query string, doc int) (rank int, score float64, ok bool) {
	s.token = appendLower(s.token[:0], trim(query))
	if !s.x.names.contains(doc, s.token) {
		return 0, 0, false
	}
	for found := -1; found < doc; rank++ {
		found = s.x.names.next(s.token, found+1)
	}
	return rank, FallbackScore, true
}

// Scored returns how many tools a query finds, literal fallback included: the
// number of hits Search returns without a limit. It counts documents and
// computes no score, so that Search need not; a query of one term costs
// nothing, others a pass over the postings of their sparse terms.
func (x *Index) Scored(query string) int {
	s := x.acquire(query)
	defer x.release(s)
	switch {
	case s.tokens == 0:
		return 0
	case len(s.terms) == 0:
		return s.countLiteral(query)
	}
	return s.Matches()
}

// countLiteral counts the tools whose name contains the query.
func (s *searcher) countLiteral(query string) int {
	count := 0
	s.token = appendLower(s.token[:0], trim(query))
	for doc := s.x.names.next(s.token, 0); doc < s.x.Len(); doc = s.x.names.next(s.token, doc+1) {
		count++
	}
	return count
}
