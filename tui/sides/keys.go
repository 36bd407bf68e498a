package sides

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
	"caliper/tui/ui"
)

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
