package retrieval

import (
	"fmt"
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/model"
)

// BenchmarkSearch reports percentiles over 1,000 queries of each kind, top 20.
func BenchmarkSearch(b *testing.B) {
	for _, n := range fixture.Sizes(*slow) {
		tools := fixture.Catalog(n)
		x := mustIndex(b, tools, Reference)
		for _, kind := range fixture.Kinds {
			b.Run(fmt.Sprintf("tools=%d/%s", n, kind), func(b *testing.B) {
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
				mustIndex(b, tools, Reference)
			}
		})
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
