package fielded

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
)

// TestCorpusEqualsFresh: whatever a corpus went through, its index answers as
// one made from nothing.
func TestCorpusEqualsFresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		corpus := NewCorpus()
		corpus.cache.Spare = rapid.SampledFrom([]int{0, 200, spareWords}).Draw(t, "spare")
		for range rapid.IntRange(1, 6).Draw(t, "reloads") {
			tools := drawCatalog(30).Draw(t, "catalog")
			query := drawQuery(tools).Draw(t, "query")
			got := index(t, corpus, tools, toolsets, Default).Search(query, 100)
			if want := index(t, NewCorpus(), tools, toolsets, Default).Search(query, 100); !slices.Equal(got.Hits, want.Hits) {
				t.Fatalf("Search(%q) = %v, want %v", query, got, want)
			}
		}
	})
}

// TestCorpusLearnsOnce: a tool is read when it is first seen, and shared by
// all catalogs.
func TestCorpusLearnsOnce(t *testing.T) {
	tools := fixture.Tools(50, 1)
	corpus := NewCorpus()
	all := mustIndex(t, corpus, tools)
	held := corpus.cache.Size
	subset := mustIndex(t, corpus, tools[10:20])
	if corpus.cache.Size != held {
		t.Errorf("a subset brought %d new words", corpus.cache.Size-held)
	}
	for i := range 10 {
		if &all.documents[10+i].record[0] != &subset.documents[i].record[0] {
			t.Errorf("tool %d was read anew", 10+i)
		}
	}
	tools[7] = fixture.Revise(tools[7], 1)
	changed := mustIndex(t, corpus, tools)
	if got, want := corpus.cache.Size-held, len(changed.documents[7].record); got != want {
		t.Errorf("one changed tool brought %d words, want %d", got, want)
	}
	if got := changed.Search("rev1", 5).Hits; len(got) == 0 || got[0].Doc != 7 {
		t.Errorf("the changed tool is not found: %v", got)
	}
}

// TestCorpusToolsetTexts: a tool is read anew when the texts of its toolset
// change, and not known by another's.
func TestCorpusToolsetTexts(t *testing.T) {
	corpus := NewCorpus()
	tools := []*model.Tool{newTool("one", "a", "first", nil), newTool("one", "b", "first", nil), newTool("two", model.NoToolset, "second", nil)}
	find := func(about, query string) (docs []int) {
		x := index(t, corpus, tools, func(name string) (*model.Toolset, bool) {
			return &model.Toolset{Title: "Harbour", Description: about}, name == "a"
		}, Default)
		for _, h := range x.Search(query, 9).Hits {
			docs = append(docs, h.Doc)
		}
		return docs
	}
	for _, c := range []struct {
		about, query string
		want         []int
	}{
		{"ships", "ship", []int{0}},
		{"trains", "ship", nil},
		{"trains", "train", []int{0}},
		{"ships", "harbour", []int{0}},
		{"ships", "first", []int{0, 1}},
	} {
		if got := find(c.about, c.query); !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("about %s, %s finds %v, want %v", c.about, c.query, got, c.want)
			}
		}
	}
}

// TestIndexCancelled: when the context ends, nothing was learnt, and all can
// be learnt later.
func TestIndexCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	corpus, tools := NewCorpus(), fixture.Tools(20, 1)
	if x, err := corpus.Index(ctx, tools, nil, Default); !errors.Is(err, context.Canceled) || x != nil {
		t.Fatalf("Index = %v, %v", x, err)
	}
	if corpus.cache.Size != 0 {
		t.Errorf("%d words", corpus.cache.Size)
	}
	if got := mustIndex(t, corpus, tools).Search(tools[3].Name, 1).Hits; len(got) != 1 || got[0].Doc != 3 {
		t.Errorf("found %v", got)
	}
}

// TestIndexParts: the number of cores changes nothing, scores included.
func TestIndexParts(t *testing.T) {
	tools := fixture.Tools(3000, 3)
	queries := fixture.Queries(fixture.Long, 10, 1, tools)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := mustIndex(t, NewCorpus(), tools)
	runtime.GOMAXPROCS(3)
	three := mustIndex(t, NewCorpus(), tools)
	for _, q := range queries {
		if a, b := one.Search(q, 300), three.Search(q, 300); !slices.Equal(a.Hits, b.Hits) {
			t.Errorf("Search(%q) differs", q)
		}
	}
}

// TestConcurrent: one corpus and its indexes serve many at a time.
func TestConcurrent(t *testing.T) {
	tools := fixture.Tools(300, 1)
	corpus := NewCorpus()
	corpus.cache.Spare = 0
	queries := fixture.Queries(fixture.Mixed, 20, 1, tools)
	want := mustIndex(t, NewCorpus(), tools[:200])
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for round := range 3 {
				from := (i + round) % 2 * 100
				x := index(t, corpus, tools[from:from+200], nil, Default)
				for _, q := range queries {
					got := x.Search(q+" unknwon", 20)
					if from == 0 && !slices.Equal(got.Hits, want.Search(q+" unknwon", 20).Hits) {
						t.Errorf("Search(%q) differs", q)
					}
					x.Scored(q)
					x.Rank(q, 5)
					x.Explain(q, 7)
				}
			}
		})
	}
	wg.Wait()
}

// set in builds with the race detector

var slow = flag.Bool("slow", false, "run the slow suites")

// sharedFile reads a file of the shared folder, and skips the test when there is
// measure returns the means over the queries of a set.
func measure(t testing.TB, s *fixture.Set, r Recipe) retrieval.Metrics {
	t.Helper()
	return retrieval.MeanMetrics(measureEach(t, s, r))
}

// measureEach returns the metrics of each query of a set.
func measureEach(t testing.TB, s *fixture.Set, r Recipe) []retrieval.Metrics {
	t.Helper()
	x, err := NewCorpus().Index(context.Background(), s.Registry.Tools, s.Toolset, r)
	require.NoError(t, err)
	all := make([]retrieval.Metrics, len(s.Queries))
	var wg sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		wg.Go(func() {
			for i := core; i < len(s.Queries); i += cores {
				var items []retrieval.RankedItem
				for _, h := range x.Search(s.Queries[i].Query, retrieval.MaxRank).Hits {
					tool := s.Registry.Tools[h.Doc]
					items = append(items, retrieval.RankedItem{Name: tool.Name, Qualified: tool.Qualified})
				}
				all[i] = retrieval.Measure(retrieval.Label{Groups: s.Queries[i].Needed(), Grades: s.Queries[i].Grades}, items)
			}
		})
	}
	wg.Wait()
	return all
}

// TestDevelopmentSets: the ranking is as good as when the recipe was chosen,
// less what a query or two move. Every figure is above the one of g6, the recipe of the
// README of these sets, and the means are 4 points above g6's of 69.6 and 72.6.
func TestDevelopmentSets(t *testing.T) {
	for _, s := range []struct {
		name         string
		ndcg, recall float64 // at 10 and at 5, percent, at least
	}{
		{"livemcpbench", 46.3, 42.5},
		{"mcpproxy_golden", 83.0, 88.8},
		{"metatool", 65.8, 74.8},
		{"sealtools", 95.4, 94.4},
		{"bfcl", 79.1, 86.4},
	} {
		t.Run(s.name, func(t *testing.T) {
			m := measure(t, fixture.ReadSet(t, s.name), Default)
			recall, err := m.Value("recall@5")
			require.NoError(t, err)
			t.Logf("nDCG@10 %.2f, recall@5 %.2f", 100*m.NDCG, 100*recall)
			if 100*m.NDCG < s.ndcg || 100*recall < s.recall {
				t.Errorf("nDCG@10 %.2f, recall@5 %.2f, want %v and %v", 100*m.NDCG, 100*recall, s.ndcg, s.recall)
			}
		})
	}
}

// mustIndex returns the index of tools.
func mustIndex(t testing.TB, c *Corpus, tools []*model.Tool) *Index {
	t.Helper()
	x, err := c.Index(context.Background(), tools, nil, Default)
	require.NoError(t, err)
	return x
}

// BenchmarkSearch reports percentiles over 1,000 queries of each kind, top 20.
func BenchmarkSearch(b *testing.B) {
	for _, n := range fixture.Sizes(*slow) {
		tools := fixture.Catalog(n)
		x := mustIndex(b, NewCorpus(), tools)
		for _, kind := range fixture.Kinds {
			b.Run(fmt.Sprintf("tools=%d/%s", n, kind), func(b *testing.B) {
				benchmarkSearch(b, x, fixture.Queries(kind, 1000, 9, tools))
			})
		}
	}
}

// BenchmarkBuild makes an index from nothing.
func BenchmarkBuild(b *testing.B) {
	for _, n := range fixture.Sizes(*slow) {
		tools := fixture.Catalog(n)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			for b.Loop() {
				mustIndex(b, NewCorpus(), tools)
			}
		})
	}
}

func benchmarkSearch(b *testing.B, x retrieval.Ranker, queries []string) {
	dst := make([]retrieval.Hit, 0, 20)
	fixture.BenchmarkSearch(b, queries, func(query string) { x.SearchInto(dst, query, 20) })
}

// BenchmarkRebuild makes an index after one tool has changed, and BenchmarkMemory says what
// indexes hold.
func BenchmarkRebuild(b *testing.B) { fixture.BenchmarkRebuild(b, *slow, inOneCorpus(b)) }
func BenchmarkMemory(b *testing.B)  { fixture.BenchmarkMemory(b, *slow, inOneCorpus(b)) }

// inOneCorpus returns what makes a corpus, and then indexes in it.
func inOneCorpus(b *testing.B) func() func([]*model.Tool) any {
	return func() func([]*model.Tool) any {
		corpus := NewCorpus()
		return func(tools []*model.Tool) any { return mustIndex(b, corpus, tools) }
	}
}
