package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"caliper/engine"
)

// pinned drives an explorer in which a tool is expected that the query does
// not find, with remedies enough to fill the pane.
func pinned(t *testing.T, w, h int) *driver {
	t.Helper()
	d := explorer(t, w, h)
	d.Press("esc", "/").Type("delete_branch").Press("enter", "w").Type("create a page in a branch")
	for d.app().pin.result == nil {
		d.Send(<-d.late)
	}
	rank, score, gap := 9, 2.5, 1.25
	r := engine.WhyNot{Stage: engine.StageBelowLimit, Rank: &rank, Score: &score, Gap: &gap}
	for _, word := range []string{"first", "second", "third", "fourth", "fifth"} {
		r.Remedies = append(r.Remedies, engine.Remedy{Kind: engine.RemedyDescriptionWords, Change: word, NewRank: 1})
	}
	d.Send(whyNotMsg{gen: d.app().pin.gen, result: r})
	return d
}

func TestSumStaysInSightUnderAPin(t *testing.T) {
	for _, size := range [][2]int{{120, 30}, {120, 36}, {160, 50}, {80, 24}, {40, 10}} {
		d := pinned(t, size[0], size[1])
		if d.Press("tab", "tab"); d.app().focus != PaneSchema {
			t.Fatalf("focus on %v", d.app().focus)
		}
		d.Press("tab").wants("expected", "sum ", "6 query tokens")
		seen := map[string]bool{}
		for range 30 {
			for _, text := range []string{"below the limit", "fifth", "create", "branch", "in 17 tools"} {
				seen[text] = seen[text] || strings.Contains(d.Screen(), text)
			}
			d.Press("down").wants("sum ")
		}
		for text, ok := range seen {
			if !ok {
				t.Errorf("%v: scrolling never shows %q:\n%s", size, text, d.Screen())
			}
		}
	}
}

func TestPinnedHitIsMarked(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		d := pinned(t, 120, 36)
		mark := "◆ mcp_forge_delete_branch"
		if ascii {
			d.app().theme = NewTheme(Look{ASCII: true})
			mark = "* mcp_forge_delete_branch"
		}
		marked := func() int {
			n := 0
			for _, line := range d.app().hits.draw(d.app().theme, 60, 25, true) {
				n += strings.Count(line, mark[:strings.Index(mark, " ")]+" ")
			}
			return n
		}
		if marked() != 1 {
			t.Errorf("%d hits are marked", marked())
		}
		d.Press("tab")
		d.app().hits.selectName(d.app().pin.name)
		if d.wants("w let go").Press("w"); marked() != 0 {
			t.Error("what was let go is still marked")
		}
		d.wants("nothing is pinned").Press("j").wants("w why not")
	}
}

func TestWhyNotIsHintedWhereAToolIsSelected(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		d := explorer(t, size[0], size[1])
		for _, pane := range []Pane{PaneHits, PaneSchema, PaneWhy} {
			d.app().setFocus(pane)
			d.wants("w why not")
		}
		d.app().setFocus(PaneHits)
		d.Press("/").Type("no such tool").Press("enter").lacks("w why not")
	}
}

func TestFlowLosesNothing(t *testing.T) {
	group := []phrase{{"", "below the limit"}, {"", "rank 8"}, {"", "2.795"}, {"", "0.909 below the cut line"}}
	for w := 8; w < 100; w++ {
		lines := flow(w, 1, group, []phrase{{"", "limit 8"}, {"", "rank 8"}}, []phrase{{"", "query + summarise"}, {"", "rank 1"}})
		text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		if want := "below the limit rank 8 2.795 0.909 below the cut line limit 8 rank 8 query + summarise rank 1"; text != want && w > 10 {
			t.Errorf("%d cells: %q", w, text)
		}
		for _, line := range lines {
			if got := ansi.StringWidth(line); got != w {
				t.Errorf("a line of %d cells, want %d: %q", got, w, line)
			}
		}
	}
	if got := flow(60, 1, group, group); len(got) != 2 {
		t.Errorf("%d lines: %q", len(got), got)
	}
}
