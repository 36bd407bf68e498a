package ui

import (
	"slices"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func press(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }

func TestLayer(t *testing.T) {
	var done []Action
	does := func(b Binding) Binding { return b.Runs(func() { done = append(done, b.Action) }) }
	reason := "nothing to undo"
	own := &Group{Title: "Budget", Bindings: []Binding{
		does(Bind("undo", "u", "undo the last turn", "Undo", "u")).Unless(func() string { return reason }),
		does(Bind("up", "↑ k", "up", "", "up", "k")),
		does(Bind("down", "↓ j", "down", "", "down", "j")),
	}}
	all := &Group{Title: "Everywhere", Bindings: []Binding{
		does(Bind("quit", "q", "quit", "Quit", "q")),
		does(Bind("other undo", "u", "never reached", "", "u")),
		Bind("", "home", "start", "", "home"),
	}}
	l := (&Layer{
		Groups: []*Group{own},
		Hints:  Hints(Action("down").After("up", "rows"), Action("undo"), Action("quit"), Action("unknown")),
	}).With(all)

	for k, want := range map[string]Action{"u": "undo", "k": "up", "q": "quit"} {
		b := l.Find(press(rune(k[0])))
		if b == nil || b.Action != want {
			t.Fatalf("%s finds %v, want %s", k, b, want)
		}
		if b.Disabled() == "" {
			b.Do()
		}
	}
	if want := []Action{"up", "quit"}; len(done) != 2 || !slices.Contains(done, want[0]) || !slices.Contains(done, want[1]) {
		t.Errorf("did %v, want %v", done, want)
	}
	if b := l.Find(tea.KeyMsg{Type: tea.KeyHome}); b != nil {
		t.Errorf("a key that edits text does %s", b.Action)
	}
	if b := l.Find(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'q'}, Paste: true}); b != nil {
		t.Errorf("a pasted letter does %s", b.Action)
	}
	footer := func() (out []string) {
		for _, s := range l.Footer() {
			out = append(out, s.Key+" "+s.Words)
		}
		return out
	}
	if got, want := footer(), []string{"↑↓ rows", "q quit"}; !slices.Equal(got, want) {
		t.Errorf("footer %q, want %q", got, want)
	}
	reason = ""
	if got, want := footer(), []string{"↑↓ rows", "u undo the last turn", "q quit"}; !slices.Equal(got, want) {
		t.Errorf("footer %q, want %q", got, want)
	}
}

func TestShown(t *testing.T) {
	g := &Group{Title: "Copying", After: "y", Bindings: []Binding{Bind("copy name", "n", "name", "Copy the name", "n")}}
	if got := g.Shown(g.Binding("copy name")); got != "y n" {
		t.Errorf("%q", got)
	}
	if g.Binding("none") != nil {
		t.Error("a binding of an action that the group does not have")
	}
}

func TestSays(t *testing.T) {
	words := "unpin"
	g := &Group{Bindings: []Binding{Bind("pin", "w", "why not", "", "w").Says(func() string { return words })}}
	l := (&Layer{Groups: []*Group{g}, Hints: Hints(Action("pin"))}).With()
	if got := l.Footer()[0].Words; got != "unpin" {
		t.Errorf("%q", got)
	}
	words = ""
	if got := l.Footer()[0].Words; got != "why not" {
		t.Errorf("%q", got)
	}
}
