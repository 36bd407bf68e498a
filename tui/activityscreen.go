package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/workbench"
)

// activityScreen shows what happened to the files, newest first.
type activityScreen struct {
	app     *App
	state   *workbench.State
	changes uint64
}

func (s *activityScreen) show(before, state *workbench.State) {
	s.state = state
	s.changes++
}

func (s *activityScreen) title() (heading, note string) { return "activity", "" }

func (s *activityScreen) draw(t *Theme, w, h int) []string { return message(t, w, h, "to be drawn") }

func (s *activityScreen) version() uint64 { return s.changes }

func (s *activityScreen) context() Context { return CtxActivity }

func (s *activityScreen) do(action Action) tea.Cmd { return nil }

func (s *activityScreen) move(by int) {}

func (s *activityScreen) click(x, y int) {}

func (s *activityScreen) filter(text string) bool { return false }
