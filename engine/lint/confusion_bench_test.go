package lint

import (
	"fmt"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// BenchmarkMapConfusion maps catalogs of several sizes, without labels.
func BenchmarkMapConfusion(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		r, err := shapes.Parse(b.Context(), model.Source{Name: "tools.json", Data: fixture.Dump(n, 1)})
		require.NoError(b, err)
		for _, ranker := range config.Rankers {
			c := config.Default()
			c.ToolSearch.Enabled, c.ToolSearch.Ranker = config.On, ranker
			s, err := engine.Build(b.Context(), engine.Inputs{Registry: r, Config: c})
			require.NoError(b, err)
			b.Run(fmt.Sprintf("tools=%d/%s", n, ranker), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := MapConfusion(b.Context(), s, nil, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
