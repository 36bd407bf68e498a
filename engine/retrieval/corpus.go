package retrieval

import (
	"context"
	"hash/maphash"
	"sync"

	"caliper/engine/retrieval/lexicon"
	"caliper/engine/retrieval/postings"
	"caliper/model"
)

// Corpus remembers the bags of tools by their content, so that a new index has to
// read only the tools that are new. It has one Analysis. One corpus serves any
// number of catalogs and is safe for concurrent use. See package cache for what it forgets.
type Corpus struct {
	analysis Analysis
	seeds    [2]maphash.Seed     // of keys: nobody outside can aim at equal ones
	stems    *lexicon.StemMemory // of words of queries

	mu    sync.Mutex
	dict  postings.Dictionary
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
		stems:    new(lexicon.StemMemory),
		dict:     postings.NewDictionary(),
		cache:    NewCache(spareTokens, func(b *bag) int { return len(*b) }),
	}
}

// documents returns the tokens of each tool and the dictionary that numbers
// them. When the context ends, the corpus stays as it was.
func (c *Corpus) documents(ctx context.Context, tools []*model.Tool) (postings.Dictionary, [][]uint32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := func(i int) model.Hash { return c.key(tools[i]) }
	catalog, err := c.cache.Catalog(len(tools), key, func(unknown []int, bags []*Entry[bag]) error {
		return c.learn(ctx, tools, unknown, bags)
	})
	if err != nil {
		return postings.Dictionary{}, nil, err
	}
	if c.cache.Sweep() {
		c.renumber()
	}
	documents := make([][]uint32, len(tools))
	for i, b := range catalog {
		documents[i] = b.Value
	}
	return c.dict.Freeze(), documents, nil
}

// learn tokenizes the tools that are unknown into their bags.
func (c *Corpus) learn(ctx context.Context, tools []*model.Tool, unknown []int, bags []*Entry[bag]) error {
	parts, err := analyse(ctx, c.analysis, tools, unknown)
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
			bags[i].Value = tokens
		}
		bags = bags[len(a.tokens):]
	}
	return nil
}

// spareTokens is how many tokens a corpus keeps beside the catalogs in use: 8
// MB.
const spareTokens = 1 << 21

// renumber moves the bags to a new dictionary and into new memory, so that the
// terms and the memory of what was forgotten are freed. Indexes made before keep
// the memory that they share with the corpus until they are dropped themselves.
func (c *Corpus) renumber() {
	old := c.dict
	c.dict = postings.NewDictionary()
	number := make([]uint32, old.Len()) // new number + 1
	memory := make([]uint32, 0, c.cache.Size())
	for b := range c.cache.All() {
		start := len(memory)
		for _, id := range *b {
			if number[id] == 0 {
				number[id] = c.dict.Intern(old.Term(id)) + 1
			}
			memory = append(memory, number[id]-1)
		}
		*b = memory[start:len(memory):len(memory)]
	}
}
