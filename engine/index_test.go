package engine

import (
	"maps"
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

func TestIndexOverOtherTools(t *testing.T) {
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: fixture.Dump(60, 3)})
	require.NoError(t, err)
	for _, ranker := range config.Rankers {
		c := config.Default()
		c.Core, c.ToolSearch.Ranker = []string{}, ranker
		s, err := Build(t.Context(), Inputs{Registry: r, Config: c})
		require.NoError(t, err)
		same, err := s.IndexOver(t.Context(), slices.Clone(s.Catalog()))
		if err != nil || same != s.index() {
			t.Errorf("%s: the catalog is indexed anew, %v", ranker, err)
		}
		some := []*model.Tool{s.Catalog()[7], s.Catalog()[3], s.Catalog()[50]}
		index, err := s.IndexOver(t.Context(), some)
		require.NoError(t, err)
		hits := index.Search(some[2].Name, 3).Hits
		if len(hits) == 0 || hits[0].Doc != 2 {
			t.Errorf("%s: %q finds %v among three", ranker, some[2].Name, hits)
		}
	}
}

// Every ranker and host that can be configured can be made, and no other.
func TestRankersAreConfigured(t *testing.T) {
	all := slices.Concat(config.Rankers, hosts.Foreign())
	if got, want := slices.Sorted(maps.Keys(rankers)), slices.Sorted(slices.Values(all)); !slices.Equal(got, want) {
		t.Errorf("the engine has the rankers %v, the configuration %v", got, want)
	}
}
