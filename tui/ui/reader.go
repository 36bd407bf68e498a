package ui

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
