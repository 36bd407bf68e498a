package retrieval

import (
	"context"
	"fmt"
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/model"
)

// BenchmarkSearch reports percentiles over 1,000 queries of each kind, top 20. The first
// round meets an index without champions.
func BenchmarkSearch(b *testing.B) {
	for _, n := range fixture.Sizes(*slow) {
		tools := fixture.Catalog(n)
		x := mustIndex(b, tools, Reference)
		for _, kind := range fixture.Kinds {
			b.Run(fmt.Sprintf("tools=%d/%s", n, kind), func(b *testing.B) {
				x.champions = &champions{hits: map[uint32][]Hit{}}
				benchmarkSearch(b, x, fixture.Queries(kind, 1000, 9, tools))
			})
		}
	}
}

// BenchmarkGatedSearch is BenchmarkSearch for bm25-gated.
func BenchmarkGatedSearch(b *testing.B) {
	for _, n := range fixture.Sizes(*slow) {
		tools := fixture.Catalog(n)
		x := mustGated(b, tools)
		for _, kind := range fixture.Kinds {
			b.Run(fmt.Sprintf("tools=%d/%s", n, kind), func(b *testing.B) {
				x.champions = &champions{hits: map[uint32][]Hit{}}
				benchmarkSearch(b, x, fixture.Queries(kind, 1000, 9, tools))
			})
		}
	}
}

// BenchmarkScored counts the tools that mixed queries find.
func BenchmarkScored(b *testing.B) {
	for _, n := range fixture.Sizes(*slow) {
		tools := fixture.Catalog(n)
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
	for _, n := range fixture.Sizes(*slow) {
		tools := fixture.Catalog(n)
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
	for _, n := range fixture.Sizes(*slow) {
		x := mustIndex(b, fixture.Catalog(n), Reference)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			for b.Loop() {
				x.Search("p_zzz", 20)
			}
		})
	}
}

// BenchmarkBuild makes an index from nothing.
func BenchmarkBuild(b *testing.B) {
	for _, n := range fixture.Sizes(*slow) {
		tools := fixture.Catalog(n)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			for b.Loop() {
				mustIndex(b, tools, Reference)
			}
		})
	}
}

// BenchmarkGatedBuild makes a gated index from nothing.
func BenchmarkGatedBuild(b *testing.B) {
	for _, n := range fixture.Sizes(*slow) {
		tools := fixture.Catalog(n)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			for b.Loop() {
				mustGated(b, tools)
			}
		})
	}
}

// BenchmarkParams lays an index anew with other parameters, as turning a knob
// does.
func BenchmarkParams(b *testing.B) {
	tools := fixture.Catalog(10_000)
	corpus := NewCorpus()
	for i := 0; b.Loop(); i++ {
		if _, err := corpus.Index(context.Background(), tools, Params{K1: 1.5, B: float64(i%100) / 100}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkSearch(b *testing.B, x Ranker, queries []string) {
	dst := make([]Hit, 0, 20)
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
		return func(tools []*model.Tool) any { return mustIndexIn(b, corpus, tools) }
	}
}
