package meaning

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model/require"
)

// BenchmarkSearch reports percentiles over 1,000 queries, top 20, of fielded and of the
// rankers of this package. The time of a query is the least of several runs, as in package
// fielded; the first of them, in which words are met first, is reported apart.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		tools := fixture.Tools(n, 1)
		base, err := fielded.NewCorpus().Index(context.Background(), tools, nil, fielded.Default)
		require.NoError(b, err)
		x, err := New(base, 1)
		require.NoError(b, err)
		queries := fixture.Queries(fixture.Kinds[0], 1000, 9, tools)
		for _, r := range []struct {
			name   string
			ranker retrieval.Ranker
		}{{"fielded", base}, {"hybrid", x}, {"semantic", x.With(Alone)}} {
			b.Run(fmt.Sprintf("tools=%d/%s", n, r.name), func(b *testing.B) {
				best, first := make([]time.Duration, len(queries)), []time.Duration(nil)
				dst := make([]retrieval.Hit, 0, 20)
				for b.Loop() {
					for i, query := range queries {
						start := time.Now()
						r.ranker.SearchInto(dst, query, 20)
						if took := time.Since(start); first == nil || took < best[i] {
							best[i] = took
						}
					}
					if first == nil {
						first = slices.Clone(best)
						slices.Sort(first)
					}
				}
				slices.Sort(best)
				b.ReportMetric(float64(best[len(best)/2].Microseconds()), "p50-µs")
				b.ReportMetric(float64(best[len(best)*99/100].Microseconds()), "p99-µs")
				b.ReportMetric(float64(first[len(first)/2].Microseconds()), "first-p50-µs")
				b.ReportMetric(float64(first[len(first)*99/100].Microseconds()), "first-p99-µs")
			})
		}
	}
}

// BenchmarkNew measures what meaning adds to building the index of fielded, and how long
// the vectors of all tools take.
func BenchmarkNew(b *testing.B) {
	tools := fixture.Tools(10_000, 1)
	base, err := fielded.NewCorpus().Index(context.Background(), tools, nil, fielded.Default)
	require.NoError(b, err)
	if _, err := New(base, 1); err != nil {
		b.Fatal(err)
	}
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			_, _ = New(base, 1)
		}
	})
	b.Run("vectors", func(b *testing.B) {
		for b.Loop() {
			x, _ := New(base, 1)
			for doc := range uint32(x.Len()) {
				x.core.vector(doc)
			}
		}
	})
}
