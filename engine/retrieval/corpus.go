package retrieval

import (
	"context"
	"hash/maphash"
	"sync"

	"caliper/model"
)

// Corpus remembers the bags of tools by their content, so that a new index has to
// read only the tools that are new. It has one Analysis. One corpus serves any
// number of catalogs and is safe for concurrent use. See Cache for what it forgets.
type Corpus struct {
	analysis Analysis
	seeds    [2]maphash.Seed // of keys: nobody outside can aim at equal ones
	stems    *StemMemory     // of words of queries

	mu    sync.Mutex
	dict  Dictionary
	cache *Cache[bag]
}

// bag has the tokens of one tool as numbers of terms, grouped by term. Its memory
// never changes; indexes share it.
type bag []uint32

// NewCorpus returns an empty corpus for the analysis of the reference, Words.
func NewCorpus() *Corpus { return NewCorpusOf(Words) }

// NewCorpusOf returns an empty corpus for an analysis.
func NewCorpusOf(a Analysis) *Corpus {
	return &Corpus{
		analysis: a,
		seeds:    [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		stems:    new(StemMemory),
		dict:     NewDictionary(),
		cache:    NewCache(spareTokens, func(b *bag) int { return len(*b) }),
	}
}

// documents returns the tokens of each tool and the dictionary that numbers
// them. When the context ends, the corpus stays as it was.
func (c *Corpus) documents(ctx context.Context, tools []*model.Tool) (Dictionary, [][]uint32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := func(i int) model.Hash { return c.key(tools[i]) }
	catalog, err := c.cache.Catalog(len(tools), key, func(unknown []int, bags []*bag) error {
		return c.learn(ctx, tools, unknown, bags)
	}, func() { c.dict = NewDictionary() })
	if err != nil {
		return Dictionary{}, nil, err
	}
	documents := make([][]uint32, len(tools))
	for i, b := range catalog {
		documents[i] = *b
	}
	return c.dict.Freeze(), documents, nil
}

// learn tokenizes the tools that are unknown into their bags, on all cores: analyser i has the
// i-th part of them, in order.
func (c *Corpus) learn(ctx context.Context, tools []*model.Tool, unknown []int, bags []*bag) error {
	parts := make([]*analyser, Parts(len(unknown)))
	for i := range parts {
		parts[i] = newAnalyser(c.analysis)
	}
	err := Parallel(ctx, len(unknown), len(parts), func(part, from, to int) {
		for _, i := range unknown[from:to] {
			parts[part].addTool(tools[i])
		}
	})
	if err != nil {
		return err
	}
	for _, a := range parts {
		number := make([]uint32, a.dict.Len()) // of each of the part's terms
		for id := range number {
			number[id] = c.dict.Intern(a.dict.Term(uint32(id)))
		}
		for i, tokens := range a.tokens {
			for at, id := range tokens {
				tokens[at] = number[id]
			}
			*bags[i] = tokens
		}
		bags = bags[len(a.tokens):]
	}
	return nil
}

// spareTokens is how many tokens a corpus keeps beside the catalogs in use: 8
// MB.
const spareTokens = 1 << 21
