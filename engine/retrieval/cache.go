package retrieval

import "caliper/model"

// Cache keeps values by key. It is not safe for concurrent use.
type Cache[V any] struct {
	Spare int // the size that is kept beside the catalogs in use
	Size  int // of all values

	sizeOf  func(*V) int
	entries map[model.Hash]*V
	largest int // size of the largest catalog, less a sixteenth for each later one
}

// NewCache returns an empty cache with a spare size. sizeOf returns the size of a
// value, in any unit.
func NewCache[V any](spare int, sizeOf func(*V) int) *Cache[V] {
	return &Cache[V]{Spare: spare, sizeOf: sizeOf, entries: map[model.Hash]*V{}}
}

// Catalog returns the values of n keys. compute sets those that are not in the cache,
// each once: values[i] is that of key(unknown[i]). When the cache is larger than its
// limit then, it calls forget, forgets all values and computes those of the catalog
// again. An error is that of compute.
func (c *Cache[V]) Catalog(n int, key func(i int) model.Hash, compute func(unknown []int, values []*V) error, forget func()) ([]*V, error) {
	catalog, err := c.catalog(n, key, compute)
	if err == nil && c.Size > c.Limit() {
		c.entries, c.Size = map[model.Hash]*V{}, 0
		forget()
		catalog, err = c.catalog(n, key, compute)
	}
	return catalog, err
}

// catalog is Catalog without a limit.
func (c *Cache[V]) catalog(n int, key func(i int) model.Hash, compute func(unknown []int, values []*V) error) ([]*V, error) {
	catalog := make([]*V, n)
	var unknown []int
	var values []*V
	if len(c.entries) == 0 {
		c.entries = make(map[model.Hash]*V, n)
		unknown, values = make([]int, 0, n), make([]*V, 0, n)
	}
	for i := range catalog {
		k := key(i)
		v := c.entries[k]
		if v == nil {
			v = new(V)
			c.entries[k] = v
			unknown, values = append(unknown, i), append(values, v)
		}
		catalog[i] = v
	}
	if err := compute(unknown, values); err != nil {
		for _, i := range unknown {
			delete(c.entries, key(i))
		}
		return nil, err
	}
	for _, v := range values {
		c.Size += c.sizeOf(v)
	}
	size := 0
	for _, v := range catalog {
		size += c.sizeOf(v)
	}
	c.largest = max(size, c.largest-c.largest/16)
	return catalog, nil
}

// Limit returns the size beyond which the cache forgets values.
func (c *Cache[V]) Limit() int { return c.Spare + 2*c.largest }
