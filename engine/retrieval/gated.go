package retrieval

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"

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
// score stays its tokens', as the reference shows it: a hit behind it may
// have a higher one.
type Gated struct {
	bags
	exact     exactNames
	champions Remembered[Hit]
	searchers *sync.Pool
}

const (
	fewTerms = 4   // answerable terms from which half must match
	leastDL  = 1.0 // mean length of documents
)

// Gated returns the index of a catalog: document i is tools[i]. It keeps no
// tool. It is an error when the corpus has another analysis than Stems, when
// the context ends, and when a catalog has more than 2^32 postings. The cost is
// Index's.
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
	return &Gated{bags: b, exact: newExactNames(&b.names), searchers: &sync.Pool{New: func() any {
		return &gatedSearcher{searcher: searcher{lists: b.lists.NewSearch()}}
	}}}
}

// Edited returns the index of a changed catalog. Documents keep their numbers; one that
// is added has the first number that is free. It reads the changed tool only.
func (x *Gated) Edited(c Change) *Gated {
	return &Gated{bags: x.with(Stems, c, leastDL), exact: x.exact, searchers: x.searchers}
}

// gatedSearcher is the memory of one query. It is used again by the next query.
type gatedSearcher struct {
	searcher
	lower []byte   // the query, trimmed and in lower case
	exact []uint32 // documents whose name it is, ascending
}

// acquire returns a searcher that has parsed the query.
func (x *Gated) acquire(text string) *gatedSearcher {
	s := x.searchers.Get().(*gatedSearcher)
	s.begin(&x.bags, text)
	s.lower = appendLower(s.lower[:0], trim(text))
	s.exact = x.exact.find(&x.names, s.lower, s.exact[:0])
	if x.edit != nil {
		s.exact = slices.DeleteFunc(s.exact, x.edited)
		if doc, ok := x.added(); ok && len(s.lower) > 0 && bytes.Equal(x.edit.name, s.lower) {
			s.exact = append(s.exact, doc)
			slices.Sort(s.exact)
		}
	}
	return s
}

// release keeps a searcher for the next query.
func (x *Gated) release(s *gatedSearcher) {
	if len(s.order) <= largeQuery {
		x.searchers.Put(s)
	}
}

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

// admits reports whether a document passes the gates.
func (s *gatedSearcher) admits(doc uint32) bool {
	bag := s.b.bag(doc)
	return s.open() && slices.Contains(bag, s.rarest().id) && s.matchedIn(bag) >= required(len(s.terms))
}

// admitted returns the documents of the lists that pass the gates and whose name is not
// the query, ascending. gathered reports whether they were gathered, with sums.
func (s *gatedSearcher) admitted() (docs []uint32, gathered bool) {
	if !s.open() {
		return nil, false
	}
	gate, left, least := s.rarest(), s.b.leaves(), required(len(s.terms))
	if spare, ok := s.bound(); ok && s.b.lists.Term(gate.id).DF > 0 {
		s.lists.Gather(gate.id, least, spare)
		for _, doc := range s.exact {
			s.lists.Leave(doc)
		}
		s.lists.Leave(left)
		return s.lists.Gathered(), true
	}
	s.docs = s.docs[:0]
	for doc := range s.b.lists.Postings(s.b.lists.Term(gate.id)) {
		if doc != left && s.matchedIn(s.b.documents[doc]) >= least && !s.isNamed(doc) {
			s.docs = append(s.docs, doc)
		}
	}
	return s.docs, false
}

// alsoAdmitted returns the document that the lists do not have as it is, if it passes the
// gates and its name is not the query.
func (s *gatedSearcher) alsoAdmitted() (doc uint32, ok bool) {
	doc, ok = s.b.added()
	return doc, ok && !s.isNamed(doc) && s.admits(doc)
}

// isNamed reports whether the name of a document is the query.
func (s *gatedSearcher) isNamed(doc uint32) bool {
	_, ok := slices.BinarySearch(s.exact, doc)
	return ok
}

// matchedIn returns how many terms of the query a bag has.
func (q *query) matchedIn(bag []uint32) int {
	n, last := 0, -1
	for _, id := range bag {
		if int(id) != last && q.table.MayHold(id) && q.table.Find(id) >= 0 {
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
	for _, doc := range s.exact {
		dst = append(dst, Hit{Doc: int(doc), Score: s.score(doc)})
	}
	slices.SortFunc(dst[before:], x.compare)
	dst = dst[:min(before+min(k, len(s.exact)), len(dst))]
	if k -= len(dst) - before; k > 0 {
		best := x.best(s, k)
		dst = append(dst, best[:min(k, len(best))]...)
	}
	return Result{Hits: dst}
}

// best returns the best k hits for what passes the gates and has not the name, and
// perhaps more.
func (x *Gated) best(s *gatedSearcher, k int) []Hit {
	if len(s.order) != 1 || s.tokens != 1 || k > championHits || len(s.exact) > 0 {
		return s.bestOf(k)
	}
	return s.champions(&x.champions, s.bestOf)
}

// bestOf is best without champions.
func (s *gatedSearcher) bestOf(k int) []Hit {
	docs, gathered := s.admitted()
	if gathered {
		docs = s.lists.GatheredBest(k)
	}
	s.hits = s.hits[:0]
	for _, doc := range docs {
		s.addHit(doc)
	}
	if doc, ok := s.alsoAdmitted(); ok {
		s.addHit(doc)
	}
	slices.SortFunc(s.hits, s.b.compare)
	return s.hits
}

// Scored returns how many tools a query admits.
func (x *Gated) Scored(query string) int {
	s := x.acquire(query)
	defer x.release(s)
	return s.scored()
}

func (s *gatedSearcher) scored() int {
	docs, _ := s.admitted()
	n := len(docs) + len(s.exact)
	if _, ok := s.alsoAdmitted(); ok {
		n++
	}
	return n
}

// Rank returns the rank of a document among all that a query admits, counting from
// 1, and its score. ok is false when the query does not admit it, or when there is
// no such document.
func (x *Gated) Rank(query string, doc int) (rank int, score float64, ok bool) {
	if !x.has(doc) {
		return 0, 0, false
	}
	s := x.acquire(query)
	defer x.release(s)
	target := Hit{Doc: doc, Score: s.score(uint32(doc))}
	ahead := func(doc uint32) bool { return x.compare(Hit{int(doc), s.score(doc)}, target) < 0 }
	switch rank = 1; {
	case s.isNamed(uint32(doc)):
		for _, other := range s.exact {
			if ahead(other) {
				rank++
			}
		}
	case !s.admits(uint32(doc)):
		return 0, 0, false
	default:
		rank += len(s.exact)
		docs, gathered := s.admitted()
		if gathered {
			rank += s.lists.GatheredAbove(target.Score/(x.params.K1+1), ahead)
			docs = nil
		}
		for _, other := range docs {
			if ahead(other) {
				rank++
			}
		}
		if other, ok := s.alsoAdmitted(); ok && ahead(other) {
			rank++
		}
	}
	return rank, target.Score, true
}
