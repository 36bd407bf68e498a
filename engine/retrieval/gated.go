package retrieval

import (
	"context"
	"errors"
	"slices"

	"caliper/model"
	"caliper/model/words"
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
	named map[string][]uint32 // the documents of each name, in lower case
}

const (
	fewTerms = 4   // answerable terms from which half must match
	leastDL  = 1.0 // mean length of documents
)

// Gated returns the index of a catalog: document i is tools[i]. It keeps no
// tool. It is an error when the corpus has another analysis than Stems and when
// the context ends. The cost is Index's.
func (c *Corpus) Gated(ctx context.Context, tools []*model.Tool) (*Gated, error) {
	if c.analysis != Stems {
		return nil, errors.New("bm25-gated: the corpus has no stems")
	}
	b, err := c.newBags(ctx, tools, Reference, leastDL)
	if err != nil {
		return nil, err
	}
	x := &Gated{bags: b, named: make(map[string][]uint32, len(tools))}
	for doc, d := range b.documents {
		x.named[d.name] = append(x.named[d.name], uint32(doc))
	}
	delete(x.named, "")
	return x, nil
}

// acquire returns a searcher that has read the query.
func (x *Gated) acquire(text string) *searcher {
	s := x.bags.acquire(text)
	name := lower(words.Strip(text))
	s.named = x.replace(x.named[name], name != "" && x.edit != nil && x.edit.bag.name == name)
	return s
}

// open reports whether a document can pass the first gate: a tool of the catalog
// has each token.
func (s *searcher) open() bool { return s.tokens > 0 && len(s.order) == s.tokens }

// rarest returns the term that a document must have, of a query that is open.
func (s *searcher) rarest() queryTerm {
	return slices.MinFunc(s.terms, func(a, b queryTerm) int { return a.df - b.df })
}

// required returns how many of a number of answerable terms a document must
// hold.
func required(answerable int) int {
	if answerable < fewTerms {
		return min(1, answerable)
	}
	return (answerable + 1) / 2
}

// covers reports whether a document that passes the first gate passes the second.
func (s *searcher) covers(doc uint32) bool {
	least := required(len(s.terms))
	return least <= 1 || s.matched(doc) >= least
}

// admits reports whether a document passes the gates.
func (s *searcher) admits(doc uint32) bool {
	return s.open() && slices.Contains(s.b.bag(doc).terms, s.rarest().id) && s.covers(doc)
}

// isNamed reports whether the name of a document is the query.
func (s *searcher) isNamed(doc uint32) bool {
	_, ok := slices.BinarySearch(s.named, doc)
	return ok
}

// eachGated calls visit with the documents that pass the first gate and whose name is not the
// query, and with their scores; 0 for some that score less than least.
func (s *searcher) eachGated(least float64, visit func(doc uint32, h Hit)) {
	if !s.open() {
		return
	}
	gate, postings := s.rarest().id, s.b.postings
	var docs []uint32
	if postings.DF(gate) > 0 {
		docs = postings.Docs(gate)
	}
	const ofBag = 32 // the score of a document by its bag, in postings added
	work := 0
	for _, at := range s.order {
		if df := s.terms[at].df; postings.IsCommon(s.terms[at].id) {
			work += min(df, len(docs)*lookUp)
		} else {
			work += df
		}
	}
	score := func(doc uint32) float64 { return s.exact(doc, least) }
	switch {
	case s.b.edit != nil:
		docs = s.b.replace(docs, slices.Contains(s.b.edit.bag.terms, gate))
		s.addTerms()
	case len(docs)*ofBag < work:
		score = s.score
	default:
		for _, at := range s.order {
			s.sums.addFor(docs, postings, s.terms[at].id, s.terms[at].idf)
		}
	}
	for _, doc := range docs {
		if !s.isNamed(doc) {
			visit(doc, s.b.hit(doc, score(doc)))
		}
	}
}

// Search returns the k best tools for a query: all of them when fewer are
// admitted, none when k is not positive.
func (x *Gated) Search(query string, k int) Result { return x.SearchInto(nil, query, k) }

// SearchInto is Search, but appends the hits to dst. It does not allocate when
// dst has room, but for a query that is not in lower case or has thousands of tokens,
// words whose stem is not remembered, and the first queries of an index.
func (x *Gated) SearchInto(dst []Hit, query string, k int) Result {
	if k <= 0 {
		return Result{Hits: dst}
	}
	s := x.acquire(query)
	defer x.release(s)
	if s.tokens == 1 && len(s.order) == 1 && len(s.named) == 0 {
		return Result{Hits: x.appendHits(dst, s.best(k))} // all that have the word are admitted
	}
	s.sums.Begin(k)
	for _, doc := range s.named {
		s.sums.Offer(x.hit(doc, s.score(doc)))
	}
	dst = x.appendHits(dst, s.sums.Sorted())
	if k -= len(s.named); k > 0 {
		s.sums.Begin(k)
		s.eachGated(0, func(doc uint32, h Hit) {
			if s.sums.Wants(h) && s.covers(doc) {
				s.sums.Offer(h)
			}
		})
		dst = x.appendHits(dst, s.sums.Sorted())
	}
	return Result{Hits: dst}
}

// Scored returns how many tools a query admits.
func (x *Gated) Scored(query string) int {
	s := x.acquire(query)
	defer x.release(s)
	return s.admitted()
}

func (s *searcher) admitted() int {
	n := len(s.named)
	s.eachGated(0, func(doc uint32, _ Hit) {
		if s.covers(doc) {
			n++
		}
	})
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
	own := x.hit(uint32(doc), s.score(uint32(doc)))
	switch rank = 1; {
	case s.isNamed(uint32(doc)):
		for _, other := range s.named {
			if compareHits(x.hit(other, s.score(other)), own) < 0 {
				rank++
			}
		}
	case !s.admits(uint32(doc)):
		return 0, 0, false
	default:
		rank += len(s.named)
		s.eachGated(own.Score, func(doc uint32, h Hit) {
			if compareHits(h, own) < 0 && s.covers(doc) {
				rank++
			}
		})
	}
	return rank, own.Score, true
}

// Finds reports whether a query admits a document. It reads the document and none of
// the postings. It is false when there is no such document.
func (x *Gated) Finds(query string, doc int) bool {
	if !x.has(doc) {
		return false
	}
	s := x.acquire(query)
	defer x.release(s)
	return s.isNamed(uint32(doc)) || s.admits(uint32(doc))
}
