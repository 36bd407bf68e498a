package retrieval

import (
	"context"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/words"
)

// Index ranks the tools of one catalog as the reference agent does: ranker
// bm25. It never changes and is safe for concurrent use.
type Index struct{ bags }

// Index returns the index of a catalog: document i is tools[i]. The index keeps no tool. It is
// an error when p is out of range and when the context ends.
//
// Tools that the corpus has not seen are tokenized on all cores, for one catalog at
// a time. Then all postings are made anew.
func (c *Corpus) Index(ctx context.Context, tools []*model.Tool, p Params) (*Index, error) {
	b, err := c.newBags(ctx, tools, p, 0)
	if err != nil {
		return nil, err
	}
	return &Index{b}, nil
}

// Whole returns the score of a tool that has each word of a query once, in a field of
// average length, where k1 adds nothing: the sum of their idf, also of words that no tool has.
func (x *Index) Whole(query string) (sum float64) {
	s := x.acquire(query)
	defer x.release(s)
	repeats := make([]float64, len(s.terms))
	for _, at := range s.order {
		repeats[at]++
	}
	for i, t := range s.terms {
		sum += t.idf * repeats[i]
	}
	return sum + idf(0, x.Len())*float64(s.tokens-len(s.order))
}

// Search returns the k best tools for a query: all of them when fewer score,
// none when k is not positive. A query without tokens finds nothing. When no tool
// has a token of the query, the hits are the first k tools whose name contains the
// query (see Result).
func (x *Index) Search(query string, k int) Result {
	return x.SearchInto(nil, query, k)
}

// SearchInto is Search, but appends the hits to dst. It does not allocate
// when dst has room, but for a literal fallback, a query of
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
	case len(s.terms) > 0:
		return Result{Hits: x.appendHits(dst, s.best(k))}
	}
	docs := s.literal()
	for _, doc := range docs[:min(k, len(docs))] {
		dst = append(dst, Hit{Doc: doc, Score: FallbackScore})
	}
	return Result{Hits: dst, Fallback: len(docs) > 0}
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
		if at := slices.Index(s.literal(), doc); at >= 0 {
			return at + 1, FallbackScore, true
		}
		return 0, 0, false
	}
	s.addTerms()
	score = s.exact(uint32(doc), 0)
	if score == 0 {
		return 0, 0, false
	}
	rank, own := 1, x.hit(uint32(doc), score)
	for _, other := range s.sums.AtLeast(0) {
		if compareHits(x.hit(other, s.exact(other, score)), own) < 0 {
			rank++
		}
	}
	return rank, score, true
}

// Scored returns how many tools a query finds: the number of hits of Search
// without a limit.
func (x *Index) Scored(query string) int {
	s := x.acquire(query)
	defer x.release(s)
	if s.tokens > 0 && len(s.terms) == 0 {
		return len(s.literal())
	}
	s.addTerms()
	return len(s.sums.AtLeast(0))
}

// Finds reports whether a query finds a document: whether Search without a limit has
// it. It reads the document and none of the postings. It is false when there is no
// such document.
func (x *Index) Finds(query string, doc int) bool {
	if !x.has(doc) {
		return false
	}
	s := x.acquire(query)
	defer x.release(s)
	if s.tokens > 0 && len(s.terms) == 0 {
		return strings.Contains(x.bag(uint32(doc)).name, lower(words.Strip(query)))
	}
	return s.matched(uint32(doc)) > 0
}

// matched returns how many terms of the query a document has.
func (s *searcher) matched(doc uint32) (n int) {
	for _, id := range s.b.bag(doc).terms {
		if s.index[id] > 0 {
			n++
		}
	}
	return n
}
