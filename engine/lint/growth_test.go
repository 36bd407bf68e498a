package lint_test

import (
	"runtime"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/lint"
)

// The memory that lint writes is a measure of its work that does not depend on the
// machine. Four times as many tools take about four times as much: no remedy makes an
// index of the catalog.
func TestRunGrowsWithTheRegistry(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates too")
	}
	written := func(dump []byte, ranker string) float64 {
		c := config.Default()
		c.ToolSearch.Ranker = ranker
		s := snapshot(t, dump, c)
		if _, err := lint.Survey(t.Context(), s, nil); err != nil { // which makes the things that are made once
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		// With this bound, every remedy that asks for ranks is tried.
		if _, err := lint.Run(t.Context(), s, lint.Options{MaxRanked: 1 << 30}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	for _, ranker := range []string{config.RankerBM25, config.RankerGated} {
		small, large := written(fixture.Dump(150, 1), ranker), written(fixture.Dump(600, 1), ranker)
		if large > 1.4*4*small {
			t.Errorf("%s: %.1f MB for 150 tools, %.1f MB for 600", ranker, small/1e6, large/1e6)
		}
	}
}
