package tui

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/demo"
	"caliper/tui/screen"
	"caliper/tui/topics"
	"caliper/tui/ui"
)

// plainTheme draws without styles.
func plainTheme() *ui.Theme { return ui.NewTheme(ui.Look{Plain: true}) }

// helpOf opens the help of an explorer.
func helpOf(d *driver) *manual {
	d.app().help()
	return d.app().manual()
}

// wholeHelp returns every line of the help, a page at a time.
func wholeHelp(m *manual, w, h int) string {
	var shown strings.Builder
	m.Draw(plainTheme(), w, h)
	m.Move(-screen.End)
	for range 1000 {
		for _, line := range m.Draw(plainTheme(), w, h) {
			shown.WriteString(line + "\n")
		}
		top, cursor := m.list.Top, m.cursor
		m.Move(m.Page())
		if m.Draw(plainTheme(), w, h); m.list.Top == top && m.cursor == cursor {
			break
		}
	}
	return shown.String()
}

func TestHelpTellsEveryKey(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	help := helpOf(d)
	for _, w := range []int{40, 80, 120} {
		shown := wholeHelp(help, w, 24)
		for _, g := range d.app().everyGroup() {
			if !strings.Contains(shown, g.Title) && g.Bindings[0].Help().Desc != "" && g != d.app().keys.views { // Explore has tabs of its own
				t.Errorf("%d cells: %q is missing", w, g.Title)
			}
			for _, b := range g.Bindings {
				// On the narrowest terminal a description may be cut.
				if (g == d.app().keys.views || g == d.app().keys.browse) && d.app().ofScreen(&b) {
					continue // said by the binding of the screen
				}
				text := b.Help().Desc[:min(len(b.Help().Desc), 12)]
				if text != "" && (!strings.Contains(shown, b.Help().Key) || !strings.Contains(shown, text)) {
					t.Errorf("%d cells: %q, %q is missing", w, b.Help().Key, b.Help().Desc)
				}
			}
		}
	}
}

// headings returns the headings of the help, in order.
func headings(rows []helpRow) []string {
	var all []string
	for _, r := range rows {
		all = append(all, r.group)
	}
	return slices.Compact(all)
}

// On the demo the tour comes first, else last; then come the keys of the pane with the keyboard, then
// the screen's, and no heading twice.
func TestHelpBeginsWithTheScreen(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	for _, tt := range []struct{ keys, first, second string }{
		{"alt+3", "Scope", "Matrix of Scope"},
		{"alt+1", "Query box", "Hits"},
		{"esc esc tab", "Schema tree", "Explore"},
	} {
		d.Press(strings.Fields(tt.keys)...)
		rows := d.app().helpRows()
		g := slices.DeleteFunc(headings(rows), func(s string) bool { return s == cursorWords })
		if g[0] != tt.first || g[1] != tt.second || !slices.Contains(g, d.app().keys.first.Title) {
			t.Errorf("%s: the help begins with %q", tt.keys, g[:3])
		}
		d.app().opt.Demo = "demo"
		if rows := d.app().helpRows(); rows[0].binding == nil || rows[0].binding.Action != ui.Tour {
			t.Errorf("%s: on the demo the help begins with %+v", tt.keys, rows[0])
		}
		d.app().opt.Demo = ""
		if sorted := slices.Compact(slices.Sorted(slices.Values(g))); len(sorted) != len(g) {
			t.Errorf("%s: a heading is there twice: %q", tt.keys, g)
		}
	}
}

// What a label means is one key away: the word under the cursor is above the keys.
func TestHelpBeginsWithTheWordUnderTheCursor(t *testing.T) {
	t.Parallel()
	d := withEverything(t, 80, 24).Press("alt+4", "?")
	if r := d.app().manual().rows[0]; r.group != cursorWords {
		t.Errorf("a strategy is selected, and its word is not first: %+v", r)
	}
	d.Press("esc")
	for here, _ := d.app().screen().Words(); len(here) != 2; here, _ = d.app().screen().Words() {
		d.Press("v") // goes to the knobs
	}
	d.Press("down", "?").wants("How many tools are sel")
	if r := d.app().manual().rows[0]; r.word != "K" || r.text != topics.Setting("tools.rag_top_k") {
		t.Errorf("the cursor is on K, and the help says %+v", r)
	}
}

// Every word that a screen names is in the glossary, and every word of the glossary
// comes first in some pane.
func TestEveryWordIsOfAPane(t *testing.T) {
	t.Parallel()
	d := withEverything(t, 80, 24)
	found := map[string]bool{}
	d.app().explore.Ask("branch", nil)
	for i := range d.app().screens {
		d.app().goTo(i)
		s := d.app().screen()
		for range 6 { // views
			for range 6 { // panes
				here, pane := s.Words()
				for _, label := range slices.Concat(here, pane) {
					term, ok := topics.TermOf(label)
					if found[term.Word] = true; !ok && topics.Setting(label) == "" && !slices.Contains(here, label) {
						t.Errorf("%s: %q is explained nowhere", d.app().screen().Name(), label)
					}
				}
				d.Press("tab")
			}
			if i > 0 {
				d.Press("v")
			}
		}
	}
	know := func(_, pane []string) {
		for _, label := range pane {
			term, _ := topics.TermOf(label)
			found[term.Word] = true
		}
	}
	// The later agent has a view of its own.
	d.reload(screen.ConfigFile, strings.Replace(string(demo.Config()), "ranker: bm25", "generation: september-2026", 1))
	d.app().goTo(1)
	for range 3 {
		know(d.app().screen().Words())
		d.Press("v")
	}
	for range 4 {
		know(d.app().sides.Words())
		d.app().sides.Layer().Groups[0].Binding(ui.View).Do()
	}
	d.app().goTo(0)
	d.app().explore.Draft(d.app().state.Snapshot.Registry.Tools[0], "")
	know(d.app().explore.Words())
	for _, s := range topics.Glossary() {
		for _, term := range s.Terms {
			if !found[term.Word] {
				t.Errorf("%q is among the words of no pane", term.Word)
			}
		}
	}
}

// On a small terminal every line of a long meaning can be read.
func TestHelpScrollsThroughLongMeanings(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	m := helpOf(explorer(t, 40, 10))
	for range 2000 {
		for _, line := range m.Draw(plainTheme(), 40, 10) {
			seen[strings.Trim(line, " │┃▌")] = true
		}
		if m.cursor == len(m.shown)-1 && m.list.Top+m.h >= m.spans[m.cursor].to {
			break
		}
		m.Move(1)
	}
	for _, line := range m.lines(plainTheme(), m.w) {
		if text := strings.Trim(line, " │┃▌"); !seen[text] && !strings.Contains(text, "…") {
			t.Errorf("%q is never on the screen", text)
		}
	}
}

// Every row of the help that can run is run from every screen. The driver checks the
// screen after each.
func TestHelpRunsEveryRow(t *testing.T) {
	t.Parallel()
	leaves := []ui.Action{ui.Interrupt, ui.Quit, ui.Suspend, ui.Redraw, ui.OpenFile, ui.Tour}
	for i, s := range explorer(t, 80, 24).app().screens {
		t.Run(s.Name(), func(t *testing.T) {
			t.Parallel()
			d := withEverything(t, 80, 24)
			ran := 0
			for at := range d.app().helpRows() {
				a := d.app()
				a.over, a.find, a.inEditor = nil, nil, false
				a.goTo(i)
				m := helpOf(d)
				r := m.rows[min(at, len(m.rows)-1)]
				if r.binding == nil || r.why() != "" || slices.Contains(leaves, r.binding.Action) || strings.Contains(r.text, "editor") {
					continue
				}
				m.cursor = min(at, len(m.rows)-1)
				d.Send(tea.KeyMsg{Type: tea.KeyEnter})
				d.settle()
				if top, open := d.app().top().(*manual); open {
					t.Errorf("%s %s: the help is still open at %d", r.key, r.text, top.cursor)
				}
				ran++
			}
			if ran < 40 {
				t.Errorf("only %d rows of the help can run", ran)
			}
		})
	}
}

// The help has a place in the footer of every pane at every size.
func TestHelpIsInEveryFooter(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := withEverything(t, size[0], size[1])
		for _, name := range slices.Sorted(maps.Keys(contexts)) {
			a := d.app()
			a.over, a.find = nil, nil
			d.Press("alt+1", "i", "ctrl+u").Type("branch").Press(strings.Fields(contexts[name])...)
			if name == "question" || name == "help" || name == "filter of help" {
				continue
			}
			a.notices.Showing = false
			a.drawFooter(size[0])
			if !slices.ContainsFunc(a.hints, func(h ui.Shown) bool { return h.Binding.Action == ui.Help }) {
				t.Errorf("%v: no help in the footer of %s:\n%s", size, name, d.Screen())
			}
		}
	}
}

// Where a key works is a sentence, whatever heading its group has: only the name of a
// screen stands behind "on".
func TestHelpSaysWhereInASentence(t *testing.T) {
	t.Parallel()
	sentence := regexp.MustCompile(`^works (on [A-Z][a-z]+|outside text|in (the|a|what) [a-z ]+|in the pane [A-Z][a-z]+|while (a|the|two) [a-z ]+ (is|are) [a-z ]+)$`)
	for keys, want := range map[string]map[string]string{
		"alt+1": {"In a question": "works in a question", "Leaving": "works in the question before leaving", "Draft of a description": "works in the draft of a description", "Budget": "works on Budget"},
		"alt+2": {"Hits": "works in the hits", "Two states": "works while two states are compared"},
		"alt+4": {"Typing a value": "works while a value is typed"},
	} {
		a := explorer(t, 120, 36).Press(keys).app()
		for _, r := range a.helpRows() {
			if !strings.HasPrefix(r.never, "works ") {
				continue
			}
			if r.never == want[r.group] {
				delete(want, r.group)
			}
			name, on := strings.CutPrefix(r.never, "works on ")
			if !sentence.MatchString(r.never) || on && !slices.ContainsFunc(a.screens, nameIs(name)) {
				t.Errorf("%s, %s: %q", r.group, r.key, r.never)
			}
		}
		if len(want) > 0 {
			t.Errorf("on %s no row says %v", keys, want)
		}
	}
}
