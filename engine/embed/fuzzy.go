package embed

import (
	"context"
	"sync"

	"caliper/model"
)

// FuzzyIndex knows the words of tools. It never changes and is safe for concurrent
// use.
type FuzzyIndex struct {
	tools []*model.Tool
	rows  map[*model.Tool]uint32
	words *vocabulary

	from   []uint32  // of each word, and one more: its first entry
	rowOf  []uint32  // by entry: a tool that holds the word
	weight []float32 // by entry: what the word tells of the tool, at most 1

	memory sync.Pool // *searcher
}

var _ Similarity = (*FuzzyIndex)(nil)

// Identity returns the provider "fuzzy", which has no model and no dimension.
func (x *FuzzyIndex) Identity() Identity { return Identity{Provider: "fuzzy"} }

// Floor returns the score above which a tool is like a message: 0.12.
func (x *FuzzyIndex) Floor([]float64, float64) float64 { return floor }

// NewFuzzy returns the index of tools: the words of their names, toolsets,
// descriptions and parameter names. How rare a word is, is counted over tools.
// The only error is ctx's. It keeps tools, which must not change
// afterwards; a tool that is there twice has its first place.
func NewFuzzy(ctx context.Context, tools []*model.Tool) (*FuzzyIndex, error) {
	b := newBuilder()
	x := newIndex(tools)
	for i, t := range tools {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.tool(t)
	}
	b.lay(x)
	words := b.words
	b = nil // what it holds of every tool is as large as the vocabulary, and is not needed beside it
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x.words = newVocabulary(words)
	return x, nil
}

// newIndex returns an index that knows the places of tools, and no words yet.
func newIndex(tools []*model.Tool) *FuzzyIndex {
	x := &FuzzyIndex{tools: tools, rows: make(map[*model.Tool]uint32, len(tools))}
	for i, t := range tools {
		if _, twice := x.rows[t]; !twice {
			x.rows[t] = uint32(i)
		}
	}
	x.memory.New = func() any { return newSearcher(x) }
	return x
}
