package ui

import (
	"caliper/tui/cells"
)

// Centered draws a short text in the middle of an empty pane, wrapped to its
// width.
func Centered(t *Theme, w, h int, words ...string) []string {
	var text []string
	for _, s := range words {
		text = append(text, cells.Wrap(s, max(1, w-4))...)
	}
	text = text[:min(len(text), h)]
	lines := make([]string, 0, h)
	for range (h - len(text)) / 2 {
		lines = append(lines, cells.Spaces(w))
	}
	var l cells.Line
	for _, s := range text {
		l.Start(w)
		l.Gap((w - cells.Width(s)) / 2)
		l.Text(t.Faint, s)
		lines = append(lines, l.End())
	}
	return FitLines(lines, w, h)
}
