package peers

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"caliper/engine/internal/fixture"
	"caliper/model"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// limit is how many tools a query asks for.
const limit = 20

// eachSize runs a benchmark on synthetic catalogs, the ones of caliper's own
// benchmarks. Each is made when something of it is run.
func eachSize(b *testing.B, run func(b *testing.B, tools []*model.Tool)) {
	sizes := []int{1000, 10_000, 100_000}
	if *slow {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) { run(b, fixture.Tools(n, 1)) })
	}
}

// eachRanker runs a benchmark for all rankers; for caliper's alone when the
// peers would take hours.
func eachRanker(b *testing.B, n int, run func(b *testing.B, r ranker)) {
	for _, r := range rankers {
		if !r.peer || n <= 100_000 {
			b.Run("ranker="+r.name, func(b *testing.B) { run(b, r) })
		}
	}
}

// queryCount returns how many of the 1,000 queries of caliper's own benchmarks
// are asked, the first of them. FTS5 takes a second for some.
func queryCount(tools int) int {
	switch {
	case tools <= 1000:
		return 1000
	case tools <= 10_000:
		return 300
	}
	return 100
}

// BenchmarkSearch reports percentiles over the queries of each kind. The time
// of a query is the least of its runs, so that what else the machine does is
// not counted: run it with -benchtime 3x or more. A ranker that remembers what
// it found (caliper's do, for single words) gains by that; so the percentiles
// of the first round, on an index that nobody has asked before, are reported
// apart.
func BenchmarkSearch(b *testing.B) {
	eachSize(b, func(b *testing.B, tools []*model.Tool) {
		for _, kind := range fixture.Kinds {
			queries := fixture.Queries(kind, 1000, 9, tools)[:queryCount(len(tools))]
			b.Run("kind="+string(kind), func(b *testing.B) {
				eachRanker(b, len(tools), func(b *testing.B, r ranker) {
					benchmarkSearch(b, mustIndex(b, r, tools), queries)
				})
			})
		}
	})
}

func benchmarkSearch(b *testing.B, x searcher, queries []string) {
	best := make([]time.Duration, len(queries))
	var first []time.Duration
	runtime.GC() // what the index left is not the queries' to collect
	for b.Loop() {
		for i, query := range queries {
			start := time.Now()
			_, err := x.Search(query, limit)
			took := time.Since(start)
			if err != nil {
				b.Fatal(err)
			}
			if first == nil || took < best[i] {
				best[i] = took
			}
		}
		if first == nil {
			first = slices.Clone(best)
		}
	}
	b.ReportMetric(fixture.Percentile(best, 50), "p50-µs")
	b.ReportMetric(fixture.Percentile(best, 99), "p99-µs")
	b.ReportMetric(fixture.Percentile(first, 50), "first-p50-µs")
	b.ReportMetric(fixture.Percentile(first, 99), "first-p99-µs")
	b.ReportMetric(0, "ns/op") // of all queries together: left out
}

// TestPercentile: the least value that at least so many percent of the others
// do not exceed, whatever their order.
func TestPercentile(t *testing.T) {
	durations := make([]time.Duration, 101)
	for i := range durations {
		durations[i] = time.Duration(100-i) * time.Microsecond
	}
	for _, c := range []struct {
		percent int
		want    float64
	}{{0, 0}, {50, 50}, {99, 99}, {100, 100}} {
		if got := fixture.Percentile(durations, c.percent); got != c.want {
			t.Errorf("percentile %d is %v, want %v", c.percent, got, c.want)
		}
	}
	if got := fixture.Percentile([]time.Duration{1500}, 99); got != 1.5 {
		t.Errorf("of one: %v, want 1.5", got)
	}
}
