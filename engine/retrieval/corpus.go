package retrieval

import (
	"context"
	"hash/maphash"
	"sync"

	"caliper/engine/retrieval/postings"
	"caliper/engine/retrieval/stem"
	"caliper/model"
)

// Corpus remembers the terms of tools by their content, so that a new index
// costs only the tools that are new. It has one Analysis. One corpus serves any number of
// catalogs, and is safe for concurrent use. See sweep for what it forgets.
type Corpus struct {
	analysis Analysis
	seeds    [2]maphash.Seed // of keys: nobody outside can aim at equal ones
	stems    *stem.Memory    // of words of queries

	mu      sync.Mutex
	dict    postings.Dictionary
	entries map[model.Hash]*entry // by key
	clock   uint64                // counts catalogs
	held    int                   // tokens of all entries
	spare   int                   // tokens kept beside the catalogs in use
	largest int                   // tokens of the largest catalog, fading by a sixteenth with each call
}

// entry is what is known of one tool.
type entry struct {
	tokens []uint32 // term numbers, grouped by term; never changed, indexes share them
	used   uint64   // clock of the last catalog that held the tool
}

// NewCorpus returns an empty corpus for the analysis of the reference, Words.
func NewCorpus() *Corpus { return NewCorpusOf(Words) }

// NewCorpusOf returns an empty corpus for an analysis.
func NewCorpusOf(a Analysis) *Corpus {
	return &Corpus{
		analysis: a,
		seeds:    [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		stems:    new(stem.Memory),
		dict:     postings.NewDictionary(),
		entries:  make(map[model.Hash]*entry),
		spare:    spareTokens,
	}
}

// documents returns the tokens of each tool and the dictionary that numbers
// them. When the context ends, the corpus stays as it was.
func (c *Corpus) documents(ctx context.Context, tools []*model.Tool) (postings.Dictionary, [][]uint32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	catalog := make([]*entry, len(tools))
	var fresh []*model.Tool
	var keys []model.Hash // of fresh
	for i, t := range tools {
		key := c.key(t)
		e := c.entries[key]
		if e == nil {
			e = new(entry)
			c.entries[key] = e
			fresh, keys = append(fresh, t), append(keys, key)
		}
		catalog[i] = e
	}
	if err := c.learn(ctx, fresh, keys); err != nil {
		for _, key := range keys {
			delete(c.entries, key)
		}
		return postings.Dictionary{}, nil, err
	}
	c.clock++
	size := 0
	for _, e := range catalog {
		e.used = c.clock
		size += len(e.tokens)
	}
	c.largest = max(size, c.largest-c.largest/16)
	c.sweep()
	documents := make([][]uint32, len(tools))
	for i, e := range catalog {
		documents[i] = e.tokens
	}
	return c.dict.Freeze(), documents, nil
}

// learn tokenizes tools into the entries of their keys, which exist and are
// empty.
func (c *Corpus) learn(ctx context.Context, tools []*model.Tool, keys []model.Hash) error {
	parts, err := analyse(ctx, c.analysis, tools)
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
			c.held += len(tokens)
			c.entries[keys[i]].tokens = tokens
		}
		keys = keys[len(a.tokens):]
	}
	return nil
}
