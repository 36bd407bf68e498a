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
// Documents and queries are stems (see Stems). A tool is admitted when it
// passes two gates: it holds the query's rarest token (a token that no tool
// holds is rarest of all; of equals the first), and enough of the distinct
// tokens that stand in the catalog, the answerable ones: half of them, rounded
// up, when there are four or more, else one. Its score is BM25 with the
// parameters of the reference, over the query's tokens in order, repeats
// counted; the mean length is at least 1.
//
// A tool whose name is the query, trimmed and in lower case, is admitted
// whatever the gates say. Its score has a bonus: 1, and for every token of the
// query that stands in the catalog k1+1 times its idf, which is more than the
// token can add to any score. So it stands before all others.
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
	b, err := c.lay(ctx, tools, Reference, leastDL)
	if err != nil {
		return nil, err
	}
	x := &Gated{bags: b}
	x.exact = newExactNames(&x.names)
	x.searchers.New = func() any { return &gatedSearcher{x: x, Searcher: x.lists.NewSearcher()} }
	return x, nil
}

// gatedSearcher is the working memory of one query at a time.
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

// borrow returns a searcher that has parsed the query.
func (x *Gated) borrow(text string) *gatedSearcher {
	s := x.searchers.Get().(*gatedSearcher)
	s.parse(&x.bags, text)
	s.scorer.begin(len(s.terms))
	s.plan(s.Searcher)
	s.name = appendLower(s.name[:0], trim(text))
	s.exact = x.exact.find(&x.names, s.name, s.exact[:0])
	return s
}

// giveBack takes a searcher back.
func (x *Gated) giveBack(s *gatedSearcher) {
	if len(s.order) <= largeQuery {
		x.searchers.Put(s)
	}
}

// score returns the score of a document without the bonus.
func (s *gatedSearcher) score(doc uint32) float64 { return s.scorer.score(&s.x.bags, &s.query, doc) }

// bonus returns what a tool whose name is the query has beyond its tokens.
func (q *query) bonus(p Params) float64 {
	bonus := 1.0
	for _, place := range q.order {
		bonus += float64((p.K1 + 1) * q.terms[place].idf)
	}
	return bonus
}

// open tells whether a document can pass the first gate: every token stands in
// the catalog.
func (q *query) open() bool { return q.tokens > 0 && len(q.order) == q.tokens }

// gate returns the term that a document must hold, of a query that is open.
func (q *query) gate() queryTerm {
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
	gate, least := s.gate(), required(len(s.terms))
	if s.exactly() {
		return s.Gather(gate.id, least, s.spare())
	}
	s.docs = s.docs[:0]
	for doc := range s.x.lists.Postings(s.x.lists.Term(gate.id)) {
		if s.matched(&s.x.bags, doc) >= least {
			s.docs = append(s.docs, doc)
		}
	}
	return s.docs
}

// exactly tells whether the query has no more terms than a plan may have.
func (q *query) exactly() bool { return len(q.terms) <= postings.MaxTerms }

// matched returns how many terms of the query a document holds.
func (q *query) matched(b *bags, doc uint32) int {
	n, last := 0, -1
	for _, id := range b.documents[doc] {
		if int(id) != last && q.place(id) >= 0 {
			n++
		}
		last = int(id)
	}
	return n
}
