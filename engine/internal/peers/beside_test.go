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

var encoder = flag.String("encoder", "", "folder of a model, with which the encoder is measured too")

// asked is how many of a thousand mixed queries a ranker answers in a round, the first of
// them. FTS5 takes a second for some, and the encoder hundreds of milliseconds for each.
func asked(ranker string, tools int) int {
	switch {
	case ranker == "encoder":
		return 20
	case ranker == "fts5" && tools > 1000:
		return 100
	}
	return 1000
}

// TestBeside asks every ranker the same mixed queries in one process, one ranker after
// another in each of five rounds, so that what else the machine does meets all alike. The
// time of a query is the least of its rounds; that of the first round, on an index that
// nobody has asked before, is told apart. hybrid stays within the bounds of its
// specification: a millisecond over 10,000 tools, eight over 100,000, three times fielded
// everywhere, and a hundredth of the encoder's time over 1,000.
func TestBeside(t *testing.T) {
	if !*slow {
		t.Skip("minutes: run with -slow, and -encoder DIR for the encoder")
	}
	all := slices.Clone(rankers)
	if *encoder != "" {
		all = append(all, ranker{name: "encoder", peer: true, index: func(tools []*model.Tool) (searcher, error) {
			return NewEncoder(*encoder, tools)
		}})
	}
	for _, n := range []int{1000, 10_000, 100_000} {
		t.Run(fmt.Sprintf("tools=%d", n), func(t *testing.T) {
			took := inRounds(t, all, fixture.Tools(n, 1), 5)
			hybrid := took["hybrid"]
			if most, ok := map[int]float64{10_000: 1000, 100_000: 8000}[n]; ok && hybrid > most {
				t.Errorf("hybrid takes %.0f µs over %d tools, want at most %.0f", hybrid, n, most)
			}
			if e, ok := took["encoder"]; ok && n == 1000 && e < 100*hybrid {
				t.Errorf("the encoder takes %.0f µs, %.0f times as long as hybrid, want 100 times", e, e/hybrid)
			}
			t.Logf("hybrid takes %.1f times as long as fielded", hybrid/took["fielded"])
			if hybrid > 3*took["fielded"] {
				t.Errorf("hybrid takes %.0f µs, fielded %.0f: want at most 3 times that", hybrid, took["fielded"])
			}
		})
	}
}

// inRounds logs the percentiles of all rankers over a catalog and returns their medians, in
// microseconds.
func inRounds(t *testing.T, all []ranker, tools []*model.Tool, rounds int) map[string]float64 {
	queries := fixture.Queries(fixture.Kinds[0], 1000, 9, tools)
	indexes, best, first := make([]searcher, len(all)), make([][]time.Duration, len(all)), make([][]time.Duration, len(all))
	for i, r := range all {
		indexes[i], best[i] = mustIndex(t, r, tools), make([]time.Duration, asked(r.name, len(tools)))
	}
	runtime.GC() // what the indexes left is not the queries' to collect
	for round := range rounds {
		for i, x := range indexes {
			for j := range best[i] {
				start := time.Now()
				_, err := x.Search(queries[j], limit)
				took := time.Since(start)
				if err != nil {
					t.Fatal(err)
				}
				if round == 0 || took < best[i][j] {
					best[i][j] = took
				}
			}
			if round == 0 {
				first[i] = slices.Clone(best[i])
			}
		}
	}
	medians := map[string]float64{}
	for i, r := range all {
		medians[r.name] = fixture.Percentile(best[i], 50)
		t.Logf("%-8s p50 %.0f µs, p99 %.0f; first asked %.0f, %.0f (%d queries)", r.name,
			fixture.Percentile(best[i], 50), fixture.Percentile(best[i], 99), fixture.Percentile(first[i], 50), fixture.Percentile(first[i], 99), len(best[i]))
	}
	return medians
}
