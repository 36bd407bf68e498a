package retrieval

import (
	"errors"
	"testing"

	"caliper/model"
)

// keys returns the keys of the catalog of a number.
func keys(catalog byte) func(i int) model.Hash {
	return func(i int) model.Hash { return model.Hash{catalog, byte(i)} }
}

// TestCacheExample follows the example of the package comment: values of size 1.
func TestCacheExample(t *testing.T) {
	c := NewCache(100, func(*int) int { return 1 })
	computed, forgot := 0, 0
	compute := func(unknown []int, _ []*int) error { computed += len(unknown); return nil }
	for _, step := range []struct {
		catalog                byte
		size, computed, forgot int
	}{{0, 60, 60, 0}, {1, 120, 120, 0}, {0, 120, 120, 0}, {2, 180, 180, 0}, {3, 60, 300, 1}, {3, 60, 300, 1}, {0, 120, 360, 1}} {
		_, err := c.Catalog(60, keys(step.catalog), compute, func() { forgot++ })
		if err != nil || c.Limit() != 220 || c.Size != step.size || len(c.entries) != step.size || computed != step.computed || forgot != step.forgot {
			t.Fatalf("%v: limit %d, size %d, %d values, %d computed, forgot %d times; want %+v", err, c.Limit(), c.Size, len(c.entries), computed, forgot, step)
		}
	}
}

func TestCacheEqualKeys(t *testing.T) {
	c := NewCache(0, func(*int) int { return 1 })
	entries, err := c.Catalog(4, func(i int) model.Hash { return keys(0)(i % 2) }, func(unknown []int, entries []*int) error {
		for i, e := range entries {
			*e = 10 * unknown[i]
		}
		return nil
	}, nil)
	if err != nil || *entries[1] != 10 || entries[1] != entries[3] || c.Size != 2 {
		t.Errorf("%v, entries %v, size %d", err, entries, c.Size)
	}
}

// TestCacheError: a catalog that cannot be made leaves the cache as it was.
func TestCacheError(t *testing.T) {
	c := NewCache(0, func(*int) int { return 1 })
	want := errors.New("no")
	if _, err := c.Catalog(3, keys(0), func([]int, []*int) error { return want }, nil); err != want || len(c.entries) != 0 || c.Limit() != 0 {
		t.Errorf("%v, %d values, limit %d", err, len(c.entries), c.Limit())
	}
}
