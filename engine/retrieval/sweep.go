package retrieval

import (
	"maps"
	"slices"

	"caliper/engine/retrieval/postings"
	"caliper/model"
)

// spareTokens is how many tokens a corpus keeps beside the catalogs in use: 8
// MB.
const spareTokens = 1 << 21

// sweep forgets tools when the corpus holds more than its spare tokens and
// twice the tokens of the largest recent catalog. Those that were not used
// for the longest time go first, until a quarter of the limit is free; those
// of the present catalog stay. What stays is copied and renumbered, so that
// the terms and the memory of the others go too. Indexes made before keep
// what they share with the corpus until they are dropped themselves.
//
// A corpus is thereby bounded over any number of reloads, and the cost of a
// sweep is spread over the tokens that led to it.
func (c *Corpus) sweep() {
	limit := c.spare + 2*c.largest
	if c.held <= limit {
		return
	}
	oldest := c.oldest(limit - limit/4)
	maps.DeleteFunc(c.entries, func(_ model.Hash, e *entry) bool { return e.used < oldest })
	c.held = 0
	for _, e := range c.entries {
		c.held += len(e.tokens)
	}
	c.renumber()
}

// oldest returns the earliest clock whose tools, with all later ones, have no
// more than limit tokens; or the present clock.
func (c *Corpus) oldest(limit int) uint64 {
	tokens := make(map[uint64]int)
	for _, e := range c.entries {
		tokens[e.used] += len(e.tokens)
	}
	oldest, sum := c.clock, 0
	for _, used := range slices.Backward(slices.Sorted(maps.Keys(tokens))) {
		if sum += tokens[used]; sum > limit {
			break
		}
		oldest = used
	}
	return oldest
}

// renumber moves the entries to a new dictionary and into new memory.
func (c *Corpus) renumber() {
	old := c.dict
	c.dict = postings.NewDictionary()
	number := make([]uint32, old.Len()) // new number + 1
	memory := make([]uint32, 0, c.held)
	for _, e := range c.entries {
		start := len(memory)
		for _, id := range e.tokens {
			if number[id] == 0 {
				number[id] = c.dict.Intern(old.Term(id)) + 1
			}
			memory = append(memory, number[id]-1)
		}
		e.tokens = memory[start:len(memory):len(memory)]
	}
}
