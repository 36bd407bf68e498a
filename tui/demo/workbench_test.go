package demo

import (
	"context"
	"slices"
	"strings"
	"testing"

	settings "caliper/config"
	"caliper/engine/retrieval"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/shapes"
)

// The tests of this file give the demo to the workbench itself.

func parse(tb testing.TB) *model.Registry {
	tb.Helper()
	r, err := shapes.Parse(context.Background(), model.Source{Name: RegistryFile, Data: Registry()})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// Somebody's first look should not begin with a list of warnings, but for the
// clash, which is there to be seen.
func TestImport(t *testing.T) {
	r := parse(t)
	d := decode(t)
	if r.Shape != "hermes" || len(r.Tools) != len(d.Tools) {
		t.Errorf("shape %q with %d tools, want hermes with %d", r.Shape, len(r.Tools), len(d.Tools))
	}
	for _, w := range r.Warnings {
		if !strings.Contains(w.Error(), "mcp_forge_ci_status") {
			t.Error(w)
		}
	}
	for i, tl := range r.Tools {
		if want := d.Tools[i]; tl.Name != want.Function.Name || tl.Toolset != want.Toolset || tl.Available != want.available() {
			t.Errorf("%s of %s, available %v", tl.Name, tl.Toolset, tl.Available)
		}
		if got, want := tokens.Chars4.Units(tokens.Definition(tl)), d.Tools[i].chars(t); got != want {
			t.Errorf("%s: %d units, want %d", tl.Name, got, want)
		}
		if tl.ShownDescription() != tl.Description {
			t.Errorf("%s: a terminal is shown another description", tl.Name)
		}
	}
	if got := r.Lookup("mcp_forge_ci_status"); len(got) != 2 || got[0].Qualified != "mcp-forge/mcp_forge_ci_status" {
		t.Errorf("the clash: %d tools", len(got))
	}
}

func TestConfigImport(t *testing.T) {
	f, err := settings.Parse(ConfigFile, Config())
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range f.Warnings {
		t.Error(w)
	}
	var names []string
	for _, s := range f.Config.Sessions {
		names = append(names, s.Name)
	}
	if want := []string{"default", "forge-dev", "support-desk", "ops-oncall", "kanban-worker"}; !slices.Equal(names, want) {
		t.Errorf("sessions %v, want %v", names, want)
	}
	if f.Config.ToolSearch != settings.Default().ToolSearch {
		t.Errorf("tool search %+v is not the default that the comments call it", f.Config.ToolSearch)
	}
	if len(f.Config.Policy) != 2 {
		t.Errorf("policy %+v", f.Config.Policy)
	}
}

// The core list decides by name which tools are core, and the plain tests rely on that
// being the builtin tools.
func TestCore(t *testing.T) {
	core := settings.Default().Core
	for _, tl := range decode(t).Tools {
		if got, want := slices.Contains(core, tl.Function.Name), tl.Source == "builtin"; got != want {
			t.Errorf("%s: source %s, on the core list: %v", tl.Function.Name, tl.Source, got)
		}
	}
}

// TestRecall asks every query of the default session's catalog. What the words
// of a query name is found; what only its sense names mostly is not, or there
// would be nothing to show.
func TestRecall(t *testing.T) {
	const limit = 5
	core := settings.Default().Core
	catalog := slices.DeleteFunc(slices.Clone(parse(t).Tools), func(tl *model.Tool) bool {
		return !tl.Available || slices.Contains(core, tl.Name)
	})
	slices.SortStableFunc(catalog, func(a, b *model.Tool) int { return strings.Compare(a.Name, b.Name) })
	index, err := retrieval.NewCorpus().Index(context.Background(), catalog, retrieval.Reference)
	if err != nil {
		t.Fatal(err)
	}
	found, asked := map[string]int{}, map[string]int{}
	for _, q := range decodeQueries(t) {
		kind, _, _ := strings.Cut(q.ID, "-")
		hit := slices.ContainsFunc(index.Search(q.Query, limit).Hits, func(h retrieval.Hit) bool {
			return slices.Contains(q.Relevant, catalog[h.Doc].Name)
		})
		for _, k := range []string{kind, "all"} {
			asked[k]++
			if hit {
				found[k]++
			}
		}
	}
	for _, c := range []struct {
		kind        string
		least, most float64
	}{
		{"easy", 1, 1},
		{"plain", 0.9, 1},
		{"hard", 0.1, 0.6},
		{"ambiguous", 0.7, 1},
		{"all", 0.7, 0.95},
	} {
		share := float64(found[c.kind]) / float64(asked[c.kind])
		t.Logf("%-9s %2d of %2d in the first %d", c.kind, found[c.kind], asked[c.kind], limit)
		if !(share >= c.least && share <= c.most) {
			t.Errorf("%s: %.2f found, want %.2f to %.2f", c.kind, share, c.least, c.most)
		}
	}
}
