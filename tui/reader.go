package tui

// reader is a text over the screen that is only read: the help and the
// notices. What it holds is made anew for every picture, so that it stays true
// while things change behind it.
type reader struct {
	title string
	// text returns the lines for at most w cells, and how wide they are.
	text   func(t *Theme, w int) (lines []string, inner int)
	top    int // first line that is drawn
	height int // lines that were drawn last
	total  int // lines there were then
}

// scroll moves by lines.
func (r *reader) scroll(by int) {
	r.top = max(0, min(r.top+by, r.total-r.height))
}

// page returns how far a page is.
func (r *reader) page() int { return max(r.height-1, 1) }

// draw returns the text as a box for a screen of w×h cells, with as many lines
// as fit.
func (r *reader) draw(t *Theme, w, h int) []string {
	lines, inner := r.text(t, max(w-6, 10))
	r.total, r.height = len(lines), max(min(len(lines), h-4), 1)
	r.scroll(0)
	title := r.title
	if r.total > r.height {
		title += "  " + t.Up + t.Down + " scrolls, esc closes"
	}
	return dialog(t, title, lines[r.top:min(r.top+r.height, r.total)], inner+4)
}
