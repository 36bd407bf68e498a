package retrieval

import (
	"iter"
	"maps"
	"slices"

	"caliper/model"
)

// Cache keeps values by key. It is not safe for concurrent use.
type Cache[V any] struct {
	Spare int // the size that is kept beside the catalogs in use

	sizeOf  func(*V) int
	entries map[model.Hash]*Entry[V]
	clock   int // counts catalogs
	size    int // of all values
	largest int // size of the largest catalog, less a sixteenth for each later one
}

// Entry is a value of the cache.
type Entry[V any] struct {
	Value V
	used  int // clock of the last catalog that has it
}

// NewCache returns an empty cache with a spare size. sizeOf returns the size of a
// value, in any unit.
func NewCache[V any](spare int, sizeOf func(*V) int) *Cache[V] {
	return &Cache[V]{Spare: spare, sizeOf: sizeOf, entries: map[model.Hash]*Entry[V]{}}
}

// Catalog returns the entries of n keys. compute sets the values of those entries
// that are not in the cache, each once: entries[i] is that of key(unknown[i]). An
// error is that of compute.
func (c *Cache[V]) Catalog(n int, key func(i int) model.Hash, compute func(unknown []int, entries []*Entry[V]) error) ([]*Entry[V], error) {
	catalog := make([]*Entry[V], n)
	var unknown []int
	var entries []*Entry[V]
	if len(c.entries) == 0 {
		c.entries = make(map[model.Hash]*Entry[V], n)
		unknown, entries = make([]int, 0, n), make([]*Entry[V], 0, n)
	}
	for i := range catalog {
		k := key(i)
		e := c.entries[k]
		if e == nil {
			e = new(Entry[V])
			c.entries[k] = e
			unknown, entries = append(unknown, i), append(entries, e)
		}
		catalog[i] = e
	}
	if err := compute(unknown, entries); err != nil {
		for _, i := range unknown {
			delete(c.entries, key(i))
		}
		return nil, err
	}
	for _, e := range entries {
		c.size += c.sizeOf(&e.Value)
	}
	c.clock++
	size := 0
	for _, e := range catalog {
		e.used = c.clock
		size += c.sizeOf(&e.Value)
	}
	c.largest = max(size, c.largest-c.largest/16)
	return catalog, nil
}

// Limit returns the size beyond which a sweep forgets values.
func (c *Cache[V]) Limit() int { return c.Spare + 2*c.largest }

// Size returns the size of all values.
func (c *Cache[V]) Size() int { return c.size }

// All calls yield with every value, in no order, until it returns false.
func (c *Cache[V]) All() iter.Seq[*V] {
	return func(yield func(*V) bool) {
		for _, e := range c.entries {
			if !yield(&e.Value) {
				return
			}
		}
	}
}

// Sweep forgets values when the cache is larger than its limit, and reports
// whether it did. What the values share can then be made anew.
func (c *Cache[V]) Sweep() bool {
	limit := c.Limit()
	if c.size <= limit {
		return false
	}
	oldest := c.oldest(limit - limit/4)
	maps.DeleteFunc(c.entries, func(_ model.Hash, e *Entry[V]) bool { return e.used < oldest })
	c.size = 0
	for v := range c.All() {
		c.size += c.sizeOf(v)
	}
	return true
}

// oldest returns the earliest clock such that the values used since then have at
// most a size together; at least the present clock.
func (c *Cache[V]) oldest(most int) int {
	sizes := map[int]int{} // by clock
	for _, e := range c.entries {
		sizes[e.used] += c.sizeOf(&e.Value)
	}
	oldest, sum := c.clock, 0
	for _, used := range slices.Backward(slices.Sorted(maps.Keys(sizes))) {
		if sum += sizes[used]; sum > most {
			break
		}
		oldest = used
	}
	return oldest
}
