package sides

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
	"caliper/tui/ui"
)

// bind declares the keys. The app adds those that work on every screen.
func (s *Screen) bind() {
	bind := ui.Bind
	s.keys = &ui.Group{Title: "Two states", Where: "while two states are compared", Bindings: []ui.Binding{
		bind(ui.View, "v }", "next view: budget, ranks, scope, verdict", "", "v", "}").Does(func() tea.Cmd { return s.look(s.view + 1) }),
		bind(ui.PrevView, "{", "previous view", "", "{").Does(func() tea.Cmd { return s.look(s.view - 1) }),
		bind(ui.Open, "enter", "show the tool in Explore", "", "enter").Does(s.enter).Says(s.enterHint).
			Unless(ui.When(func() bool { return !s.waits() && (s.tool() == "" || s.state == nil) }, "this row is about no tool")),
		bind(ui.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.pane().Filtered()) }),
	}}
	s.layer = &ui.Layer{Groups: []*ui.Group{s.keys}, Hints: ui.Hints(
		ui.Down.After(ui.Up, "rows"), ui.View.As("view"), ui.Back.As("close"), ui.CompareStates.As("compare with"),
		ui.Open, ui.Find, ui.Copy, ui.Help, ui.Palette)}
}

// waits reports whether work waits for enter.
func (s *Screen) waits() bool {
	return s.two == nil && s.work.Waits() || s.view == scopeView && s.reach.Waits() || s.view == verdictView && s.judge.Waits()
}

// enterHint returns what enter does now.
func (s *Screen) enterHint() string {
	if s.waits() {
		return "start"
	}
	return "in Explore"
}

// tool returns the tool of the selected row, empty for none.
func (s *Screen) tool() string {
	l, _ := s.pane().Row()
	return l.Tool
}

// enter starts work that waits, else shows the tool of the row in Explore with the
// query of the row.
func (s *Screen) enter() tea.Cmd {
	switch {
	case s.two == nil && s.work.Waits():
		return s.begin()
	case s.waits():
		return s.seek(true)
	}
	r, _ := s.pane().Row()
	t := s.state.Snapshot.Registry.Named(r.Tool)
	if t == nil {
		if list := s.state.Snapshot.Registry.Lookup(r.Tool); len(list) > 0 {
			t = list[0]
		}
	}
	if t == nil {
		return s.host.Notify(ui.LevelInfo, "the registry that is open does not have this tool")
	}
	return s.host.Send(screen.Visit{Query: r.Query, Tool: t})
}
