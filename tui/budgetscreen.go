package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/workbench"
)

// budgetScreen shows what everything costs, and knobs to turn.
type budgetScreen struct {
	app     *App
	state   *workbench.State
	changes uint64
}

func (s *budgetScreen) show(before, state *workbench.State) {
	s.state = state
	s.changes++
}

func (s *budgetScreen) title() (heading, note string) { return "budget", "" }

func (s *budgetScreen) draw(t *Theme, w, h int) []string { return message(t, w, h, "to be drawn") }

func (s *budgetScreen) version() uint64 { return s.changes }

func (s *budgetScreen) context() Context { return CtxBudget }

func (s *budgetScreen) do(action Action) tea.Cmd { return nil }

func (s *budgetScreen) move(by int) {}

func (s *budgetScreen) click(x, y int) {}

func (s *budgetScreen) filter(text string) bool { return false }
