package peers

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	index "github.com/blevesearch/bleve_index_api"

	"caliper/model"
)

// Bleve is a bleve index in memory, with the default analyzer, and BM25 for
// the scores. It is of the default kind, scorch: the kind that
// bleve.NewMemOnly makes is an older one, and slower.
type Bleve struct{ index bleve.Index }

// NewBleve returns the index of a catalog: document i is tools[i]. The caller
// closes it.
func NewBleve(tools []*model.Tool) (*Bleve, error) {
	// In memory the second name opens no store, but it must not be empty.
	x, err := bleve.NewUsing("", newMapping(), scorch.Name, scorch.Name, nil)
	if err != nil {
		return nil, fmt.Errorf("open bleve: %w", err)
	}
	b := &Bleve{x}
	if err := b.fill(tools); err != nil {
		return nil, fmt.Errorf("fill bleve: %w", errors.Join(err, b.Close()))
	}
	return b, nil
}

// newMapping returns the mapping of a document: its fields are indexed, and not
// also kept for display, highlights and sorting as they are by default. That
// halves the memory and saves a quarter of the build.
func newMapping() mapping.IndexMapping {
	fields := bleve.NewDocumentStaticMapping()
	for _, name := range []string{"name", "description", "parameters"} {
		field := bleve.NewTextFieldMapping()
		field.Store, field.IncludeTermVectors, field.DocValues = false, false, false
		fields.AddFieldMappingsAt(name, field)
	}
	m := bleve.NewIndexMapping()
	m.DefaultMapping = fields
	m.ScoringModel = index.BM25Scoring
	return m
}

// fill indexes all tools as one batch. In memory bleve never merges what its
// batches leave, so that one is searched several times as fast as batches of a
// thousand; it builds as fast.
func (b *Bleve) fill(tools []*model.Tool) error {
	batch := b.index.NewBatch()
	for i, t := range tools {
		if err := batch.Index(strconv.Itoa(i), newDocument(t)); err != nil {
			return err
		}
	}
	return b.index.Batch(batch)
}

// Search returns the k best documents for any of the query's words in any
// field, best first; none when k is not positive. It is an error when the index
// is closed.
func (b *Bleve) Search(query string, k int) ([]int, error) {
	if k <= 0 {
		return nil, nil
	}
	request := bleve.NewSearchRequestOptions(bleve.NewMatchQuery(query), k, 0, false)
	result, err := b.index.Search(request)
	if err != nil {
		return nil, fmt.Errorf("bleve, query %q: %w", query, err)
	}
	docs := make([]int, len(result.Hits))
	for i, hit := range result.Hits {
		if docs[i], err = strconv.Atoi(hit.ID); err != nil {
			return nil, fmt.Errorf("bleve, query %q: %w", query, err)
		}
	}
	return docs, nil
}

// Close frees the index.
func (b *Bleve) Close() error { return b.index.Close() }
