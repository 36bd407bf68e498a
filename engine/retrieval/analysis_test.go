package retrieval

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/require"
)

// TestAnalysis: what of a tool becomes its document.
func TestAnalysis(t *testing.T) {
	for _, c := range []struct {
		name, tool, toolset string
		words, stems        []string
	}{
		{"prefix and label", "mcp__harbor__list_berths", "mcp-port", []string{"mcp", "harbor", "list", "berths"}, []string{"harbor", "list", "berth", "port"}},
		{"the label is a word of the name", "mcp__harbor__list", "mcp-harbor", []string{"mcp", "harbor", "list"}, []string{"harbor", "list"}},
		{"compared as it is", "Harbor_list", "mcp-harbor", []string{"harbor", "list"}, []string{"harbor", "list", "harbor"}},
		{"a word of a stem is another", "harbors", "harbor", []string{"harbors"}, []string{"harbor", "harbor"}},
		{"only a leading prefix", "my_mcp__x", "a-mcp-b", []string{"my", "mcp", "x"}, []string{"my", "mcp", "x", "a", "mcp", "b"}},
		{"once", "mcp__mcp__x", "mcp-mcp-y", []string{"mcp", "mcp", "x"}, []string{"mcp", "x", "mcp", "y"}},
		{"no toolset", "port", model.NoToolset, []string{"port"}, []string{"port"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool := newTool(c.tool, "", nil)
			tool.Toolset = c.toolset
			for analysis, want := range map[Analysis][]string{Words: c.words, Stems: c.stems} {
				a := newAnalyser(analysis)
				a.addTool(tool)
				var got []string
				for at, id := range a.bags[0].terms {
					got = append(got, slices.Repeat([]string{string(a.dict.Term(id))}, a.bags[0].frequency(at))...)
				}
				slices.Sort(got)
				if want = slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
					t.Errorf("analysis %d: %q, want %q", analysis, got, want)
				}
			}
		})
	}
}

// TestCorpusOfStemsEqualsFresh: whatever a corpus went through, its gated index
// answers as one made from nothing.
func TestCorpusOfStemsEqualsFresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		corpus := NewCorpusOf(Stems)
		corpus.cache.Spare = rapid.SampledFrom([]int{0, 50, spareTokens}).Draw(t, "spare")
		for range rapid.IntRange(1, 5).Draw(t, "reloads") {
			tools := drawGatedCatalog(30).Draw(t, "catalog")
			x, err := corpus.Gated(t.Context(), tools)
			require.NoError(t, err)
			checkGated(t, x, newGatedReference(tools), drawGatedQuery(t, tools), 1, 5)
		}
	})
}

// TestLeaves: contributions and childless components add up; factors and
// components with children do not count again.
func TestLeaves(t *testing.T) {
	factors := []Explanation{{Value: 2}, {Value: 4}}
	e := Explanation{Value: 9.5, Children: []Explanation{
		{Component: "words", Value: 9, Weight: 1, Norm: 2, Children: []Explanation{
			{Token: "a", Value: 8, Children: factors},
			{Token: "b", Value: 1},
		}},
		{Component: "name", Value: 0.5},
	}}
	var got []float64
	for leaf := range e.Leaves {
		got = append(got, leaf.Value)
	}
	if !slices.Equal(got, []float64{8, 1, 0.5}) {
		t.Errorf("%v", got)
	}
	for range e.Leaves {
		break // must not go on
	}
}
