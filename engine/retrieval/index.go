package retrieval

import (
	"context"
	"sync"

	"caliper/engine/retrieval/postings"
	"caliper/model"
)

// Index ranks the tools of one catalog as the reference agent does: ranker
// bm25. It never changes and is safe for concurrent use.
type Index struct {
	bags
	champions postings.Champions[Hit]
	searchers sync.Pool
}

// Index returns the index of a catalog: document i is tools[i]. The index
// never changes and keeps no tool. It is an error when p is out of range, when
// the context ends, and when a catalog has more than 2^32 postings.
//
// Tools never seen are tokenized, on all cores; that part of the work is done
// for one catalog at a time. Then the postings are laid anew, at some 10 ns for
// each on two cores.
func (c *Corpus) Index(ctx context.Context, tools []*model.Tool, p Params) (*Index, error) {
	b, err := c.lay(ctx, tools, p, 0)
	if err != nil {
		return nil, err
	}
	x := &Index{bags: b}
	x.searchers.New = func() any { return &searcher{x: x, Searcher: x.lists.NewSearcher()} }
	return x, nil
}
