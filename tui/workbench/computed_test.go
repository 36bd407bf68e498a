package workbench

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"caliper/config"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/demo"
)

// entries returns the paths of the kept values.
func entries(t *testing.T, e Embedding) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(e.Computed().Path, "*.cache"))
	require.NoError(t, err)
	return paths
}

// TestKeptIndex: the embedder fuzzy gives the same scores without a cache, when
// it fills it, from it, and when it is damaged; another toolset is another index.
func TestKeptIndex(t *testing.T) {
	r, err := shapes.Parse(t.Context(), model.Source{Name: "registry.json", Data: demo.Bulk(fewestIndexed)})
	require.NoError(t, err)
	tools := r.Tools
	e := Embedding{Cache: t.TempDir(), Build: "b1"}
	fuzzy := config.Default().PreSelection
	fuzzy.EmbedModel = config.EmbedFuzzy
	scores := func(e Embedding, tools []*model.Tool) []float64 {
		t.Helper()
		x, err := OpenSimilarity(t.Context(), fuzzy, tools, e, nil)
		require.NoError(t, err)
		scores, err := x.Scores(t.Context(), "crate a brnach in forge", tools)
		require.NoError(t, err)
		return scores
	}
	want := scores(Embedding{}, tools)
	for _, c := range []struct {
		name   string
		before func()
		kept   int
	}{
		{"cold", func() {}, 1},
		{"warm", func() {}, 1},
		{"damaged", func() {
			path := entries(t, e)[0]
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			data[len(data)-1] ^= 1
			require.NoError(t, os.WriteFile(path, data, 0o600))
		}, 1},
		{"another build", func() { e.Build = "b2" }, 2},
	} {
		c.before()
		if !slices.Equal(scores(e, tools), want) {
			t.Errorf("%s: other scores", c.name)
		}
		if n := len(entries(t, e)); n != c.kept {
			t.Errorf("%s: %d entries", c.name, n)
		}
	}
	moved := slices.Clone(tools)
	first := *moved[0]
	first.Toolset = "brnach"
	moved[0] = &first
	if got, want := scores(e, moved), scores(Embedding{}, moved); !slices.Equal(got, want) {
		t.Error("a tool in another toolset: other scores")
	}
	few := tools[:fewestIndexed-1]
	before := len(entries(t, e))
	scores(e, few)
	if n := len(entries(t, e)); n != before {
		t.Errorf("an index of %d tools is kept", len(few))
	}
	if len(entries(t, Embedding{Cache: e.Cache})) > 0 {
		t.Error("an unknown build has a folder")
	}
}
