package fielded

import (
	"context"
	"flag"
	"runtime"
	"sync"
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// sharedFile reads a file of the shared folder, and skips the test when there is
// none.
func sharedFile(t testing.TB, name string) []byte { t.Helper(); return fixture.SharedFile(t, name) }

// parse parses a registry.
func parse(t testing.TB, data []byte) *model.Registry { t.Helper(); return fixture.Parse(t, data) }

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
// less what a query or two move.
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
