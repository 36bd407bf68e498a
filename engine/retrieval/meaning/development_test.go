package meaning

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model/require"
)

// ndcgs returns the nDCG@10 of each query of a set, in percent.
func ndcgs(s *fixture.Set, x retrieval.Ranker) []float64 {
	all := make([]float64, len(s.Queries))
	cores := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for core := range cores {
		wg.Go(func() {
			for i := core; i < len(s.Queries); i += cores {
				var items []retrieval.RankedItem
				for _, h := range x.Search(s.Queries[i].Query, retrieval.MaxRank).Hits {
					tool := s.Registry.Tools[h.Doc]
					items = append(items, retrieval.RankedItem{Name: tool.Name, Qualified: tool.Qualified})
				}
				all[i] = 100 * retrieval.Measure(retrieval.Label{Groups: s.Queries[i].Needed(), Grades: s.Queries[i].Grades}, items).NDCG
			}
		})
	}
	wg.Wait()
	return all
}

// mean returns the mean of values.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// macro is the average of differences over sets. They are independent, so the square of its
// half interval is the mean of those of the sets, over their number.
type macro struct{ sets, sum, squares float64 }

func (m *macro) add(d retrieval.Difference) {
	m.sets++
	m.sum += d.Mean
	m.squares += (d.High - d.Low) * (d.High - d.Low) / 4
}

// interval returns the average and half of its interval.
func (m *macro) interval() (mean, half float64) {
	return m.sum / m.sets, math.Sqrt(m.squares) / m.sets
}

func (m *macro) String() string {
	mean, half := m.interval()
	return fmt.Sprintf("%+.2f (%+.2f to %+.2f)", mean, mean-half, mean+half)
}

// TestDevelopmentSets: hybrid with the default weight is better than fielded by 1 of nDCG@10
// on average over the nine sets, with an interval above 0, and worse on none by half a point.
func TestDevelopmentSets(t *testing.T) {
	if !*slow {
		t.Skip("compares rankings on all sets: -slow")
	}
	var gain macro
	alone := 0.0
	for _, name := range fixture.Sets {
		s := fixture.ReadSet(t, name)
		base, err := fielded.NewCorpus().Index(context.Background(), s.Registry.Tools, s.Toolset, fielded.Default)
		require.NoError(t, err)
		x, err := New(base, config.Default().ToolSearch.Meaning)
		require.NoError(t, err)
		before := ndcgs(s, base)
		meant := mean(ndcgs(s, x.With(Alone)))
		d := retrieval.ComparePaired(before, ndcgs(s, x), s.Tasks())
		t.Logf("%-22s %5d queries: fielded %5.1f, hybrid %+5.2f (%+.2f to %+.2f), semantic %5.1f", name, len(s.Queries), mean(before), d.Mean, d.Low, d.High, meant)
		gain.add(d)
		alone += meant / float64(len(fixture.Sets))
		if d.Mean < -0.5 {
			t.Errorf("%s loses %.2f", name, -d.Mean)
		}
	}
	mean, half := gain.interval()
	t.Logf("%-22s hybrid %v, semantic %.1f", "macro", &gain, alone)
	if mean < 1 || mean < half {
		t.Errorf("hybrid gains %.2f with a half interval of %.2f, want 1", mean, half)
	}
}
