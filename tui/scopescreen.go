package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/workbench"
)

// scopeScreen shows what every session reaches.
type scopeScreen struct {
	app     *App
	state   *workbench.State
	changes uint64
}

func (s *scopeScreen) show(before, state *workbench.State) {
	s.state = state
	s.changes++
}

func (s *scopeScreen) title() (heading, note string) { return "scope", "" }

func (s *scopeScreen) draw(t *Theme, w, h int) []string { return message(t, w, h, "to be drawn") }

func (s *scopeScreen) version() uint64 { return s.changes }

func (s *scopeScreen) context() Context { return CtxScope }

func (s *scopeScreen) do(action Action) tea.Cmd { return nil }

func (s *scopeScreen) move(by int) {}

func (s *scopeScreen) click(x, y int) {}

func (s *scopeScreen) filter(text string) bool { return false }
