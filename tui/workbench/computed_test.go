package workbench

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/demo"
	"caliper/watch"
)

// entries returns the paths of the kept values.
func entries(t *testing.T, e Embedding) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(e.Computed().Path, "*.cache"))
	require.NoError(t, err)
	return paths
}

// damage changes the last byte of everything that is kept.
func damage(t *testing.T, e Embedding) {
	t.Helper()
	for _, path := range entries(t, e) {
		data, err := os.ReadFile(path)
		if err == nil {
			data[len(data)-1] ^= 1
			err = os.WriteFile(path, data, 0o600)
		}
		require.NoError(t, err)
	}
}

// bulkTools returns n tools.
func bulkTools(t *testing.T, n int) []*model.Tool {
	t.Helper()
	r, err := shapes.Parse(t.Context(), model.Source{Name: "registry.json", Data: demo.Bulk(n)})
	require.NoError(t, err)
	return r.Tools
}

// TestKeptIndex: the embedder fuzzy gives the same scores without a cache, when
// it fills it, from it, and when it is damaged; another toolset is another index.
func TestKeptIndex(t *testing.T) {
	tools := bulkTools(t, fewestIndexed)
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
		{"damaged", func() { damage(t, e) }, 1},
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

// TestKeptCounts: a state is the same with counts from the folder, and chars4 keeps
// nothing.
func TestKeptCounts(t *testing.T) {
	e := Embedding{Cache: t.TempDir(), Build: "b1"}
	in := Input{Registry: []watch.File{{Name: "registry.json", Data: demo.Bulk(400)}}}
	tokensOf := func(e Embedding, m tokens.Method) int {
		t.Helper()
		in.Flags.Tokenizer = m
		st, err := NewKeeping(e.Computed()).Load(t.Context(), in)
		require.NoError(t, err)
		return st.Budget.EagerTokens
	}
	tokensOf(e, tokens.Chars4)
	if n := len(entries(t, e)); n > 0 {
		t.Errorf("chars4 keeps %d entries", n)
	}
	for kept, m := range []tokens.Method{tokens.O200k, tokens.Cl100k} {
		want := tokensOf(Embedding{}, m)
		for _, how := range []string{"cold", "warm", "damaged"} {
			if how == "damaged" {
				damage(t, e)
			}
			if got := tokensOf(e, m); got != want {
				t.Errorf("%s, %s: %d tokens, want %d", m, how, got, want)
			}
			if n := len(entries(t, e)); n < kept+1 || n > kept+2 {
				t.Errorf("%s, %s: %d entries", m, how, n)
			}
		}
	}
}
