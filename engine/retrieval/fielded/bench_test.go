package fielded

import (
	"context"
	"fmt"
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
)

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
