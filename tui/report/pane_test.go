package report

import (
	"strings"
	"testing"

	"caliper/tui/ui"
)

// listed is a report of a table whose rows have IDs, the open one with a line below it.
func listed(open string, names ...string) *Report {
	r, t := new(Report), Columns("name", ">tokens")
	r.Heading(3, "names")
	for i, name := range names {
		t.Row(Name(name), i)
		t.About(News{ID: name})
		if name == open {
			t.Below(func(r *Report) { r.Quote("more of " + name) })
		}
	}
	r.Table(t)
	return r
}

func TestPane(t *testing.T) {
	t.Parallel()
	theme, p := ui.NewTheme(ui.Look{Plain: true}), new(Pane)
	wants := func(what, selected string, others ...string) {
		t.Helper()
		drawn := p.Draw(theme, 60, 7, true)
		text := strings.Join(drawn, "\n")
		row, _ := p.Row()
		if !strings.HasPrefix(row.ID, selected) || len(drawn) != 7 {
			t.Errorf("%s: the cursor is on %q, want %q:\n%s", what, row.ID, selected, text)
		}
		for _, other := range others {
			if wanted, found := strings.CutPrefix(other, "no "); strings.Contains(text, wanted) == found {
				t.Errorf("%s: want %s in\n%s", what, other, text)
			}
		}
	}
	p.Show(listed("", "one", "two", "three"), 60)
	wants("at first", "one", "three")
	p.Move(1)
	p.Show(listed("two", "new", "one", "two", "three"), 60)
	wants("made again", "two", "more of two", "new")
	p.Move(1)
	wants("below", "two")
	p.Filter("THREE")
	wants("filtered", "three", "no new", "no more of two")
	p.Filter("nothing")
	wants("of no row", "", "row contains nothing; esc")
	if p.Filter(""); p.Filter("") {
		t.Error("there was a filter to clear")
	}
}

// A report that is dropped keeps nothing alive, and the next one finds the cursor on its row.
func TestPaneDrops(t *testing.T) {
	t.Parallel()
	p := new(Pane)
	p.Show(listed("", "one", "two"), 60)
	p.Move(1)
	if p.Drop(); p.of != nil || p.Len() != 0 {
		t.Error("the report is kept")
	}
	p.Show(listed("", "new", "one", "two"), 60)
	if row, _ := p.Row(); row.ID != "two" {
		t.Errorf("the cursor is on %q", row.ID)
	}
}
