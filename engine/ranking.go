package engine

import (
	"context"
	"slices"

	"caliper/config"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model"
)

// corpora are what is remembered of the words of tools, one for each ranker.
type corpora struct {
	words   *retrieval.Corpus // for bm25
	stems   *retrieval.Corpus // for bm25-gated
	fielded *fielded.Corpus
}

func newCorpora() corpora {
	return corpora{
		words:   retrieval.NewCorpus(),
		stems:   retrieval.NewCorpusOf(retrieval.Stems),
		fielded: fielded.NewCorpus(),
	}
}

// ranking is how a snapshot ranks: by which ranker, with which parameters
// where it has any, and what the toolsets say of themselves.
type ranking struct {
	ranker   string // of config.Rankers
	params   retrieval.Params
	registry *model.Registry // whose toolsets' texts count; nil where none do
}

// ranking returns how the snapshot ranks.
func (s *Snapshot) ranking() ranking {
	r := ranking{ranker: s.Config.ToolSearch.Ranker}
	switch r.ranker {
	case config.RankerFielded:
		r.registry = s.Registry
	case config.RankerGated:
	default:
		r.params = s.Ranking
	}
	return r
}

// IndexOver returns an index over other tools of the registry than the
// session's catalog, ranked as the snapshot ranks: document i is tools[i]. Over
// the catalog itself it is the one that Search asks. The error is ctx's.
func (s *Snapshot) IndexOver(ctx context.Context, tools []*model.Tool) (retrieval.Ranker, error) {
	if slices.Equal(tools, s.catalog) {
		return s.index, nil
	}
	return s.corpora.rank(ctx, tools, s.ranking())
}

// rank returns a new index of a catalog.
func (c corpora) rank(ctx context.Context, catalog []*model.Tool, r ranking) (retrieval.Ranker, error) {
	switch r.ranker {
	case config.RankerFielded:
		return c.fielded.Index(ctx, catalog, r.registry.Toolset, fielded.Default)
	case config.RankerGated:
		return c.stems.Gated(ctx, catalog)
	}
	return c.words.Index(ctx, catalog, r.params)
}
