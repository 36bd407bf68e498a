package retrieval

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"
	"weak"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
)

// TestCorpusEqualsFresh: whatever a corpus went through, its index answers as
// one made from nothing.
func TestCorpusEqualsFresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		corpus := NewCorpus()
		corpus.cache.Spare = rapid.SampledFrom([]int{0, 50, spareTokens}).Draw(t, "spare")
		for range rapid.IntRange(1, 8).Draw(t, "reloads") {
			tools := drawCatalog(40).Draw(t, "catalog")
			p := drawParams().Draw(t, "params")
			x, err := corpus.Index(context.Background(), tools, p)
			require.NoError(t, err)
			checkSearch(t, x, newReference(tools, p), drawQuery().Draw(t, "query"), 1, 5)
		}
	})
}

// TestCorpusLearnsOnce: a tool is tokenized when it is first seen, and shared
// by all catalogs.
func TestCorpusLearnsOnce(t *testing.T) {
	tools := fixture.Tools(50, 1)
	corpus := NewCorpus()
	all := mustIndexIn(t, corpus, tools)
	held := corpus.cache.Size
	subset := mustIndexIn(t, corpus, tools[10:20])
	if corpus.cache.Size != held {
		t.Errorf("a subset brought %d new tokens", corpus.cache.Size-held)
	}
	for i := range 10 {
		if all.documents[10+i] != subset.documents[i] {
			t.Errorf("tool %d was tokenized anew", 10+i)
		}
	}
	tools[7] = fixture.Revise(tools[7], 1)
	changed := mustIndexIn(t, corpus, tools)
	if got, want := corpus.cache.Size-held, len(changed.documents[7].terms)+len(changed.documents[7].repeats); got != want {
		t.Errorf("one changed tool brought %d tokens, want %d", got, want)
	}
	if got := changed.Search("rev1", 5).Hits; len(got) != 1 || got[0].Doc != 7 {
		t.Errorf("the changed tool is not found: %v", got)
	}
	if got := all.Search("rev1", 5).Hits; len(got) != 0 {
		t.Errorf("the old index finds %v", got)
	}
}

func mustIndexIn(t testing.TB, c *Corpus, tools []*model.Tool) *Index {
	t.Helper()
	x, err := c.Index(context.Background(), tools, Reference)
	require.NoError(t, err)
	return x
}

// TestCorpusBounded: thousands of reloads with changed tools and growing and
// shrinking catalogs do not fill the memory, neither with tools nor with terms.
func TestCorpusBounded(t *testing.T) {
	const spare = 10_000
	tools := fixture.Tools(300, 1)
	corpus := NewCorpus()
	corpus.cache.Spare = spare
	sessions := [][]*model.Tool{tools[:30], tools[30:60], tools[50:90]}
	most := 0
	for reload := range 300 {
		for i := range 5 {
			i = (reload*5 + i) % len(tools)
			tools[i] = fixture.Revise(tools[i], reload)
		}
		size := 0
		for _, document := range mustIndexIn(t, corpus, tools[:150+reload%150]).documents {
			size += document.length()
		}
		most = max(most, size)
		for _, session := range sessions {
			mustIndexIn(t, corpus, session)
		}
		if limit := corpus.cache.Limit(); corpus.cache.Size > limit {
			t.Fatalf("reload %d: %d tokens held, want at most %d", reload, corpus.cache.Size, limit)
		}
		if corpus.dict.Len() > corpus.cache.Size {
			t.Fatalf("reload %d: %d terms for %d tokens", reload, corpus.dict.Len(), corpus.cache.Size)
		}
	}
	// A small catalog in the end: the memory shrinks to it.
	for i := range 100 {
		mustIndexIn(t, corpus, append(fixture.Tools(3, uint64(i)), tools[:3]...))
	}
	if limit := spare + most/4; corpus.cache.Size > limit {
		t.Errorf("%d tokens held for catalogs of 6 tools, want at most %d", corpus.cache.Size, limit)
	}
}

// TestForgets: when three catalogs of one size follow each other, the first two
// do not fit beside the third and go, with the terms only they held.
func TestForgets(t *testing.T) {
	corpus := NewCorpus()
	corpus.cache.Spare = 0
	var x *Index
	var tools []*model.Tool
	for catalog := range 3 {
		tools = nil
		for i := range 50 {
			tools = append(tools, newTool(fmt.Sprintf("tool_%d", i), fmt.Sprintf("word%d of%d", i*7%50, catalog), nil))
		}
		x = mustIndexIn(t, corpus, tools)
	}
	if got, want := corpus.cache.Size, 50*4; got != want {
		t.Errorf("%d tokens held, want %d", got, want)
	}
	if got, want := corpus.dict.Len(), 1+50+50+1; got != want {
		t.Errorf("%d terms, want %d", got, want)
	}
	checkSearch(t, x, newReference(tools, Reference), "tool 7 word9 of2", 5)
	checkSearch(t, mustIndexIn(t, corpus, tools[3:]), newReference(tools[3:], Reference), "tool 7 word9 of2", 5)
}

// TestCorpusCancelled: a cancelled call returns the context's error and
// leaves nothing half done.
func TestCorpusCancelled(t *testing.T) {
	tools := fixture.Tools(60, 1)
	corpus := NewCorpus()
	mustIndexIn(t, corpus, tools[:20])
	held := corpus.cache.Size
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if x, err := corpus.Index(ctx, tools, Reference); err != context.Canceled || x != nil {
		t.Fatalf("Index = %v, %v", x, err)
	}
	if corpus.cache.Size != held || len(corpus.cache.entries) != 20 {
		t.Errorf("%d tokens of %d tools, want %d of 20", corpus.cache.Size, len(corpus.cache.entries), held)
	}
	checkSearch(t, mustIndexIn(t, corpus, tools), newReference(tools, Reference), "the issue", 5)
}

// endingContext ends when it has been asked a number of times.
type endingContext struct {
	context.Context
	asks atomic.Int64
}

func (c *endingContext) Err() error {
	if c.asks.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestCorpusCancelledAnywhere: the same, wherever in the work the context
// ends.
func TestCorpusCancelledAnywhere(t *testing.T) {
	tools := fixture.Tools(2100, 1)
	r := newReference(tools, Reference)
	corpus := NewCorpus()
	for asks := range int64(100) {
		ctx := &endingContext{Context: context.Background()}
		ctx.asks.Store(asks)
		x, err := corpus.Index(ctx, tools, Reference)
		if err == nil {
			checkSearch(t, x, r, "create the issue", 5)
			if asks < 6 {
				t.Errorf("the context was asked %d times only", asks)
			}
			return
		}
		if err != context.Canceled || x != nil {
			t.Fatalf("Index = %v, %v", x, err)
		}
	}
	t.Error("it never ends")
}

func TestParams(t *testing.T) {
	for _, p := range []Params{
		{K1: -0.1, B: 0.75}, {K1: 1001, B: 0.75}, {K1: math.NaN(), B: 0.75},
		{K1: 1.5, B: -0.1}, {K1: 1.5, B: 1.1}, {K1: 1.5, B: math.NaN()}, {K1: math.Inf(1), B: 0},
	} {
		if _, err := NewCorpus().Index(context.Background(), nil, p); err == nil {
			t.Errorf("%v: no error", p)
		}
	}
}

// TestKeepsNoText: neither corpus nor index keeps a tool or its text, which
// may be part of a large file that has changed since.
func TestKeepsNoText(t *testing.T) {
	corpus := NewCorpus()
	tool := newTool(strings.Repeat("long_name", 20), strings.Repeat("Description ", 20), []byte(`{"properties":{"a":{}}}`))
	weakTool, weakName := weak.Make(tool), weak.Make(unsafe.StringData(tool.Name))
	weakText := weak.Make(unsafe.StringData(tool.Description))
	x := mustIndexIn(t, corpus, []*model.Tool{tool})
	if r := x.Search("g_na", 1); !r.Fallback {
		t.Fatal("no fallback")
	}
	tool = nil
	runtime.GC()
	if weakTool.Value() != nil || weakName.Value() != nil || weakText.Value() != nil {
		t.Errorf("kept: tool %v, name %v, description %v", weakTool.Value() != nil, weakName.Value() != nil, weakText.Value() != nil)
	}
	runtime.KeepAlive(corpus)
	runtime.KeepAlive(x)
}

// TestChampions: words that many tools have are answered from their champions when they are asked
// again, alone and beside a rarer word, with as many hits as are asked for.
func TestChampions(t *testing.T) {
	var tools []*model.Tool
	for i := range 20_000 {
		tools = append(tools, newTool(fmt.Sprintf("t%d", i), fmt.Sprintf("t%d all", i/79), nil))
	}
	x, r := mustIndex(t, tools, Reference), newReference(tools, Reference)
	all := strings.Repeat("all ", 4)
	for _, query := range []string{all, "t5", all + "t4000", "t4999 " + all, all + "t5 t50", "t100 " + all} {
		want, _ := r.search(query)
		for _, k := range []int{5, championHits, championHits + 1, 2} {
			if hits := x.Search(query, k).Hits; !slices.Equal(hits, want[:min(k, len(want))]) {
				t.Errorf("the best %d for %q are %v, want %v", k, query, hits, want[:min(k, len(want))])
			}
		}
	}
	if n := len(x.postings.champions.hits); n != 1 {
		t.Errorf("%d lists of common words have champions", n)
	}
}

// TestAtLeast: documents that have too little for one question are cleared for the next.
func TestAtLeast(t *testing.T) {
	p, err := NewPostings(t.Context(), 1, 100, func(doc int, terms, tallies []uint32) ([]uint32, []uint32) {
		if doc >= 2 {
			return terms, tallies
		}
		return append(terms, 0), append(tallies, uint32(1+doc))
	}, func(int) float64 { return 1 }, func(tally uint32, _ float64) float64 { return float64(tally) })
	require.NoError(t, err)
	s := NewSums(100)
	for range 2 {
		s.Add(p, 0, 1)
		if got := s.AtLeast(2); len(got) != 1 || got[0] != 1 || s.Of(0) != 1 {
			t.Errorf("documents %v, sum %v", got, s.Of(0))
		}
		s.Clear()
	}
}
