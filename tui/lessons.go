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
