package fielded

import (
	"maps"
	"slices"
	"strings"

	"caliper/model"
)

// spareWords is how many words of 4 bytes a corpus keeps beside the catalogs
// in use: 16 MB.
const spareWords = 1 << 22

// sweep forgets tools when the corpus holds more than its spare words and
// twice the words of the largest recent catalog. Those that were not used for
// the longest time go first, until a quarter of the limit is free; those of
// the present catalog stay. What stays is copied and renumbered, so that the
// terms and the memory of the others go too. Indexes made before keep what they
// share with the corpus until they are dropped themselves.
//
// A corpus is thereby bounded over any number of reloads, and the cost of a
// sweep is spread over the words that led to it.
func (c *Corpus) sweep() {
	limit := c.spare + 2*c.largest
	if c.held <= limit {
		return
	}
	oldest := c.oldest(limit - limit/4)
	maps.DeleteFunc(c.entries, func(_ model.Hash, e *entry) bool { return e.used < oldest })
	c.renumber()
}

// oldest returns the earliest clock whose tools, with all later ones, have no
// more than limit words; or the present clock.
func (c *Corpus) oldest(limit int) uint64 {
	words := make(map[uint64]int)
	for _, e := range c.entries {
		words[e.used] += len(e.record)
	}
	oldest, sum := c.clock, 0
	for _, used := range slices.Backward(slices.Sorted(maps.Keys(words))) {
		if sum += words[used]; sum > limit {
			break
		}
		oldest = used
	}
	return oldest
}

// renumber moves the entries to new numbers and into new memory.
func (c *Corpus) renumber() {
	old := c.numbers
	c.numbers, c.held = newNumbers(c.lexicon), 0
	terms, grams := make([]uint32, old.terms.Len()), make([]uint32, old.grams.Len())
	for _, e := range c.entries {
		for _, token := range e.record.tokens() {
			if id := token & unmarked; token&again == 0 {
				terms[id] = c.numbers.term(old.terms.Term(id))
			}
		}
		for _, g := range e.record.trigrams() {
			id := g >> gramShift
			grams[id] = c.numbers.grams.Intern(old.grams.Term(id))
		}
		e.record = renumbered(make([]uint32, 0, len(e.record)), e.record, terms, grams)
		e.name, e.own = strings.Clone(e.name), strings.Clone(e.own)
		c.held += len(e.record)
	}
}
