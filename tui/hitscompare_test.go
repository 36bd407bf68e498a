package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"caliper/config"
	"caliper/tui/workbench"
)

// ask types a query in place of the one that is there.
func (d *driver) ask(query string) *driver {
	d.app().setFocus(PaneQuery)
	return d.Press("end", "ctrl+u").Type(query)
}

func TestRankersSideBySide(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.ask("merge the pull").Press("enter").lacks("gated").Press("c")
	a := d.app()
	if len(a.hits.rivals) != 2 {
		t.Fatalf("%d rivals", len(a.hits.rivals))
	}
	for i, name := range []string{config.RankerFielded, config.RankerGated} {
		r := &a.hits.rivals[i]
		if got := r.snapshot.Config.ToolSearch.Ranker; got != name {
			t.Errorf("rival %d is %s", i, got)
		}
		for _, hit := range a.hits.results.Hits[:10] {
			want, _, _ := r.snapshot.Rank("merge the pull", hit.Tool)
			if got := r.rank("merge the pull", hit.Tool); got != want {
				t.Errorf("%s ranks %s at %d, not %d", name, hit.Tool.Qualified, got, want)
			}
		}
	}
	d.wants("# fielded", "gated", "fielded also  mcp_forge_get_change", "▼1")

	// A letter more asks all of them anew, and a click selects the row it hits.
	d.ask("merge the contacts").wants("# fielded").lacks("mcp_forge_get_change")
	d.Press("enter", "c").lacks("gated")
	if len(a.hits.rivals) != 0 || a.hits.headed() != 0 {
		t.Error("the comparison stays")
	}
}

func TestClickUnderTheHeadsOfRankers(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.ask("merge the pull").Press("enter", "c")
	a := d.app()
	for line := range a.hits.headed() {
		if a.clickLine(PaneHits, line); a.hits.cursor != 0 {
			t.Errorf("line %d of the headings selects row %d", line, a.hits.cursor)
		}
	}
	if a.clickLine(PaneHits, a.hits.headed()+2); a.hits.cursor != 2 {
		t.Errorf("row %d is selected", a.hits.cursor)
	}
}

func TestRankersSayWhyTheyFindNothing(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.ask("merge quokkas").Press("enter").lacks("finds nothing").Press("c")
	d.wants("gated finds nothing: its rarest word must match")
	d.ask("冷蔵庫").wants("the query has no token")
	for _, r := range d.app().hits.rivals {
		if r.cut == "" || len(r.others) > 0 {
			t.Errorf("%s: %q, %v", r.name(), r.cut, r.others)
		}
	}
	// What only a rival finds is named where the ranker in force has nothing.
	d.ask("brnch").wants("fielded finds ")
}

func TestComparedHitsFitEverywhere(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.ask("list the newest issues").Press("enter", "c")
	a := d.app()
	for w := 8; w < 90; w += 7 {
		for h := 1; h < 30; h += 3 {
			lines := a.hits.draw(a.theme, w, h, true)
			if len(lines) != h {
				t.Fatalf("%d×%d: %d lines", w, h, len(lines))
			}
			for i, line := range lines {
				if got := ansi.StringWidth(line); got != w {
					t.Errorf("%d×%d: line %d is %d wide: %q", w, h, i, got, line)
				}
			}
			if h > 1 && !strings.Contains(strings.Join(lines, ""), a.theme.Selected) {
				t.Errorf("%d×%d: the selection is out of sight", w, h)
			}
		}
	}
}

// A tried description makes a registry of its own. The rows of Explore are
// compared with the same tools of the files, not called new.
func TestRanksOfATriedDescription(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.ask("open a change")
	a := d.app()
	name := a.hits.results.Hits[4].Tool
	a.input.Flags.Edits = []workbench.Edit{{Tool: name.Qualified, Description: "Open a change. Open a change, or change one that is open."}}
	d.run(a.load())
	d.settle().wants("WHAT IF", "▲", "▼1")
	golden(t, "explore-tried", d.Styled())
	for _, hit := range a.hits.results.Hits[:5] {
		if _, word := a.hits.change(a.theme, hit); word == "new" && hit.Tool.Qualified != name.Qualified {
			t.Errorf("%s is new", hit.Tool.Qualified)
		}
	}
}
