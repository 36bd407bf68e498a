package selection

import (
	"flag"
	"testing"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/model/require"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// TestFusionConstants measures fusions with the built-in embedder against
// keywords alone, by recall@8 over the evaluation sets, for the default ranker
// and for the best one.
func TestFusionConstants(t *testing.T) {
	if !*slow {
		t.Skip("slow")
	}
	sets := []string{"livemcpbench", "mcpproxy_golden", "metatool", "sealtools", "bfcl"}
	constants := []struct{ k, semantic float64 }{{60, 1}, {60, 0.5}, {60, 0.1}, {10, 0.5}, {10, 0.3}, {10, 0.1}, {5, 0.3}, {2, 0.3}, {2, 0.2}, {1, 0.2}}
	for _, ranker := range []string{config.RankerBM25, config.RankerFielded} {
		keyword, hybrid := 0.0, make([]float64, len(constants))
		for _, name := range sets {
			s, queries := evaluationSet(t, name, func(c *config.Config) { c.ToolSearch.Ranker = ranker })
			x := selector(t, s, knobs(Hybrid, func(k *Settings) { k.K, k.Core, k.IgnoreNames = 8, nil, true }), nil)
			sim, err := embed.NewFuzzy(t.Context(), x.Candidates())
			require.NoError(t, err)
			x = selector(t, s, x.Settings(), sim)
			for _, q := range queries {
				l, err := x.askAll(t.Context(), q.Text)
				require.NoError(t, err)
				need, share := needsOf(q), 1/float64(len(sets)*len(queries))
				keyword += share * x.under(Keyword).outcome(q.Text, need, l).recall
				for i, c := range constants {
					set := x.Settings()
					set.RRFK, set.Semantic = c.k, c.semantic
					hybrid[i] += share * x.With(set).outcome(q.Text, need, l).recall
				}
			}
		}
		for i, c := range constants {
			t.Logf("%s: keyword %.4f; hybrid with k %v and semantic weight %v: %.4f", ranker, keyword, c.k, c.semantic, hybrid[i])
		}
	}
}
