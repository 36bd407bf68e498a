package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/cells"
)

// drawFooter draws the notice while there is one, else the hints of what has
// the keyboard.
func (a *App) drawFooter(w int) string {
	if line, ok := a.notices.line(a.theme, w, a.keys.Browse.Notice.Help().Key); ok {
		a.hints = nil
		return line
	}
	line, hints := drawHints(a.theme, a.keys.Hints(a.context()), w)
	a.hints = hints
	return line
}

// clickHint does what the hint under the pointer stands for.
func (a *App) clickHint(x int) tea.Cmd {
	if action, ok := hintAt(a.hints, x); ok {
		return a.do(action)
	}
	return nil
}

// drawNotice draws the whole of the last notice in a box.
func (a *App) drawNotice(w, h int) []string {
	text, _ := a.notices.full()
	inner := max(10, min(w-6, 90))
	lines := cells.Wrap(model.SanitizeText(strings.TrimSpace(text)), inner)
	return dialog(a.theme, "notice", lines[:min(len(lines), max(1, h-4))], inner+4)
}
