package peers

import (
	"context"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/meaning"
	"caliper/model"
)

// searcher is an index of a catalog, caliper's or a peer's.
type searcher interface {
	// Search returns the k best documents for a query, best first.
	Search(query string, k int) ([]int, error)
	Close() error
}

// ranker makes indexes of one kind.
type ranker struct {
	name  string
	peer  bool
	index func(tools []*model.Tool) (searcher, error)
}

// meaningWeight is the default one.
const meaningWeight = 0.4

// rankers are all that are compared: caliper's, then the peers.
var rankers = []ranker{
	{name: "bm25", index: own(func(tools []*model.Tool) (retrieval.Ranker, any, error) {
		c := retrieval.NewCorpus()
		x, err := c.Index(context.Background(), tools, retrieval.Reference)
		return x, c, err
	})},
	{name: "gated", index: own(func(tools []*model.Tool) (retrieval.Ranker, any, error) {
		c := retrieval.NewCorpusOf(retrieval.Stems)
		x, err := c.Gated(context.Background(), tools)
		return x, c, err
	})},
	{name: "fielded", index: own(func(tools []*model.Tool) (retrieval.Ranker, any, error) {
		c := fielded.NewCorpus()
		x, err := c.Index(context.Background(), tools, nil, fielded.Default)
		return x, c, err
	})},
	{name: "hybrid", index: own(func(tools []*model.Tool) (retrieval.Ranker, any, error) {
		c := fielded.NewCorpus()
		base, err := c.Index(context.Background(), tools, nil, fielded.Default)
		if err != nil {
			return nil, nil, err
		}
		x, err := meaning.New(base, meaningWeight)
		return x, c, err
	})},
	{name: "bleve", peer: true, index: func(tools []*model.Tool) (searcher, error) { return NewBleve(tools) }},
	{name: "fts5", peer: true, index: func(tools []*model.Tool) (searcher, error) { return NewFTS5(tools) }},
}

// peers returns the rankers that are not caliper's.
func peers() []ranker { return rankers[len(rankers)-2:] }

// ownSearcher is an index of caliper's, with the corpus that it is made of: the
// program keeps both, so both count as its memory.
type ownSearcher struct {
	ranker retrieval.Ranker
	corpus any
	hits   []retrieval.Hit
}

// own makes searchers of what index returns.
func own(index func(tools []*model.Tool) (retrieval.Ranker, any, error)) func([]*model.Tool) (searcher, error) {
	return func(tools []*model.Tool) (searcher, error) {
		x, corpus, err := index(tools)
		return &ownSearcher{ranker: x, corpus: corpus}, err
	}
}

// Search allocates the documents that it returns, as the peers do.
func (s *ownSearcher) Search(query string, k int) ([]int, error) {
	s.hits = s.ranker.SearchInto(s.hits[:0], query, k).Hits
	docs := make([]int, len(s.hits))
	for i, h := range s.hits {
		docs[i] = h.Doc
	}
	return docs, nil
}

func (s *ownSearcher) Close() error { return nil }
