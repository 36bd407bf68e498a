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

// bag has the terms of one tool. Its memory never changes; indexes share it.
type bag struct {
	terms   []uint32 // each once; those that the tool has more often come last
	repeats []uint32 // how often it has each of these
	name    string   // in lower case
}

// length returns how many tokens the tool has.
func (b *bag) length() int {
	n := len(b.terms) - len(b.repeats)
	for _, tf := range b.repeats {
		n += int(tf)
	}
	return n
}

// frequency returns how often the tool has its term at an index; 0 for -1.
func (b *bag) frequency(at int) int {
	if often := at - (len(b.terms) - len(b.repeats)); often >= 0 {
		return int(b.repeats[often])
	}
	return min(at+1, 1)
}

// NewCorpus returns an empty corpus for the analysis of the reference, Words.
func NewCorpus() *Corpus { return NewCorpusOf(Words) }

// NewCorpusOf returns an empty corpus for an analysis.
func NewCorpusOf(a Analysis) *Corpus {
	return &Corpus{
		analysis: a,
		seeds:    [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		stems:    new(StemMemory),
		dict:     NewDictionary(),
		cache:    NewCache(spareTokens, func(b *bag) int { return len(b.terms) + len(b.repeats) }),
	}
}

// documents returns the bag of each tool and the dictionary that numbers
// them. When the context ends, the corpus stays as it was.
func (c *Corpus) documents(ctx context.Context, tools []*model.Tool) (Dictionary, []*bag, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := func(i int) model.Hash { return c.key(tools[i]) }
	catalog, err := c.cache.Catalog(len(tools), key, func(unknown []int, bags []*bag) error {
		return c.learn(ctx, tools, unknown, bags)
	}, func() { c.dict = NewDictionary() })
	if err != nil {
		return Dictionary{}, nil, err
	}
	return c.dict.Freeze(), catalog, nil
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
		for i, b := range a.bags {
			for at, id := range b.terms {
				b.terms[at] = number[id]
			}
			*bags[i] = b
		}
		bags = bags[len(a.bags):]
	}
	return nil
}

// spareTokens is how many tokens a corpus keeps beside the catalogs in use: 8
// MB.
const spareTokens = 1 << 21
