package retrieval

import (
	"context"
	"hash/maphash"
	"sync"

	"caliper/model"
)

// Corpus remembers the terms of tools by their content hash, so that a new
// index costs only the tools that are new. One corpus serves any number of
// catalogs, and is safe for concurrent use. See sweep for what it forgets.
type Corpus struct {
	mu      sync.Mutex
	dict    dictionary
	entries map[model.Hash]*entry
	clock   uint64 // counts calls of Index
	held    int    // tokens of all entries
	spare   int    // tokens kept beside the catalogs in use
	largest int    // tokens of the largest catalog, fading by a sixteenth with each call
}

// entry is what is known of one tool.
type entry struct {
	tokens []uint32 // term numbers, grouped by term; never changed, indexes share them
	used   uint64   // clock of the last catalog that held the tool
}

// NewCorpus returns an empty corpus.
func NewCorpus() *Corpus {
	return &Corpus{
		dict:    newDictionary(maphash.MakeSeed()),
		entries: make(map[model.Hash]*entry),
		spare:   spareTokens,
	}
}

// Index returns the index of a catalog: document i is tools[i]. The index
// never changes and keeps no tool. It is an error when p is out of range, when
// the context ends, and when a catalog has more than 2^32 postings.
//
// Tools never seen are tokenized, on all cores; that part of the work is done
// for one catalog at a time. Then the postings are laid anew, at some 10 ns for
// each on two cores.
func (c *Corpus) Index(ctx context.Context, tools []*model.Tool, p Params) (*Index, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	dict, documents, err := c.documents(ctx, tools)
	if err != nil {
		return nil, err
	}
	return lay(ctx, dict, tools, documents, p)
}

// documents returns the tokens of each tool and the dictionary that numbers
// them. When the context ends, the corpus stays as it was.
func (c *Corpus) documents(ctx context.Context, tools []*model.Tool) (dictionary, [][]uint32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	catalog := make([]*entry, len(tools))
	var fresh []*model.Tool
	for i, t := range tools {
		e := c.entries[t.Hash]
		if e == nil {
			e = new(entry)
			c.entries[t.Hash] = e
			fresh = append(fresh, t)
		}
		catalog[i] = e
	}
	if err := c.learn(ctx, fresh); err != nil {
		for _, t := range fresh {
			delete(c.entries, t.Hash)
		}
		return dictionary{}, nil, err
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
	return c.dict.freeze(), documents, nil
}

// learn tokenizes tools into their entries, which exist and are empty.
func (c *Corpus) learn(ctx context.Context, tools []*model.Tool) error {
	parts, err := analyse(ctx, c.dict.seed, tools)
	if err != nil {
		return err
	}
	for _, a := range parts {
		number := make([]uint32, a.dict.len()) // of each of the part's terms
		for id := range number {
			term := a.dict.term(uint32(id))
			number[id] = c.dict.intern(term, c.dict.hash(term))
		}
		tokens := make([]uint32, len(a.tokens))
		for i, id := range a.tokens {
			tokens[i] = number[id]
		}
		c.held += len(tokens)
		for _, n := range a.lengths {
			c.entries[tools[0].Hash].tokens = tokens[:n:n]
			tools, tokens = tools[1:], tokens[n:]
		}
	}
	return nil
}
