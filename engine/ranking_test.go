package engine

import (
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine/synthetic"
	"caliper/model"
)

func TestIndexOverOtherTools(t *testing.T) {
	r, err := model.Parse(t.Context(), model.Source{Name: "r.json", Data: synthetic.Dump(60, 3)})
	if err != nil {
		t.Fatal(err)
	}
	for _, ranker := range config.Rankers {
		c := config.Default()
		c.Core, c.ToolSearch.Ranker = []string{}, ranker
		s, err := Build(t.Context(), Inputs{Registry: r, Config: c})
		if err != nil {
			t.Fatal(err)
		}
		same, err := s.IndexOver(t.Context(), slices.Clone(s.Catalog()))
		if err != nil || same != s.index {
			t.Errorf("%s: the catalog is indexed anew, %v", ranker, err)
		}
		some := []*model.Tool{s.Catalog()[7], s.Catalog()[3], s.Catalog()[50]}
		index, err := s.IndexOver(t.Context(), some)
		if err != nil {
			t.Fatal(err)
		}
		hits := index.Search(some[2].Name, 3).Hits
		if len(hits) == 0 || hits[0].Doc != 2 {
			t.Errorf("%s: %q finds %v among three", ranker, some[2].Name, hits)
		}
	}
}
