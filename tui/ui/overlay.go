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
	edge := func(ends [2]string, label string) string {
		l.Start(w)
		l.Text(t.Accent, ends[0]+t.Thin.Horizontal)
		if label != "" {
			l.Text(t.TitleFocus, " "+Truncate(label, max(0, l.Room()-4))+" ")
		}
		l.Repeat(t.Accent, t.Thin.Horizontal, l.Room()-1)
		l.Text(t.Accent, ends[1])
		return l.End()
	}
	side := string(t.Accent) + t.Thin.Vertical
	if t.Accent != "" {
		side += "\x1b[0m"
	}
	out := []string{edge(t.Thin.Top, title)}
	for _, line := range content {
		out = append(out, side+" "+Fit(line, w-4)+" "+side)
	}
	return append(out, edge(t.Thin.Bottom, ""))
}

// Reader is a text in a box over the screen: the notices. The text
// is generated for every picture, so that it stays current.
type Reader struct {
	Title string
	// Text returns the lines for at most w cells, and how wide they are.
	Text   func(t *Theme, w int) (lines []string, inner int)
	Top    int // first line that is drawn
	height int // visible lines in the last picture
	total  int // all lines in the last picture
}

// Scroll moves by lines.
func (r *Reader) Scroll(by int) {
	r.Top = max(0, min(r.Top+by, r.total-r.height))
}

// Page returns the lines of a page.
func (r *Reader) Page() int { return max(r.height-1, 1) }

// Draw returns the text as a box for a screen of w×h cells, with as many lines
// as fit.
func (r *Reader) Draw(t *Theme, w, h int) []string {
	lines, inner := r.Text(t, max(w-6, 10))
	r.total, r.height = len(lines), max(min(len(lines), h-4), 1)
	r.Scroll(0)
	title := r.Title
	if r.total > r.height {
		title += "  " + t.Up + t.Down + " scrolls, esc closes"
	}
	return Dialog(t, title, lines[r.Top:min(r.Top+r.height, r.total)], inner+4)
}
