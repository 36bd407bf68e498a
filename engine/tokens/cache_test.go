package tokens

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// registryOf makes a registry of n tools whose text starts with a word.
func registryOf(word string, n int) *model.Registry {
	r := &model.Registry{}
	for i := range n {
		def := fmt.Appendf(nil, `{"name": "%s_%d", "description": "Ångström"}`, word, i)
		r.Tools = append(r.Tools, &model.Tool{Function: def, Hash: hash(def)})
	}
	return r
}

func TestCacheCountsOnce(t *testing.T) {
	c := NewCache(Chars4)
	tool := registryOf("berth", 1).Tools[0]
	want := Chars4.Units(Definition(tool))
	if got := c.Tool(tool); got != want || len(c.known) != 1 {
		t.Errorf("%d units of %d tools, want %d of one", got, len(c.known), want)
	}
	other := &model.Tool{Function: []byte(`{"name": "something else"}`), Hash: tool.Hash}
	if got := c.Tool(other); got != want {
		t.Errorf("counted again: %d units, want those of the same hash, %d", got, want)
	}
}

func TestCacheRegistry(t *testing.T) {
	r := registryOf("berth", 1000)
	for _, m := range Methods() {
		units, err := NewCache(m).Registry(t.Context(), r)
		if err != nil || len(units) != len(r.Tools) {
			t.Fatalf("%s: %d of %d, %v", m, len(units), len(r.Tools), err)
		}
		for i, tool := range r.Tools {
			if want := m.Units(Definition(tool)); int(units[i]) != want {
				t.Fatalf("%s: tool %d: %d units, want %d", m, i, units[i], want)
			}
		}
	}
	if units, err := NewCache(Chars4).Registry(t.Context(), &model.Registry{}); err != nil || len(units) != 0 {
		t.Errorf("no tools: %v, %v", units, err)
	}
}

// TestCacheForgets checks that a thousand reloads keep no more than two.
func TestCacheForgets(t *testing.T) {
	c := NewCache(Chars4)
	const size = 20
	for i := range 1000 {
		if _, err := c.Registry(t.Context(), registryOf(fmt.Sprint("load", i), size)); err != nil {
			t.Fatal(err)
		}
		if n := len(c.known); n > 2*size {
			t.Fatalf("after reload %d: %d tools remembered", i, n)
		}
	}
	kept := registryOf("load999", size)
	for range 3 {
		if _, err := c.Registry(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.known); n != size {
		t.Errorf("%d tools remembered, want those of the last builds, %d", n, size)
	}
}

func TestCacheCancelled(t *testing.T) {
	c := NewCache(Chars4)
	if _, err := c.Registry(t.Context(), registryOf("berth", 10)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		if units, err := c.Registry(ctx, registryOf("wharf", 10)); err != context.Canceled || units != nil {
			t.Errorf("%v, %v", units, err)
		}
	}
	if n := len(c.known); n != 10 {
		t.Errorf("%d tools remembered, want 10: a build that ends early forgets nothing", n)
	}
}

// TestCacheConcurrently is for the race detector.
func TestCacheConcurrently(t *testing.T) {
	c := NewCache(O200k)
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			r := registryOf(fmt.Sprint("load", i%2), 600)
			units, err := c.Registry(t.Context(), r)
			if err != nil {
				t.Error(err)
				return
			}
			for j, tool := range r.Tools {
				if got := c.Tool(tool); got != int(units[j]) {
					t.Errorf("tool %d: %d units, then %d", j, units[j], got)
				}
			}
		})
	}
	wait.Wait()
}

// What stands beside the function of a captured tool is sent, and counts: the
// figures are the characters of Python's compact json.dumps, by four, up.
func TestBesideFunctionCounts(t *testing.T) {
	for _, c := range []struct {
		entry string
		chars int
	}{
		{`{"type":"function","function":{"name":"convoy"}}`, 48},
		{`{"type":"function","function":{"name":"convoy"}, "strict": true}`, 62},
		{`{"x-meta": {"a": [1, 2.50, "z"]}, "type":"function","function":{"name":"convoy"}}`, 75},
		{`{"type":"function","function":{"name":"convoy"},"toolset":"t","source":"builtin"}`, 48},
	} {
		r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte("[" + c.entry + "]")})
		require.NoError(t, err)
		for _, m := range Methods() {
			cache := NewCache(m)
			units, err := cache.Registry(t.Context(), r)
			require.NoError(t, err)
			if want := m.Units(Definition(r.Tools[0])); int(units[0]) != want || cache.Tool(r.Tools[0]) != want {
				t.Errorf("%s by %v: %d units, want %d", c.entry, m, units[0], want)
			}
			if m == Chars4 && int(units[0]) != c.chars {
				t.Errorf("%s: %d characters, want %d", c.entry, units[0], c.chars)
			}
		}
	}
}
