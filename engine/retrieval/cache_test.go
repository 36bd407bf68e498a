package retrieval_test

import (
	"errors"
	"slices"
	"testing"

	"caliper/engine/retrieval"
	"caliper/model"
)

// keys returns the keys of the catalog of a number.
func keys(catalog byte) func(i int) model.Hash {
	return func(i int) model.Hash { return model.Hash{catalog, byte(i)} }
}

// length counts the values of a cache.
func length(c *retrieval.Cache[int]) int { return len(slices.Collect(c.All())) }

// TestExample follows the example of the package comment: values of size 1.
func TestCacheExample(t *testing.T) {
	c := retrieval.NewCache(100, func(*int) int { return 1 })
	computed := 0
	compute := func(unknown []int, _ []*retrieval.Entry[int]) error { computed += len(unknown); return nil }
	for first := range byte(4) {
		if c.Size() != 60*int(first) || c.Sweep() {
			t.Fatalf("size %d before catalog %d", c.Size(), first)
		}
		if _, err := c.Catalog(60, keys(first), compute); err != nil {
			t.Fatal(err)
		}
	}
	if c.Limit() != 220 || c.Size() != 240 || computed != 240 {
		t.Errorf("limit %d, size %d, %d computed", c.Limit(), c.Size(), computed)
	}
	if !c.Sweep() || c.Size() != 120 || length(c) != 120 {
		t.Errorf("size %d, %d values after the sweep, want 120", c.Size(), length(c))
	}
	if _, err := c.Catalog(60, keys(3), compute); err != nil || computed != 240 {
		t.Errorf("%v, %d computed: the last catalog was forgotten", err, computed)
	}
	if _, err := c.Catalog(60, keys(0), compute); err != nil || computed != 300 {
		t.Errorf("%v, %d computed: the first catalog was not forgotten", err, computed)
	}
}

func TestCacheEqualKeys(t *testing.T) {
	c := retrieval.NewCache(0, func(*int) int { return 1 })
	entries, err := c.Catalog(4, func(i int) model.Hash { return keys(0)(i % 2) }, func(unknown []int, entries []*retrieval.Entry[int]) error {
		for i, e := range entries {
			e.Value = 10 * unknown[i]
		}
		return nil
	})
	if err != nil || entries[1].Value != 10 || entries[1] != entries[3] || c.Size() != 2 {
		t.Errorf("%v, entries %v, size %d", err, entries, c.Size())
	}
}

// TestError: a catalog that cannot be made leaves the cache as it was.
func TestCacheError(t *testing.T) {
	c := retrieval.NewCache(0, func(*int) int { return 1 })
	want := errors.New("no")
	if _, err := c.Catalog(3, keys(0), func([]int, []*retrieval.Entry[int]) error { return want }); err != want || length(c) != 0 || c.Limit() != 0 {
		t.Errorf("%v, %d values, limit %d", err, length(c), c.Limit())
	}
}
