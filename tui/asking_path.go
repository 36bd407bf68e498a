package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
)

// askPath opens the box in which the path of a file is typed, or with folders also of a
// folder, and gives take the path. The command reads the names that the box offers.
func (a *App) askPath(title, verb string, folders bool, take func(path string) tea.Cmd) tea.Cmd {
	a.paths = screen.NewPathBox(host{a}, a.opt.getenv("HOME"), title, verb, folders, func(path string) tea.Cmd {
		a.closeTop()
		if path == "" {
			return nil
		}
		return take(path)
	})
	a.open(a.paths)
	return a.paths.Read()
}
