package retrieval

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"caliper/engine/internal/fixture"
	"caliper/model"
)

// sizes are the catalogs benchmarks run on.
func sizes() []int {
	if *slow {
		return []int{1000, 10_000, 100_000, 1_000_000}
	}
	return []int{1000, 10_000, 100_000}
}

// benchmarkTools returns a synthetic catalog, made once per size.
var benchmarkTools = func() func(n int) []*model.Tool {
	var mu sync.Mutex
	made := map[int][]*model.Tool{}
	return func(n int) []*model.Tool {
		mu.Lock()
		defer mu.Unlock()
		if made[n] == nil {
			made[n] = fixture.Tools(n, 1)
		}
		return made[n]
	}
}()

// BenchmarkSearch reports percentiles over 1,000 queries of each kind, top
// 20. The time of a query is the least of several runs, so that what else the
// machine does is not counted. The first round, which meets an index without
// champions, is reported apart.
func BenchmarkSearch(b *testing.B) {
	for _, n := range sizes() {
		tools := benchmarkTools(n)
		x := mustIndex(b, tools, Reference)
		for _, kind := range fixture.Kinds {
			b.Run(fmt.Sprintf("tools=%d/%s", n, kind), func(b *testing.B) {
				x.champions = Champions[Hit]{}
				benchmarkSearch(b, x, fixture.Queries(kind, 1000, 9, tools))
			})
		}
	}
}

// BenchmarkGatedSearch is BenchmarkSearch for bm25-gated.
func BenchmarkGatedSearch(b *testing.B) {
	for _, n := range sizes() {
		tools := benchmarkTools(n)
		x := mustGated(b, tools)
		for _, kind := range fixture.Kinds {
			b.Run(fmt.Sprintf("tools=%d/%s", n, kind), func(b *testing.B) {
				x.champions = Champions[Hit]{}
				benchmarkSearch(b, x, fixture.Queries(kind, 1000, 9, tools))
			})
		}
	}
}

func benchmarkSearch(b *testing.B, x Ranker, queries []string) {
	best := make([]time.Duration, len(queries))
	var first []time.Duration
	dst := make([]Hit, 0, 20)
	rounds := 0
	b.ReportAllocs()
	for b.Loop() {
		for i, query := range queries {
			start := time.Now()
			x.SearchInto(dst, query, 20)
			took := time.Since(start)
			if rounds == 0 || took < best[i] {
				best[i] = took
			}
		}
		if rounds++; rounds == 1 {
			first = slices.Clone(best)
		}
	}
	b.ReportMetric(percentile(best, 50), "p50-µs")
	b.ReportMetric(percentile(best, 99), "p99-µs")
	b.ReportMetric(percentile(first, 99), "first-p99-µs")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(queries))/1000, "mean-µs")
}

// percentile returns a percentile of durations in microseconds.
func percentile(durations []time.Duration, percent int) float64 {
	sorted := slices.Sorted(slices.Values(durations))
	return float64(sorted[(len(sorted)-1)*percent/100].Nanoseconds()) / 1000
}

// BenchmarkScored counts the tools that mixed queries find.
func BenchmarkScored(b *testing.B) {
	for _, n := range sizes() {
		tools := benchmarkTools(n)
		x := mustIndex(b, tools, Reference)
		queries := fixture.Queries(fixture.Mixed, 1000, 9, tools)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				x.Scored(queries[i%len(queries)])
				i++
			}
		})
	}
}

// BenchmarkRank ranks one document for mixed queries that find it.
func BenchmarkRank(b *testing.B) {
	for _, n := range sizes() {
		tools := benchmarkTools(n)
		x := mustIndex(b, tools, Reference)
		queries := fixture.Queries(fixture.Mixed, 1000, 9, tools)
		docs := make([]int, len(queries))
		for i, query := range queries {
			hits := x.Search(query, 50).Hits
			docs[i] = hits[len(hits)-1].Doc
		}
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				x.Rank(queries[i%len(queries)], docs[i%len(queries)])
				i++
			}
		})
	}
}

// BenchmarkFallback searches for a part of a name that no name has.
func BenchmarkFallback(b *testing.B) {
	for _, n := range sizes() {
		x := mustIndex(b, benchmarkTools(n), Reference)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			for b.Loop() {
				x.Search("p_zzz", 20)
			}
		})
	}
}

// BenchmarkBuild makes an index from nothing.
func BenchmarkBuild(b *testing.B) {
	for _, n := range sizes() {
		tools := benchmarkTools(n)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			for b.Loop() {
				mustIndex(b, tools, Reference)
			}
		})
	}
}

// BenchmarkGatedBuild makes a gated index from nothing.
func BenchmarkGatedBuild(b *testing.B) {
	for _, n := range sizes() {
		tools := benchmarkTools(n)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			for b.Loop() {
				mustGated(b, tools)
			}
		})
	}
}

// BenchmarkRebuild makes an index after one tool has changed.
func BenchmarkRebuild(b *testing.B) {
	for _, n := range sizes() {
		tools := slices.Clone(benchmarkTools(n))
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			corpus := NewCorpus()
			mustIndexIn(b, corpus, tools)
			for i := 0; b.Loop(); i++ {
				tools[n/2] = fixture.Revise(benchmarkTools(n)[n/2], i)
				mustIndexIn(b, corpus, tools)
			}
		})
	}
}

// BenchmarkMemory reports what a corpus and one index hold, and how much of
// it a second index of the same tools would add.
func BenchmarkMemory(b *testing.B) {
	for _, n := range sizes() {
		tools := benchmarkTools(n)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			var total, index float64
			for b.Loop() {
				before := heap()
				corpus := NewCorpus()
				x := mustIndexIn(b, corpus, tools)
				one := heap()
				y := mustIndexIn(b, corpus, tools)
				two := heap()
				total, index = one-before, two-one
				runtime.KeepAlive([]any{corpus, x, y})
			}
			b.ReportMetric(total, "MB")
			b.ReportMetric(index, "index-MB")
		})
	}
}

// heap returns the megabytes in use.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// BenchmarkParams lays an index anew with other parameters, as turning a knob
// does.
func BenchmarkParams(b *testing.B) {
	tools := benchmarkTools(10_000)
	corpus := NewCorpus()
	for i := 0; b.Loop(); i++ {
		if _, err := corpus.Index(context.Background(), tools, Params{K1: 1.5, B: float64(i%100) / 100}); err != nil {
			b.Fatal(err)
		}
	}
}
