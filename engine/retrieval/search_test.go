package retrieval

import (
	"context"
	"flag"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
)

var slow = flag.Bool("slow", false, "run the slow suites")

var raceEnabled bool // set in builds with the race detector

// TestSearchLarge compares with the ranking by definition where pruning, dense
// terms and several cores are at work. Every catalog has terms that stand in
// all documents beside rare ones, and tools that stand in it twice.
func TestSearchLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long, in one goroutine")
	}
	sizes, queries := []int{300, 3000}, 5
	if *slow {
		sizes, queries = append(sizes, 30_000), 25
	}
	for _, n := range sizes {
		tools := fixture.Tools(n, 7)
		tools = append(tools, tools[n/2:n/2+n/10]...)
		x, r := mustIndex(t, tools, Reference), newReference(tools, Reference)
		for _, kind := range fixture.Kinds {
			t.Run(fmt.Sprint(n, " ", kind), func(t *testing.T) {
				for _, query := range fixture.Queries(kind, queries, 3, tools) {
					checkSearch(t, x, r, query, 1, 5, 20, 64, 65, 200)
				}
			})
		}
	}
}

func TestSearchEmpty(t *testing.T) {
	for _, tools := range [][]*model.Tool{nil, {newTool("", "", nil)}, {newTool("港口", "", nil), newTool("", "…", nil)}} {
		x := mustIndex(t, tools, Reference)
		for _, query := range []string{"", " ", "港口", "a", "a b"} {
			if r := x.Search(query, 5); len(r.Hits) > 0 || r.Fallback {
				t.Errorf("%d tools: Search(%q) = %v", len(tools), query, r)
			}
			if n := x.Scored(query); n != 0 {
				t.Errorf("%d tools: Scored(%q) = %d", len(tools), query, n)
			}
		}
	}
}

func TestSearchIntoAppends(t *testing.T) {
	x := mustIndex(t, fixture.Tools(300, 1), Reference)
	before := []Hit{{Doc: -1}}
	r := x.SearchInto(before, "get issue", 3)
	if want := x.Search("get issue", 3); len(r.Hits) != 4 || r.Hits[0] != before[0] || !slices.Equal(r.Hits[1:], want.Hits) {
		t.Errorf("appended %v, want %v", r.Hits, want.Hits)
	}
}

// TestSearchAllocates: in the steady state, nothing.
func TestSearchAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools forget")
	}
	tools := fixture.Tools(3000, 1)
	x := mustIndex(t, tools, Reference)
	dst := make([]Hit, 0, 20)
	for _, query := range []string{"get", "get get", "create the issue", "the a to of", tools[5].Name, "?", tools[7].Description} {
		x.SearchInto(dst, query, 20)
		x.Scored(query)
		x.Rank(query, 1)
		if n := testing.AllocsPerRun(100, func() { x.SearchInto(dst, query, 20) }); n > 0 {
			t.Errorf("SearchInto(%q): %v allocations", query, n)
		}
		if n := testing.AllocsPerRun(100, func() { x.Scored(query); x.Rank(query, 1) }); n > 0 {
			t.Errorf("Scored and Rank(%q): %v allocations", query, n)
		}
	}
}

// TestSearchConcurrently searches one index from many goroutines while its
// corpus makes others. Run it with -race.
func TestSearchConcurrently(t *testing.T) {
	tools := fixture.Tools(400, 2)
	corpus := NewCorpus()
	x, err := corpus.Index(context.Background(), tools, Reference)
	require.NoError(t, err)
	queries := fixture.Queries(fixture.Mixed, 40, 4, tools)
	want := make([][]Hit, len(queries))
	for i, query := range queries {
		want[i] = mustIndex(t, tools, Reference).Search(query, 10).Hits
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range queries {
				i = (i + g*5) % len(queries)
				if got := x.Search(queries[i], 10).Hits; !slices.Equal(got, want[i]) {
					t.Errorf("Search(%q) = %v, want %v", queries[i], got, want[i])
				}
				x.Scored(queries[i])
				x.Rank(queries[i], i)
				x.Explain(queries[i], i)
				if i%10 == g {
					other := slices.Clone(tools[g*20:])
					other[0] = fixture.Revise(other[0], i)
					if _, err := corpus.Index(context.Background(), other, Reference); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
}

// TestDeterministic: the number of cores changes no result.
func TestDeterministic(t *testing.T) {
	tools := fixture.Tools(5200, 9)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := mustIndex(t, tools, Reference)
	runtime.GOMAXPROCS(5)
	five := mustIndex(t, tools, Reference)
	for _, kind := range fixture.Kinds {
		for _, query := range append(fixture.Queries(kind, 10, 1, tools), "etch", "p_c") {
			if a, b := one.Search(query, 30), five.Search(query, 30); !slices.Equal(a.Hits, b.Hits) || a.Fallback != b.Fallback {
				t.Errorf("Search(%q): %v and %v", query, a, b)
			}
		}
	}
}

// TestWhole: the whole of a query is the idf of all its tokens, also of those that no tool has.
func TestWhole(t *testing.T) {
	x := mustIndex(t, fixture.Tools(50, 9), Reference)
	tool := x.Search("list", 1).Hits[0].Doc
	held := 0.0
	e := x.Explain("list list", tool)
	e.Leaves(func(leaf *Explanation) bool { held += leaf.IDF; return true })
	if got, want := x.Whole("list zzyzx list qwrt"), held+2*math.Log(1+50.5/0.5); math.Abs(got-want) > 1e-9 {
		t.Errorf("it is %v, want %v", got, want)
	}
}
