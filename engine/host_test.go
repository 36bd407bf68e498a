package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"

	"pgregory.net/rapid"
)

// hostedBy returns a snapshot of tools of a task list under a host.
func hostedBy(t fixture.T, host string, names ...string) *Snapshot {
	var tools []string
	for _, name := range names {
		tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"mcp__work__%s","description":"A tool for %s of files.","parameters":{"type":"object","properties":{"id":{"type":"string"}}}},"toolset":"mcp-work","server":"work","original_name":"%s"}`, name, name, name))
	}
	c := config.Default()
	c.Host = host
	return built(t, Inputs{Registry: fixture.Registry(t, tools...), Config: c})
}

// A snapshot under a host ranks as the host does: its own tools have ranks and take places of
// the limit, and the leaves of an explanation add up to the score.
func TestHosted(t *testing.T) {
	names := []string{"create_task", "read", "list_tasks", "stop", "web_search", "task", "create", "send"}
	rapid.Check(t, func(t *rapid.T) {
		h := hosts.All[rapid.IntRange(0, len(hosts.All)-1).Draw(t, "host")]
		if h.Generation != "" {
			return
		}
		s := hostedBy(t, h.Name, names...)
		query := rapid.StringMatching(`((create|task|list|of|mcp__work__read|web|files|x) ){1,3}`).Draw(t, "query")
		want := hosts.New(h, s.Registry.Tools).Search(h.Asked(query), -1)
		got := s.Search(query, 0, len(names))
		if len(s.Catalog()) != len(names) || got.Limit+len(got.Own) != h.Limit {
			t.Fatalf("a catalog of %d, a limit of %d with %d own", len(s.Catalog()), got.Limit, len(got.Own))
		}
		for rank, hit := range want {
			if hit.Tool == nil {
				if rank < h.Limit && !slices.Contains(got.Own, hit.Name) {
					t.Fatalf("%s is not among the own tools %v", hit.Name, got.Own)
				}
				continue
			}
			i := slices.IndexFunc(got.Hits, func(g Hit) bool { return g.Tool == hit.Tool })
			if i < 0 || got.Hits[i].Rank != rank+1 || got.Hits[i].Score != hit.Score || got.Hits[i].Within != (rank < h.Limit) {
				t.Fatalf("%s: rank %d, got %+v", hit.Name, rank+1, got.Hits)
			}
			if rank, _, ok := s.Rank(query, hit.Tool); !ok || rank != got.Hits[i].Rank {
				t.Fatalf("Rank is %d, in the hits %d", rank, got.Hits[i].Rank)
			}
		}
		for doc, tool := range s.Catalog() {
			found := slices.ContainsFunc(got.Hits, func(g Hit) bool { return g.Tool == tool })
			if s.index().Finds(query, doc) != found {
				t.Fatalf("Finds %s: %t", tool.Name, !found)
			}
			e, _ := s.Explain(query, tool)
			sum := 0.0
			for _, leaf := range e.Children {
				sum += leaf.Value
			}
			if len(e.Children) > 0 && math.Abs(sum-e.Value) > 1e-9 {
				t.Fatalf("%s: leaves add up to %v of %v", tool.Name, sum, e.Value)
			}
		}
	})
}

// Under a host no tool is core, whatever the configuration says, and the number of tools
// decides whether it searches.
func TestHostDecides(t *testing.T) {
	for host, want := range map[string]bool{"claude-code": true, "copilot-cli": false, "hermes-2026-06": false} {
		s := hostedBy(t, host, "terminal", "todo")
		if s.Active() != want {
			t.Errorf("%s: active %t", host, s.Active())
		}
		if b := s.Budget(false); b.Measured() == (host == "claude-code") || (b.Host == "") != (host == "hermes-2026-06") {
			t.Errorf("%s: the budget is of %q, measured %t", host, b.Host, b.Measured())
		}
		if s.Host().Name != host {
			t.Errorf("the host is %s, not %s", s.Host().Name, host)
		}
		in := s.inputs // the setting of the reference agent, in a session that searches and in one that is sent all
		in.Config.Selection, in.Config.Sessions = config.SelectLazy, []config.Session{{Name: "search"}, {Name: "all", InFull: host != "hermes-2026-06"}}
		a, err := built(t, in).Activations(t.Context())
		require.NoError(t, err)
		if reference := host == "hermes-2026-06"; a[0].Active != (want || reference) || a[1].Active != reference || PreSelects(built(t, in).Assembly().Strategy) != reference {
			t.Errorf("%s pre-selects: %+v", host, a)
		}
	}
	c := config.Default()
	c.Host = "pi"
	tool := model.Tool{Name: "terminal"}
	if NewClassifier(c).Class(tool.Name, "core", true) != Deferrable || NewClassifier(config.Default()).Class(tool.Name, "core", true) != Visible {
		t.Error("a core tool is sent by a host that has none")
	}
}

// A host decides by the number of tools that may be deferred and are granted.
func TestHostCounts(t *testing.T) {
	for _, h := range hosts.All {
		least := 0 // tools for which it searches
		for ; least < 1000 && !h.Searches(least); least++ {
		}
		if h.Generation != "" || least == 0 || least == 1000 {
			continue
		}
		var tools []string
		for i := range least + 1 {
			toolset := "mcp-work"
			if i >= least-1 {
				toolset = fmt.Sprintf("mcp-more%d", i)
			}
			tools = append(tools, fixture.Entry(fmt.Sprintf("t%d", i), "A tool.", toolset))
		}
		for _, c := range []struct {
			enabled []string
			want    bool
		}{{nil, true}, {[]string{"mcp-work"}, false}, {[]string{"mcp-work", fmt.Sprintf("mcp-more%d", least)}, true}} {
			conf := config.Default()
			conf.Host, conf.Sessions = h.Name, []config.Session{{Name: "s", Enabled: c.enabled}}
			s := built(t, Inputs{Registry: fixture.Registry(t, tools...), Config: conf})
			if s.Active() != c.want {
				t.Errorf("%s with %q of %d tools: active %v", h.Name, c.enabled, least+1, s.Active())
			}
		}
	}
}

// Where a host's own dictionary decides the order, hits say between which ranks they stand and
// which of them the model gets by chance.
func TestHitsByChance(t *testing.T) {
	s := hostedBy(t, "pi", "read_a", "read_b", "read_c", "read_d", "读写文件", "read_f", "read_g", "文件夹目录一览表", "read_i", "read_j")
	for query, want := range map[string]string{
		"read tool": "false read_a 1-1 sure, read_b 2-2 sure, read_c 3-3 sure, read_d 4-4 sure, read_f 5-5 sure, read_g 6-6 sure, read_i 7-7 sure, read_j 8-8 sure, 读写文件 9-10, 文件夹目录一览表 9-10",
		"tool":      "true read_a 1-3, read_b 2-4, read_c 3-5, read_d 4-6, read_f 5-7, read_g 6-8, read_i 7-9 chance, read_j 8-10 chance, 读写文件 1-10 chance, 文件夹目录一览表 1-10 chance",
	} {
		r := s.Search(query, 0, 10)
		var hits []string
		for _, h := range r.Hits {
			text := fmt.Sprintf("%s %d-%d", h.Tool.OriginalName, h.Best, h.Worst)
			if h.Sure() {
				text += " sure"
			}
			if h.Chance {
				text += " chance"
			}
			hits = append(hits, text)
		}
		if got := fmt.Sprint(r.Untold, " ", strings.Join(hits, ", ")); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	tied := []Hit{{Best: 1, Worst: 1}, {Best: 5, Worst: 8, Chance: true}, {Best: 5, Worst: 8, Chance: true}}
	for _, c := range []struct {
		name     string
		r        Results
		gets, of int
	}{
		{"none by chance", Results{Limit: 5, Hits: tied[:1]}, 0, 0},
		{"one of four", Results{Limit: 5, Hits: tied}, 1, 4},
		{"a place is the host's own tool's", Results{Limit: 5, Own: []string{"Read"}, Hits: tied}, 2, 4},
		{"it cannot be told", Results{Limit: 5, Untold: true, Hits: tied}, 0, 0},
		{"the first of all", Results{Limit: 2, Hits: []Hit{{Best: 1, Worst: 3, Chance: true}}}, 2, 3},
	} {
		if gets, of := c.r.Tied(); gets != c.gets || of != c.of {
			t.Errorf("%s: %d of %d", c.name, gets, of)
		}
	}
}
