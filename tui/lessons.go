package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
)

// watchLessons watches the labelled queries that the configuration names to learn from,
// unless they are watched already: a label that is added is learned at once.
func (a *App) watchLessons() tea.Cmd {
	path := a.state.Learn
	if path == a.lessons || path == "" || path == a.opt.QueriesName || a.opt.Watch == nil {
		return nil
	}
	a.lessons = path
	changes, poke := a.opt.Watch(path)
	return a.watches(screen.LessonsFile, changes, poke)
}

// watchOverrides watches the descriptions that are used in place of the registry's, unless
// they are watched already.
func (a *App) watchOverrides() tea.Cmd {
	path := a.input.Flags.Overrides
	if path == a.overrides || path == "" || a.opt.Watch == nil {
		return nil
	}
	a.overrides = path
	changes, poke := a.opt.Watch(path)
	return a.watches(screen.OverridesFile, changes, poke)
}
