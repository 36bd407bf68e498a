package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"caliper/config"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// The ranks that stand beside the hits are those that the other rankers give.
func TestRivalRanks(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 120, 31).ask("merge the pull").run(nil)
	d.run(d.s.compare())
	if len(d.s.hits.rivals) != 4 {
		t.Fatalf("%d rivals", len(d.s.hits.rivals))
	}
	for i, name := range []string{config.RankerFielded, config.RankerGated, config.RankerHybrid, config.RankerSemantic} {
		r := &d.s.hits.rivals[i]
		if got := r.snapshot.Config.ToolSearch.Ranker; got != name {
			t.Errorf("rival %d is %s", i, got)
		}
		for _, hit := range d.s.hits.results.Hits[:10] {
			want, _, _ := r.snapshot.Rank("merge the pull", hit.Tool)
			if got := r.rank("merge the pull", hit.Tool); got != want {
				t.Errorf("%s ranks %s at %d, not %d", name, hit.Tool.Qualified, got, want)
			}
		}
	}
}

// A filter leaves the rows whose name or whose toolset has its text, in either case.
func TestFilterReadsNameAndToolset(t *testing.T) {
	t.Parallel()
	for query, texts := range map[string][]string{"": {"web", "Issue", "mcp-tracker", "zzz"}, "list the newest issues": {"wiki", "LIST"}} {
		d := onDemo(t, 120, 31).ask(query)
		for _, text := range texts {
			d.s.hits.setFilter("")
			var want []string
			d.s.hits.deepen(d.s.hits.results.Scored)
			for i := range d.s.hits.total() {
				if tool := d.s.hits.tool(i); strings.Contains(strings.ToLower(tool.Qualified+" "+tool.Toolset), strings.ToLower(text)) {
					want = append(want, tool.Qualified)
				}
			}
			d.s.hits.setFilter(text)
			var got []string
			for row := range d.s.hits.count() {
				got = append(got, d.s.hits.tool(d.s.hits.at(row)).Qualified)
			}
			if !slices.Equal(got, want) || len(got) == 0 != (text == "zzz") {
				t.Errorf("%q, filter %q: %d rows, want %d", query, text, len(got), len(want))
			}
		}
	}
}

func TestComparedHitsFitEverywhere(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 120, 31).ask("list the newest issues")
	d.run(d.s.compare())
	for w := 8; w < 90; w += 7 {
		for h := 1; h < 30; h += 3 {
			lines := d.s.hits.draw(dark, w, h, true)
			if len(lines) != h {
				t.Fatalf("%d×%d: %d lines", w, h, len(lines))
			}
			for i, line := range lines {
				if got := ansi.StringWidth(line); got != w {
					t.Errorf("%d×%d: line %d is %d wide: %q", w, h, i, got, line)
				}
			}
			if h > 1 && !strings.Contains(strings.Join(lines, ""), dark.Selected) {
				t.Errorf("%d×%d: the selection is out of sight", w, h)
			}
		}
	}
}

// Skills stand at the foot of the hits: those that the query finds, all of them without one, and the
// last line says how many have no room. A click on one selects no tool.
func TestSkillsAmongHits(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 120, 31)
	for _, name := range []string{"bake-bread", "bake-cake", "sail", "row", "swim", "fly"} {
		d.input.Registry = append(d.input.Registry, watch.File{Name: "s/" + name + "/SKILL.md", InFolder: true, Data: []byte("---\nname: " + name + "\ndescription: How to " + name + ".\n---\n")})
	}
	d.load()
	for query, want := range map[string][]string{"": {"skill bake-bread", "skill bake-cake", "skill sail", "skill 3 more"}, "bake": {"skill bake-bread", "skill bake-cake"}, "merge": nil} {
		d.ask(query)
		lines := d.s.hits.draw(dark, 60, 12, true)
		foot := lines[12-len(want):]
		for i, line := range want {
			if !strings.HasPrefix(strings.TrimSpace(ansi.Strip(foot[i])), line) {
				t.Errorf("%q: %q, want %q", query, ansi.Strip(foot[i]), line)
			}
		}
		if all := strings.Join(lines, ""); strings.Count(all, "skill ") != len(want) || d.s.hits.foot != 12-len(want) {
			t.Errorf("%q: %s", query, ansi.Strip(all))
		}
	}
	d.ask("bake")
	d.s.hits.draw(dark, 60, 12, true)
	before := d.s.hits.cursor
	if d.s.clickLine(PaneHits, 11); d.s.hits.cursor != before {
		t.Error("a skill is selected")
	}
}

// What stands beside a hit is how many ranks it rose or fell.
func TestChangesOfRank(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 120, 31).ask("create a branch")
	before := d.state.Snapshot
	d.input.Flags.Knobs = []workbench.Knob{{Key: workbench.KnobB, Value: 0.25}}
	d.load()
	if d.state.Baseline == nil {
		t.Fatal("nothing is tried")
	}
	ranks := map[string]int{}
	for _, h := range before.Search("create a branch", 0, 1000).Hits {
		ranks[h.Tool.Qualified] = h.Rank
	}
	moved := 0
	for _, hit := range d.s.hits.results.Hits {
		_, text := ui.RankChange(dark, d.s.hits.rankBefore(hit.Tool), hit.Rank)
		want := "·"
		if by := ranks[hit.Tool.Qualified] - hit.Rank; by > 0 {
			want = fmt.Sprintf("▲%d", by)
		} else if by < 0 {
			want = fmt.Sprintf("▼%d", -by)
			moved++
		}
		if text != want {
			t.Errorf("%s: rank %d, %d before: %s, want %s", hit.Tool.Name, hit.Rank, ranks[hit.Tool.Qualified], text, want)
		}
	}
	if moved == 0 {
		t.Error("no hit falls")
	}
}

// A tried description makes a registry of its own. The rows are compared with
// the same tools of the files, not called new.
func TestRanksOfATriedDescription(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 120, 31).ask("open a change")
	tool := d.s.hits.results.Hits[4].Tool
	d.input.Flags.Edits = []workbench.Edit{{Tool: tool.Qualified, Description: "Open a change. Open a change, or change one that is open."}}
	d.load()
	changes := map[string]bool{}
	for _, hit := range d.s.hits.results.Hits[:5] {
		_, text := ui.RankChange(dark, d.s.hits.rankBefore(hit.Tool), hit.Rank)
		if changes[text] = true; text == "new" && hit.Tool.Qualified != tool.Qualified {
			t.Errorf("%s is new", hit.Tool.Qualified)
		}
	}
	if !changes["▼1"] {
		t.Errorf("no hit falls by one rank: %v", changes)
	}
}

// The tool that is expected is marked until it is let go of.
func TestPinnedHitIsMarked(t *testing.T) {
	t.Parallel()
	for mark, theme := range map[string]*ui.Theme{"◆ ": dark, "* ": ui.NewTheme(ui.Look{ASCII: true})} {
		d := pinned(t, 120, 31)
		marked := func() int {
			return strings.Count(strings.Join(d.s.hits.draw(theme, 60, 25, true), "\n"), mark)
		}
		if marked() != 1 {
			t.Errorf("%d hits are marked", marked())
		}
		d.s.setFocus(PaneWhy)
		if d.s.pinHint() != "expect another" {
			t.Errorf("the hint is %q", d.s.pinHint())
		}
		d.run(d.s.unpinTool())
		if marked() != 0 || d.s.pinHint() != "" || d.notice != "nothing is pinned" {
			t.Errorf("what was let go is marked %d times; hint %q, notice %q", marked(), d.s.pinHint(), d.notice)
		}
	}
}

// Hits that rise and fall within the limit are counted, those that fall below it included.
func TestTrialCountsRanks(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 120, 31).ask("invoice the client")
	before := d.state.Snapshot
	d.input.Flags.Knobs = []workbench.Knob{{Key: config.KeyRanker, Value: config.RankerFielded}}
	d.load()
	old, now := map[string]int{}, map[string]int{}
	for _, h := range before.Search("invoice the client", 0, 1000).Hits {
		old[h.Tool.Qualified] = h.Rank
	}
	for _, h := range d.state.Snapshot.Search("invoice the client", 0, 1000).Hits {
		now[h.Tool.Qualified] = h.Rank
	}
	limit := d.s.hits.results.Limit
	risen, fallen, left := 0, 0, 0
	for name, rank := range now {
		switch was := old[name]; {
		case rank > limit && was > 0 && was <= limit:
			left++
		case rank > limit:
		case was == 0 || was > rank:
			risen++
		case was < rank:
			fallen++
		}
	}
	for name, was := range old {
		if now[name] == 0 && was <= limit {
			left++
		}
	}
	if got := d.s.hits.trial; got.Risen != risen || got.Fallen != fallen+left || left == 0 {
		t.Errorf("▲%d ▼%d, want ▲%d ▼%d, of which %d left", got.Risen, got.Fallen, risen, fallen+left, left)
	}
}
