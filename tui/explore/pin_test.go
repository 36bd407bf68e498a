package explore

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/whatif"
	"caliper/tui/ui"
)

// pinned drives a screen on which a tool is expected that the query does not
// find, with remedies enough to fill the pane.
func pinned(t *testing.T, w, h int) *driver {
	t.Helper()
	d := expecting(t, w, h, "delete_branch").ask("create a page in a branch").run(nil)
	if d.s.pin.result == nil {
		t.Fatal("nothing says why it is not found")
	}
	rank, score, gap := 9, 2.5, 1.25
	r := whatif.Answer{Stage: whatif.StageBelowLimit, Rank: &rank, Score: &score, Gap: &gap}
	for _, word := range []string{"first", "second", "third", "fourth", "fifth"} {
		r.Remedies = append(r.Remedies, whatif.Remedy{Kind: whatif.RemedyDescriptionWords, Change: word, NewRank: 1})
	}
	d.s.pin.result = &r
	return d
}

// expecting drives a screen on which a tool of the list of all is expected.
func expecting(t *testing.T, w, h int, tool string) *driver {
	t.Helper()
	d := onDemo(t, w, h)
	d.s.startFind()
	d.s.Filter(tool)
	d.run(d.s.pinTool(d.s.Tool()))
	if want := "pinned mcp_forge_" + tool; !strings.HasPrefix(d.notice, want) || d.s.focus != PaneQuery || d.s.hits.filter != "" {
		t.Fatalf("%q, with the keys in %v", d.notice, d.s.focus)
	}
	return d
}

// The why pane says where the tool stands that is expected, and a word that is
// offered leads to the rank that it promises.
func TestPinSaysWhyNot(t *testing.T) {
	t.Parallel()
	for query, wants := range map[string][]string{
		"protect the main branch of a repo": {"mcp_forge_delete_branch  expected", "found  rank 4"},
		"create a page in a branch":         {"mcp_forge_delete_branch  expected", "below the limit", "below the cut line", "reword the query: add"},
	} {
		d := expecting(t, 120, 40, "delete_branch").ask(query).run(nil)
		text := strings.Join(d.draw(), "\n")
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: nothing shows %q:\n%s", query, want, text)
			}
		}
		r := d.s.pin.result
		for _, remedy := range r.Remedies {
			if remedy.Kind != whatif.RemedyQueryWord {
				continue
			}
			with := r.Query + " " + remedy.Change
			if rank, _, ok := d.state.Snapshot.Rank(with, r.Tool); !ok || rank != remedy.NewRank {
				t.Errorf("%q gives rank %d, promised %d", with, rank, remedy.NewRank)
			}
		}
		if d.run(d.s.unpinTool()); strings.Contains(strings.Join(d.draw(), "\n"), "  expected") {
			t.Error("what was let go is still shown")
		}
	}
}

// An answer about a query that is there no more, and one that failed, change
// nothing.
func TestPinIgnoresAnOldAnswer(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 120, 31).ask("create a branch")
	d.s.setFocus(PaneHits)
	d.s.pinTool(d.s.Tool())
	old := d.s.Start(true) // not run yet
	d.ask("create a page in a branch")
	d.run(nil)
	want := d.s.pin.result
	if want == nil || old == nil {
		t.Fatal("nothing was asked")
	}
	for _, cmd := range old().(tea.BatchMsg) {
		d.run(cmd)
	}
	if d.s.pin.result != want {
		t.Errorf("%+v, want %+v", d.s.pin.result, want)
	}
	d.ask("a branch")
	question := question{d.s.state, "a branch", d.s.pin.name, ""}
	d.run(d.s.pin.asking.Start(t.Context(), question, func(context.Context, ui.Progress) (whatif.Answer, error) {
		return whatif.Answer{Stage: whatif.StageUnknown}, errors.New("it failed")
	}))
	if text := strings.Join(d.draw(), "\n"); strings.Contains(text, "not in the registry") {
		t.Errorf("an answer that failed is shown:\n%s", text)
	}
}

// However much there is to say about the tool that is expected, the sum of the
// score stays in sight, and scrolling shows all of the rest.
func TestSumStaysInSightUnderAPin(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 25}, {120, 31}, {160, 45}, {80, 20}, {40, 8}} {
		d := pinned(t, size[0], size[1])
		d.s.setFocus(PaneWhy)
		text := func() string { return strings.Join(d.draw(), "\n") }
		for _, want := range []string{"expected", "sum ", "of f"} { // whose sum it is
			if !strings.Contains(text(), want) {
				t.Fatalf("%v: nothing shows %q:\n%s", size, want, text())
			}
		}
		seen := map[string]bool{}
		for range 30 {
			for _, part := range []string{"below the limit", "fifth", "create", "branch", "in 17 tools"} {
				seen[part] = seen[part] || strings.Contains(text(), part)
			}
			if d.s.Move(1); !strings.Contains(text(), "sum ") {
				t.Fatalf("%v: the sum is out of sight:\n%s", size, text())
			}
		}
		for part, ok := range seen {
			if !ok {
				t.Errorf("%v: scrolling never shows %q:\n%s", size, part, text())
			}
		}
	}
}

// A tool stays expected of a text that is reworded, whether letters come one by one or at
// once, and not of one that takes the place of the whole.
func TestPinFollowsWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, after string
		expected      bool
	}{
		{"create a page", "create a page in a branch", true},
		{"create a page in a branch", "create a page", true},
		{"create a page in a branch", "a branch", true},
		{"create a page", "create a large page", true},
		{"page", "delete the page", true},
		{"create a page", "m", false},
		{"create a page", "mcp_tracker_create_issue", false},
		{"the article is correct", "tides of tomorrow", false},
		{"create a page", "", false}, // of no text, until another one is typed
	} {
		p := pin{name: "tool", query: c.before}
		if p.edited(c.before, c.after); p.expectedOf(c.after) != c.expected || (p.name == "") != (!c.expected && c.after != "") {
			t.Errorf("%q to %q: expected %v, pinned %q", c.before, c.after, !c.expected, p.name)
		}
	}
}
