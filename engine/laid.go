package engine

import (
	"context"
	"slices"

	"caliper/engine/retrieval"
	"caliper/model"
)

// laid is an index and what it is a function of.
type laid struct {
	catalog []*model.Tool
	params  retrieval.Params
	index   *retrieval.Index
}

// keptIndexes is how many indexes are remembered: that of a configuration and
// that of the same with other settings, between which a user goes to and fro.
const keptIndexes = 2

// indexOf returns the index of a catalog, one of those remembered if it is the
// same.
func (b *Builder) indexOf(ctx context.Context, catalog []*model.Tool, p retrieval.Params) (*retrieval.Index, error) {
	b.mu.Lock()
	for i, l := range b.laid {
		if l.params == p && slices.Equal(l.catalog, catalog) {
			copy(b.laid[1:], b.laid[:i])
			b.laid[0] = l
			b.mu.Unlock()
			return l.index, nil
		}
	}
	b.mu.Unlock()
	index, err := b.corpus.Index(ctx, catalog, p)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.laid = slices.Insert(b.laid, 0, laid{catalog, p, index})
	b.laid = slices.Delete(b.laid, min(keptIndexes, len(b.laid)), len(b.laid))
	return index, nil
}
