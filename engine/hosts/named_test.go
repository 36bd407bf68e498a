package hosts

import (
	"math"
	"strings"
	"testing"

	"caliper/config"
	"caliper/model"
)

// port are tools of two servers; the last has a schema that is no object.
var port = []*model.Tool{
	{Name: "a", Qualified: "a", Server: "Port", OriginalName: "Moor_Ship", Description: "Moors a ship.", Parameters: []byte(`{"type":"object"}`), Available: true},
	{Name: "b", Qualified: "b", Server: "Port", OriginalName: "list_ships", Description: "Lists the ships at a berth.", Parameters: []byte(`{"type":"object"}`), Available: true},
	{Name: "c", Qualified: "c", Server: "yard", OriginalName: "paint", Description: "Paints a hull.", Parameters: []byte(`{"type":"object"}`), Available: true},
	{Name: "d", Qualified: "d", Server: "dock", OriginalName: "sink", Description: "Sinks it.", Parameters: []byte(`{}`), Available: true},
}

// TestQueriesThatNameTools: Claude Code answers a selection, a name and a beginning of names
// with those tools alone, whatever else has the words.
func TestQueriesThatNameTools(t *testing.T) {
	t.Parallel()
	x := New(Named("claude-code"), port)
	for query, want := range map[string]string{
		"select:mcp__Port__list_ships":           "mcp__Port__list_ships",
		" SELECT:mcp__port__LIST_SHIPS , paint ": "mcp__Port__list_ships mcp__yard__paint",
		"select:moor_ship,nothing,moor_ship":     "mcp__Port__Moor_Ship mcp__Port__Moor_Ship",
		"select:":                                "",
		"mcp__yard__paint":                       "mcp__yard__paint",
		"mcp__port":                              "mcp__Port__list_ships mcp__Port__Moor_Ship",
		"mcp__port__m":                           "mcp__Port__Moor_Ship",
		"bash":                                   "Bash",
		"select:" + strings.Repeat("x,", 63) + "paint": "mcp__yard__paint",
		"select:" + strings.Repeat("x,", 64) + "paint": "",
	} {
		var names []string
		for _, h := range x.Search(query, 0) {
			if names = append(names, h.Name); h.Score != 0 || h.Best != h.Worst {
				t.Errorf("%q: %s has the score %v and the ranks %d to %d", query, h.Name, h.Score, h.Best, h.Worst)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	for _, query := range []string{"mcp__", "mcp__nothing", "moor a ship"} {
		for _, h := range x.Search(query, 0) {
			if h.Score <= 0 {
				t.Errorf("%q names %s", query, h.Name)
			}
		}
	}
	if got := x.Refused(); len(got) != 1 || got[0] != "dock" || x.Holds(port[3]) || !x.Holds(port[0]) {
		t.Errorf("refuses %q", got)
	}
}

// TestExplain: what the words of a query give a tool is its score, in hosts that add nothing
// for all of them together.
func TestExplain(t *testing.T) {
	t.Parallel()
	for _, h := range All {
		if h.Generation != "" || h.rules.whole != nil || h.rules.rescored > 0 {
			continue
		}
		x := New(h, port)
		if x.Host() != h || x.Limit() != h.Limit || x.Active() != h.Searches(len(x.entries)) || h.Searches(h.above) || !h.Searches(h.above+1) {
			t.Errorf("%s: limit %d, active %v", h.Name, x.Limit(), x.Active())
		}
		const query = "moor the ships at a berth"
		for _, hit := range x.Search(query, -1) {
			if hit.Tool == nil {
				continue
			}
			sum := 0.0
			x.Explain(query, hit.Tool, func(word string, given float64) {
				if sum += given; word == "" || given < 0 {
					t.Errorf("%s: %s gives %v", h.Name, word, given)
				}
			})
			if math.Abs(sum-hit.Score) > 1e-5*hit.Score && !h.rules.tiers {
				t.Errorf("%s: words of %q give %s %v, its score is %v", h.Name, query, hit.Name, sum, hit.Score)
			}
		}
		x.Explain("zebra", port[0], func(_ string, given float64) {
			t.Errorf("%s: a word that no tool has gives %v", h.Name, given)
		})
	}
}

// TestConfigured: a configuration names an agent, or the generation that it has.
func TestConfigured(t *testing.T) {
	t.Parallel()
	for _, name := range Foreign() {
		c := config.Default()
		if c.Host = name; Configured(&c).Name != name || Configured(&c).Generation != "" {
			t.Errorf("%s is %s", name, Configured(&c).Name)
		}
	}
	for generation, want := range map[config.Generation]string{config.June2026: "hermes-2026-06", config.September2026: "hermes-2026-09"} {
		for _, name := range []string{"", "nobody", "hermes-2026-06"} {
			c := config.Default()
			if c.Host, c.ToolSearch.Generation = name, generation; Configured(&c).Name != want {
				t.Errorf("%q of %s is %s", name, generation, Configured(&c).Name)
			}
		}
	}
	if len(Foreign()) != len(All)-2 {
		t.Errorf("%q", Foreign())
	}
}

// TestCodexNames: names alike, names that run together alike, and long ones have a digest, and
// each is found by the text of its own (measured on Codex 0.171.0).
func TestCodexNames(t *testing.T) {
	t.Parallel()
	var tools []*model.Tool
	want := []string{
		"a-b ping mcp__a_b_e0598e406614__ping", "a_b ping mcp__a_b_909e3df97957__ping", "a_b only mcp__a_b_909e3df97957__only",
		"c x.y mcp__c__x_y_a08ee9931784", "c x_y mcp__c__x_y_6472e54033d5", "c z mcp__c__z", "de f mcp__de__f_efdd5ad582c4", "d ef mcp__d__ef",
		strings.Repeat("s", 110) + " tool mcp__" + strings.Repeat("s", 110) + "__tool", strings.Repeat("t", 119) + " tool mcp__" + strings.Repeat("t", 108) + "___e65a84b6824a",
	}
	for i, w := range want {
		f := strings.Fields(w)
		tools, want[i] = append(tools, &model.Tool{Name: w, Qualified: w, Server: f[0], OriginalName: f[1], Index: i}), f[2]
	}
	x := New(codex, tools)
	for i, name := range codex.Names(tools) {
		if name != want[i] {
			t.Errorf("%s, want %s", name, want[i])
		}
		space, local, _ := strings.Cut(name[5:], "__")
		for _, query := range []string{local, "mcp__" + space + local} {
			if !codexStopWords()[query] && !x.Finds(query, tools[i]) {
				t.Errorf("%q does not find %s", query, name)
			}
		}
	}
}

// TestHint: words that a tool has for the search alone are worth 4 to Claude Code, and nothing to
// any other agent.
func TestHint(t *testing.T) {
	t.Parallel()
	quiet := []*model.Tool{{Name: "a", Qualified: "a", Server: "port", OriginalName: "moor", Description: "Moors a ship.", Parameters: []byte(`{"type":"object"}`), Available: true, Hint: "Zebra stripes"}}
	for _, h := range All {
		if h.Generation != "" {
			continue
		}
		found := New(h, quiet).Search("zebra", 0)
		if h.Name == "claude-code" && (len(found) != 1 || found[0].Score != 4) || h.Name != "claude-code" && len(found) != 0 {
			t.Errorf("%s finds %v", h.Name, found)
		}
	}
}
