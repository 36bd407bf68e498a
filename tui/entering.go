package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
	"caliper/tui/ui"
)

// place is the place that the keys of the footer are about: a screen, its view, and the box over it.
type place struct {
	screen, view int
	over         screen.Overlay // nil for none
}

// place returns the place that is looked at.
func (a *App) place() place {
	p := place{screen: a.current, over: a.top()}
	if a.state != nil {
		_, p.view = a.screen().Views()
	}
	return p
}

// entering handles a key or a click. A notice from before it goes when it leads to another
// screen, view or box, whose keys are then unknown to the user. A box that closes leads back to
// known ones. A warning that stays is dismissed by its own key only.
func (a *App) entering(handle func() tea.Cmd) tea.Cmd {
	before, gen := a.place(), a.notices.Gen
	cmd := handle()
	now := a.place()
	entered := now.screen != before.screen || now.view != before.view || now.over != nil && now.over != before.over
	if entered && a.notices.Gen == gen && a.notices.Level != ui.LevelFlip {
		a.notices.Showing = false
	}
	return cmd
}
