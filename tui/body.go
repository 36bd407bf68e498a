package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/workbench"
)

// body is what a screen other than Explore shows between header and footer.
// It draws from the state it was last given and decides nothing itself.
type body interface {
	// show takes in a new state; before is the one it replaces, nil at first.
	show(before, state *workbench.State)
	// title returns the heading of the box, and the note on its right.
	title() (heading, note string)
	// draw returns exactly h lines of w cells.
	draw(t *Theme, w, h int) []string
	// version changes whenever the picture may.
	version() uint64
	// context says which keys work.
	context() Context
	// do does what an action means here.
	do(action Action) tea.Cmd
	// move moves the selection by rows.
	move(by int)
	// click selects what is in a cell of the box.
	click(x, y int)
	// filter shows only what holds a text; it returns false where nothing can
	// be filtered.
	filter(text string) bool
}

// screenOf returns the body of a screen, nil for Explore.
func (a *App) screenOf(s Screen) body {
	switch s {
	case ScreenBudget:
		return &a.budget
	case ScreenScope:
		return &a.scope
	case ScreenStrategies:
		return &a.strategies
	case ScreenQueries:
		return &a.queries
	case ScreenResults:
		return &a.results
	case ScreenActivity:
		return &a.activity
	}
	return nil
}

// body returns what the current screen shows besides Explore's panes, nil on
// Explore.
func (a *App) body() body { return a.screenOf(a.mode.Screen) }

// bodies returns the bodies of all screens.
func (a *App) bodies() []body {
	return []body{&a.budget, &a.scope, &a.strategies, &a.queries, &a.results, &a.activity}
}

// goTo shows a screen.
func (a *App) goTo(s Screen) {
	a.find = nil
	a.strategies.leaveMessage()
	a.results.leave()
	a.mode.Screen = s
	a.arrange()
}

// show gives a pane of Explore the keyboard, from whatever screen.
func (a *App) show(pane Pane) {
	if a.body() != nil {
		a.goTo(ScreenExplore)
	}
	a.setFocus(pane)
}

// screenTabs are the screens, with the numbers that alt takes one to.
func screenTabs(active Screen) tabs {
	var s tabs
	for i, screen := range screens {
		s.labels = append(s.labels, string('0'+rune(screen))+" "+screen.String())
		if screen == active {
			s.active = i
		}
	}
	return s
}
