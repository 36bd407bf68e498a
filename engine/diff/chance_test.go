package diff_test

import (
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/model/require"
)

// anyChance takes every difference for a fault that is not a gain: P is 1 at most.
var anyChance = diff.GateOptions{Alpha: 1}

// TestAGainNeverFails, however rarely chance alone does as much, and one loss is judged as
// many are.
func TestAGainNeverFails(t *testing.T) {
	query := []labels.Query{{ID: "q", Text: "door", Relevant: []string{"one"}}}
	found, lost := doors(t, "one", "two", "three"), doors(t, "two", "three", "one")
	if r := judged(t, lost, found, query, anyChance); !r.Passed() || r.Recall.Difference != 1 {
		t.Errorf("a gain: %+v", r)
	}
	if r := judged(t, found, found, query, anyChance); !r.Passed() {
		t.Errorf("no difference: %+v", r.Reasons)
	}
	r := judged(t, found, lost, query, anyChance)
	if len(r.Reasons) != 1 || r.Reasons[0].Kind != diff.KindRecall || r.Reasons[0].P != 1 || r.Reasons[0].Dropped != 0 {
		t.Errorf("a loss: %+v", r.Reasons)
	}
}

// TestDroppedTools: what a session loses with a toolset is judged by one query as by many,
// and what it wins by that passes.
func TestDroppedTools(t *testing.T) {
	registry := fixture.Registry(t, fixture.Entry("one", "door filler", "mcp-a"), fixture.Entry("two", "door filler filler", "mcp-b"),
		fixture.Entry("three", "door filler filler filler", "mcp-b"), fixture.Entry("four", "door filler filler filler filler", "mcp-a"))
	granting := func(toolsets ...string) *engine.Snapshot {
		s, err := engine.Build(t.Context(), engine.Inputs{Registry: registry, Config: fixture.Config(func(c *config.Config) {
			c.ToolSearch.DefaultLimit = 2
			c.Sessions = []config.Session{{Name: "all"}, {Name: "porter", Enabled: toolsets}}
		}), Session: "all"})
		require.NoError(t, err)
		return s
	}
	for _, x := range []struct {
		name     string
		relevant []string
		failing  bool
	}{
		{"a tool that is found is dropped", []string{"one"}, true},
		{"a tool that is not found is dropped, and another one is found for it", []string{"three", "four"}, false},
		{"no tool of the query is dropped", []string{"two"}, false},
	} {
		query := labels.Query{ID: "q", Text: "door", Relevant: x.relevant}
		if len(x.relevant) > 1 {
			query.Groups = [][]string{x.relevant}
		}
		r := judged(t, granting("mcp-a", "mcp-b"), granting("mcp-b"), []labels.Query{query}, anyChance)
		if !x.failing {
			if !r.Passed() {
				t.Errorf("%s: %+v", x.name, r.Reasons)
			}
			continue
		}
		if len(r.Reasons) != 1 || r.Reasons[0].Kind != diff.KindRecall || r.Reasons[0].Session != "porter" || r.Reasons[0].Dropped != 1 || r.Reasons[0].Old != 1 || r.Reasons[0].New != 0 {
			t.Errorf("%s: %+v", x.name, r.Reasons)
		}
	}
}

// TestDarkToolsAreNamed: the tools that their own words do not find any more are named in
// order, unless as many others are found for them.
func TestDarkToolsAreNamed(t *testing.T) {
	// Two of the tools that say the same are found by what they say.
	build := func(says ...string) *engine.Snapshot {
		var entries []string
		for i, text := range says {
			letter := string(rune('a' + i))
			entries = append(entries, fixture.Entry("mcp_"+letter+"_do", text, "mcp-"+letter))
		}
		s, err := engine.Build(t.Context(), engine.Inputs{Registry: fixture.Registry(t, entries...), Config: fixture.Config(func(c *config.Config) { c.ToolSearch.DefaultLimit = 2 })})
		require.NoError(t, err)
		return s
	}
	base := build("Stow luggage.", "Stow luggage.", "Paint fences.", "Mend boats.", "Mend boats.", "Mend boats.", "Mend boats.")
	for _, x := range []struct {
		name string
		now  *engine.Snapshot
		dark []string // that are named
	}{
		{"one becomes dark", build("Stow luggage.", "Stow luggage.", "Stow luggage.", "Mend boats.", "Mend boats.", "Mend boats.", "Mend boats."), []string{"mcp_c_do"}},
		{"three become dark", build("Mend boats.", "Mend boats.", "Mend boats.", "Mend boats.", "Mend boats.", "Mend boats.", "Mend boats."), []string{"mcp_c_do", "mcp_d_do", "mcp_e_do"}},
		{"one becomes dark, and two are found", build("Stow luggage.", "Stow luggage.", "Stow luggage.", "Mend boats.", "Mend boats.", "Sail.", "Row."), nil},
		{"nothing changes", base, nil},
	} {
		r := judged(t, base, x.now, nil, anyChance)
		var named []string
		for _, reason := range r.Reasons {
			if reason.Kind != diff.KindLint || reason.Code != lint.DarkTool || !reason.Tested {
				t.Errorf("%s: %+v", x.name, reason)
			}
			named = append(named, reason.Tools...)
		}
		if !slices.Equal(named, x.dark) {
			t.Errorf("%s: %q are named, want %q", x.name, named, x.dark)
		}
	}
}
