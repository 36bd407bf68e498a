package lint

import (
	"cmp"
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/model/require"
)

// TestOwnWordsPredictLabels measures how well the map of own words alone predicts what
// labelled queries confuse: the probability that a pair of tools that a query confuses has
// more confusion than one that none does (the area under the ROC curve). A query of a
// confuses a with b when b is within the limit and above a. Pairs are all pairs of a tool
// that has labels with any other tool.
func TestOwnWordsPredictLabels(t *testing.T) {
	sets := []string{"mcpproxy_golden", "learn/livemcp_agentq"}
	if *Slow {
		sets = fixture.Sets
	}
	const least = 0.55 // chance is 0.5
	mean := map[string]float64{}
	for _, name := range sets {
		set := fixture.ReadSet(t, name)
		for _, ranker := range []string{config.RankerBM25, config.RankerFielded} {
			c := config.Default()
			c.ToolSearch.Enabled, c.ToolSearch.Ranker = config.On, ranker
			s, err := engine.Build(t.Context(), engine.Inputs{Registry: set.Registry, Config: c})
			require.NoError(t, err)
			confused, others, near, far := predicted(t, s, set.Queries)
			all := area(confused, others)
			mean[ranker] += all / float64(len(sets))
			t.Logf("%s by %s: AUC %.3f of all pairs (%d confused, %d not); %.3f of those that own words bring together (%d, %d)",
				name, ranker, all, len(confused), len(others), area(near, far), len(near), len(far))
			if len(confused) > 100 && all < least {
				t.Errorf("%s by %s: AUC %.3f", name, ranker, all)
			}
		}
	}
	t.Logf("mean AUC: bm25 %.3f, fielded %.3f", mean[config.RankerBM25], mean[config.RankerFielded])
}

// predicted returns the confusion by own words of the pairs that a query confuses, and of
// the others; near and far are the ones that have any.
func predicted(t *testing.T, s *engine.Snapshot, queries []fixture.Query) (confused, others, near, far []float64) {
	m := mappedConfusion(t, s)
	at := map[string]int{}
	for p, tool := range m.Tools {
		at[tool.Name] = p
	}
	measured, right := map[[2]int]bool{}, map[[2]int]bool{}
	labelled := map[int]bool{}
	for _, q := range queries {
		lesson := labels.Query{ID: q.ID, Text: q.Query, Relevant: q.Relevant}
		hits := s.Search(lesson.Text, 0, 0).Hits
		for _, name := range q.Relevant {
			tool, ok := at[name]
			if !ok {
				continue
			}
			labelled[tool] = true
			for _, other := range q.Relevant {
				right[[2]int{tool, at[other]}] = true
			}
			for _, h := range hits {
				if h.Tool.Name == name {
					break
				}
				measured[[2]int{tool, at[h.Tool.Qualified]}] = true
			}
		}
	}
	for tool := range labelled {
		for other := range m.Tools {
			pair := [2]int{tool, other}
			if other == tool || right[pair] {
				continue
			}
			v := m.Link(tool, other).Confusion
			switch {
			case measured[pair]:
				confused = append(confused, v)
				if v > 0 {
					near = append(near, v)
				}
			default:
				others = append(others, v)
				if v > 0 {
					far = append(far, v)
				}
			}
		}
	}
	return confused, others, near, far
}

// area returns the area under the ROC curve, by ranks (Mann and Whitney 1947): ties count
// one half.
func area(yes, no []float64) float64 {
	type value struct {
		v   float64
		yes bool
	}
	var all []value
	for _, v := range yes {
		all = append(all, value{v, true})
	}
	for _, v := range no {
		all = append(all, value{v, false})
	}
	slices.SortFunc(all, func(a, b value) int { return cmp.Compare(a.v, b.v) })
	sum := 0.0
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].v == all[from].v {
			to++
		}
		for rank := float64(from+to+1) / 2; from < to; from++ {
			if all[from].yes {
				sum += rank
			}
		}
	}
	n, m := float64(len(yes)), float64(len(no))
	return (sum - n*(n+1)/2) / (n * m)
}
