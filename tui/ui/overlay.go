package ui

import (
	"github.com/charmbracelet/x/ansi"
)

// Overlay draws box over the lines of a screen, with its top left corner in
// cell x of line y. Both may contain styles; wide characters that the box cuts
// in half become spaces. Cells outside the screen are not drawn.
func Overlay(under, box []string, x, y int) []string {
	for i, top := range box {
		if y+i < 0 || y+i >= len(under) {
			continue
		}
		line := under[y+i]
		whole := ansi.StringWidth(line)
		width := ansi.StringWidth(top)
		if x < 0 || x+width > whole {
			continue
		}
		left := Fit(ansi.Truncate(line, x, ""), x)
		rest := whole - x - width
		right := ansi.TruncateLeft(line, whole-rest, "")
		if gap := rest - ansi.StringWidth(right); gap > 0 {
			right = Spaces(gap) + right
		}
		under[y+i] = left + top + Fit(right, rest)
	}
	return under
}

// Dialog returns the lines of a box w cells wide with a title and content.
func Dialog(t *Theme, title string, content []string, w int) []string {
	var l Line
	edge := func(left, right string, label string) string {
		l.Start(w)
		l.Text(t.BorderFocus, left+t.Horizontal)
		if label != "" {
			l.Text(t.TitleFocus, " "+Truncate(label, max(0, l.Room()-4))+" ")
		}
		l.Repeat(t.BorderFocus, t.Horizontal, l.Room()-1)
		l.Text(t.BorderFocus, right)
		return l.End()
	}
	side := string(t.BorderFocus) + t.Vertical
	if t.BorderFocus != "" {
		side += "\x1b[0m"
	}
	out := []string{edge(t.TopLeft, t.TopRight, title)}
	for _, line := range content {
		out = append(out, side+" "+Fit(line, w-4)+" "+side)
	}
	return append(out, edge(t.BottomLeft, t.BottomRight, ""))
}
