package retrieval

import (
	"context"
	"errors"
	"slices"
	"sync"

	"caliper/engine/retrieval/postings"
	"caliper/model"
)

// Gated ranks the tools of one catalog by the later rules of the reference
// agent: ranker bm25-gated. It never changes and is safe for concurrent use.
//
// Documents and queries are stems (see Stems). A tool is admitted when it passes
// two gates. It must have the query's rarest token: the one with the least df,
// which may be 0; of equals the first. And it must have enough of the answerable
// tokens, the distinct tokens that a tool of the catalog has: half of them,
// rounded up, when there are four or more, else one. Its score is BM25 with the
// parameters of the reference; the mean length is at least 1.
//
// A tool whose name is the query, trimmed and in lower case, is admitted
// whatever the gates say, and ranks before all others whatever its score. The
// score stays that of its tokens, as the reference shows it: a hit behind it may
// have a higher one.
type Gated struct {
	bags
	exact     exactNames
	champions postings.Champions[Hit]
	searchers sync.Pool
}

const (
	fewTerms = 4   // answerable terms from which half must match
	leastDL  = 1.0 // mean length of documents
)

// Gated returns the index of a catalog: document i is tools[i]. It keeps no
// tool. It is an error when the corpus has another analysis than Stems, when
// the context ends, and when a catalog has more than 2^32 postings. The cost is
// that of Index.
func (c *Corpus) Gated(ctx context.Context, tools []*model.Tool) (*Gated, error) {
	if c.analysis != Stems {
		return nil, errors.New("bm25-gated: the corpus has no stems")
	}
	b, err := c.newBags(ctx, tools, Reference, leastDL)
	if err != nil {
		return nil, err
	}
	return newGated(b), nil
}

// newGated returns the index of bags.
func newGated(b bags) *Gated {
	x := &Gated{bags: b}
	x.exact = newExactNames(&x.names)
	x.searchers.New = func() any { return &gatedSearcher{x: x, Searcher: x.lists.NewSearcher()} }
	return x
}

// gatedSearcher is the memory of one query. It is used again by the next query.
type gatedSearcher struct {
	x *Gated
	*postings.Searcher
	query
	scorer scorer
	name   []byte
	exact  []uint32 // documents whose name is the query, ascending
	docs   []uint32
	hits   []Hit
}

// acquire returns a searcher that has parsed the query.
func (x *Gated) acquire(text string) *gatedSearcher { return x.acquireFor(&x.bags, text) }

// acquireFor is acquire for the bags of the index, or of it with an edit.
func (x *Gated) acquireFor(b *bags, text string) *gatedSearcher {
	s := x.searchers.Get().(*gatedSearcher)
	s.parse(b, text)
	s.scorer.begin(len(s.terms))
	s.plan(s.Searcher)
	s.name = appendLower(s.name[:0], trim(text))
	s.exact = x.exact.find(&x.names, s.name, s.exact[:0])
	return s
}

// release keeps a searcher for the next query.
func (x *Gated) release(s *gatedSearcher) {
	if len(s.order) <= largeQuery {
		x.searchers.Put(s)
	}
}

// score returns the score of a document.
func (s *gatedSearcher) score(doc uint32) float64 { return s.scorer.score(&s.x.bags, &s.query, doc) }

// open reports whether a document can pass the first gate: a tool of the catalog
// has each token.
func (q *query) open() bool { return q.tokens > 0 && len(q.order) == q.tokens }

// rarest returns the term that a document must have, of a query that is open.
func (q *query) rarest() queryTerm {
	return slices.MinFunc(q.terms, func(a, b queryTerm) int { return int(a.df) - int(b.df) })
}

// required returns how many of a number of answerable terms a document must
// hold.
func required(answerable int) int {
	if answerable < fewTerms {
		return min(1, answerable)
	}
	return (answerable + 1) / 2
}

// admitted returns the documents that pass the gates, ascending.
func (s *gatedSearcher) admitted() []uint32 {
	if !s.open() {
		return nil
	}
	rarest, least := s.rarest(), required(len(s.terms))
	if s.exactly() {
		return s.Gather(rarest.id, least, s.spare())
	}
	s.docs = s.docs[:0]
	for doc := range s.x.lists.Postings(s.x.lists.Term(rarest.id)) {
		if s.matched(&s.x.bags, doc) >= least {
			s.docs = append(s.docs, doc)
		}
	}
	return s.docs
}

// exactly reports whether the query has no more terms than a plan may have.
func (q *query) exactly() bool { return len(q.terms) <= postings.MaxTerms }

// matched returns how many terms of the query a document holds.
func (q *query) matched(b *bags, doc uint32) int { return q.matchedIn(b.documents[doc]) }

// matchedIn returns how many terms of the query a bag has.
func (q *query) matchedIn(bag []uint32) int {
	n, last := 0, -1
	for _, id := range bag {
		if int(id) != last && q.table.Find(id) >= 0 {
			n++
		}
		last = int(id)
	}
	return n
}

// Search returns the k best tools for a query: all of them when fewer are
// admitted, none when k is not positive.
func (x *Gated) Search(query string, k int) Result { return x.SearchInto(nil, query, k) }

// SearchInto is Search, but appends the hits to dst. It does not allocate when
// dst has room, but for names beyond ASCII, a query of thousands of tokens,
// words whose stem is not remembered, and the first queries of an index.
func (x *Gated) SearchInto(dst []Hit, query string, k int) Result {
	if k <= 0 {
		return Result{Hits: dst}
	}
	s := x.acquire(query)
	defer x.release(s)
	before := len(dst)
	if len(s.exact) > 0 {
		for _, doc := range s.exact {
			dst = append(dst, Hit{Doc: int(doc), Score: s.score(doc)})
		}
		slices.SortFunc(dst[before:], compareHits)
		dst = dst[:min(before+k, len(dst))]
	}
	for _, h := range s.best(k) {
		if len(dst)-before == k {
			break
		}
		if !s.named(uint32(h.Doc)) {
			dst = append(dst, h)
		}
	}
	return Result{Hits: dst}
}

// named reports whether the name of a document is the query.
func (s *gatedSearcher) named(doc uint32) bool {
	_, ok := slices.BinarySearch(s.exact, doc)
	return ok
}

// best returns hits for what passes the gates, best first: the best k beside those
// whose name is the query, and perhaps more.
func (s *gatedSearcher) best(k int) []Hit {
	if k += len(s.exact); len(s.order) != 1 || s.tokens != 1 || k > postings.ChampionHits {
		return s.bestOf(k)
	}
	id := s.terms[0].id
	list, room := s.x.champions.Find(id)
	if list == nil && room {
		best := s.bestOf(postings.ChampionHits)
		list = slices.Clone(best[:min(postings.ChampionHits, len(best))])
		s.x.champions.Keep(id, list)
	} else if list == nil {
		list = s.bestOf(k)
	}
	return list
}

func (s *gatedSearcher) bestOf(k int) []Hit {
	docs := s.admitted()
	if s.open() && s.exactly() {
		docs = s.GatheredBest(k)
	}
	s.hits = s.hits[:0]
	for _, doc := range docs {
		s.hits = append(s.hits, Hit{Doc: int(doc), Score: s.score(doc)})
	}
	slices.SortFunc(s.hits, compareHits)
	return s.hits
}

// Scored returns how many tools a query admits.
func (x *Gated) Scored(query string) int {
	s := x.acquire(query)
	defer x.release(s)
	return s.scored()
}

func (s *gatedSearcher) scored() int {
	docs := s.admitted()
	n := len(docs)
	for _, doc := range s.exact {
		if _, ok := slices.BinarySearch(docs, doc); !ok {
			n++
		}
	}
	return n
}

// Rank returns the rank of a document among all that a query admits, counting from
// 1, and its score. ok is false when the query does not admit it, or when there is
// no such document.
func (x *Gated) Rank(query string, doc int) (rank int, score float64, ok bool) {
	if doc < 0 || doc >= x.Len() {
		return 0, 0, false
	}
	s := x.acquire(query)
	defer x.release(s)
	target := Hit{Doc: doc, Score: s.score(uint32(doc))}
	ahead := func(doc uint32) bool { return compareHits(Hit{Doc: int(doc), Score: s.score(doc)}, target) < 0 }
	if s.named(uint32(doc)) {
		rank = 1
		for _, other := range s.exact {
			if ahead(other) {
				rank++
			}
		}
		return rank, target.Score, true
	}
	docs := s.admitted()
	if _, ok := slices.BinarySearch(docs, uint32(doc)); !ok {
		return 0, 0, false
	}
	rank = 1 + len(s.exact)
	for _, other := range s.exact { // which the following counts once more
		if _, ok := slices.BinarySearch(docs, other); ok && ahead(other) {
			rank--
		}
	}
	if s.exactly() {
		return rank + s.GatheredAhead(uint32(doc), ahead), target.Score, true
	}
	for _, other := range docs {
		if ahead(other) {
			rank++
		}
	}
	return rank, target.Score, true
}
