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
	ranking ranking
	index   retrieval.Ranker
}

// What is remembered of indexes: those of all rankers for a configuration, and
// as many for the same with other settings, between which a user goes to and
// fro; of large catalogs only that of a configuration and of one other.
const (
	keptIndexes   = 6
	leastIndexes  = 2
	keptDocuments = 500_000 // of all indexes together, beyond which only the least are kept
)

// indexOf returns the index of a catalog, one of those remembered if it is the
// same.
func (b *Builder) indexOf(ctx context.Context, catalog []*model.Tool, r ranking) (retrieval.Ranker, error) {
	b.mu.Lock()
	for i, l := range b.laid {
		if l.ranking == r && slices.Equal(l.catalog, catalog) {
			copy(b.laid[1:], b.laid[:i])
			b.laid[0] = l
			b.mu.Unlock()
			return l.index, nil
		}
	}
	b.mu.Unlock()
	index, err := b.corpora.rank(ctx, catalog, r)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.laid = slices.Insert(b.laid, 0, laid{catalog, r, index})
	kept, documents := 0, 0
	for kept < min(keptIndexes, len(b.laid)) {
		if documents += len(b.laid[kept].catalog); kept >= leastIndexes && documents > keptDocuments {
			break
		}
		kept++
	}
	b.laid = slices.Delete(b.laid, kept, len(b.laid))
	return index, nil
}
