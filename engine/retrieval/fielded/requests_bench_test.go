package fielded

import (
	"context"
	"testing"
	"time"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/model/require"
)

// requestSets are the sets of labelled requests, with the tools that they are for.
var requestSets = []string{
	"livemcpbench", "mcpproxy_golden", "metatool", "sealtools", "bfcl",
	"learn/livemcp_agentq", "learn/livemcp_xl", "learn/metatool_multi", "learn/toolbench",
}

// BenchmarkRealRequests answers requests that people and agents wrote, each set on
// its own tools, top 20, by every ranker of caliper. A round asks one ranker after
// another all requests of the set, so that what else the machine does meets all
// rankers alike. The time of a request is the least of its rounds: run it with
// -benchtime 5x or more.
func BenchmarkRealRequests(b *testing.B) {
	for _, name := range requestSets {
		b.Run("set="+name, func(b *testing.B) {
			s := fixture.ReadSet(b, name)
			rankers := []string{"bm25", "gated", "fielded"}
			indexes := []retrieval.Ranker{requestBM25(b, s), requestGated(b, s), requestFielded(b, s)}
			best := make([][]time.Duration, len(rankers))
			for i := range best {
				best[i] = make([]time.Duration, len(s.Queries))
			}
			dst := make([]retrieval.Hit, 0, 20)
			for round := 0; b.Loop(); round++ {
				for i, x := range indexes {
					for j := range s.Queries {
						start := time.Now()
						x.SearchInto(dst, s.Queries[j].Query, 20)
						if took := time.Since(start); round == 0 || took < best[i][j] {
							best[i][j] = took
						}
					}
				}
			}
			for i, ranker := range rankers {
				b.ReportMetric(fixture.Percentile(best[i], 50), ranker+"-p50-µs")
				b.ReportMetric(fixture.Percentile(best[i], 99), ranker+"-p99-µs")
			}
			b.ReportMetric(0, "ns/op") // of all rankers together: left out
		})
	}
}

func requestBM25(b *testing.B, s *fixture.Set) retrieval.Ranker {
	x, err := retrieval.NewCorpus().Index(context.Background(), s.Registry.Tools, retrieval.Reference)
	require.NoError(b, err)
	return x
}

func requestGated(b *testing.B, s *fixture.Set) retrieval.Ranker {
	x, err := retrieval.NewCorpusOf(retrieval.Stems).Gated(context.Background(), s.Registry.Tools)
	require.NoError(b, err)
	return x
}

func requestFielded(b *testing.B, s *fixture.Set) retrieval.Ranker {
	x, err := NewCorpus().Index(context.Background(), s.Registry.Tools, s.Toolset, Default)
	require.NoError(b, err)
	return x
}
