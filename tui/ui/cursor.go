package ui

// Rows is a list as a Cursor goes through it: its number of lines, and the ID of the row that
// a line is of, empty where it is of none. The lines of a row follow each other.
type Rows struct {
	N    int
	ID   func(i int) string
	Lost func() int // the line for a cursor whose row is gone; nil: its line, or the nearest there is
}

// Unnamed returns n rows by which a cursor is kept by their number.
func Unnamed(n int) Rows { return Rows{N: n, ID: func(int) string { return "" }} }

// Cursor is the line of a list that the user is on, and how far the list is scrolled. It
// stays on its row when the list is made again, and else on its line.
type Cursor struct {
	ID     string // of the row under it; empty: it is on a line of none
	nth    int    // line of that row, from 0
	line   int
	height int // lines of the last picture
	Window Window
}

// At returns the line under the cursor; 0 in an empty list.
func (c *Cursor) At(r Rows) int {
	first := c.line - c.nth
	if c.ID == "" && r.Lost == nil || c.ID != "" && c.line < r.N && r.ID(c.line) == c.ID && r.ID(first) == c.ID && (first == 0 || r.ID(first-1) != c.ID) {
		return max(0, min(c.line, r.N-1))
	}
	for i := range r.N {
		if r.ID(i) != c.ID {
			continue
		}
		if at := i + c.nth; at < r.N && r.ID(at) == c.ID {
			return at
		}
		return i
	}
	if r.Lost != nil {
		return r.Lost()
	}
	return max(0, min(c.line, r.N-1))
}

// To puts the cursor on a line, or on the nearest there is.
func (c *Cursor) To(r Rows, line int) {
	c.line, c.nth, c.ID = max(0, min(line, r.N-1)), 0, ""
	if r.N == 0 {
		return
	}
	c.ID = r.ID(c.line)
	for i := c.line; c.ID != "" && i > 0 && r.ID(i-1) == c.ID; i-- {
		c.nth++
	}
}

// First reports whether the cursor is on the first line of its row.
func (c *Cursor) First() bool { return c.nth == 0 }

// Move moves the cursor by lines.
func (c *Cursor) Move(r Rows, by int) { c.To(r, c.At(r)+by) }

// Press puts the cursor on a line of the picture, and reports whether it was there already;
// ok is false where the picture has no such line.
func (c *Cursor) Press(r Rows, line int) (again, ok bool) {
	at := c.Window.Top + line
	if line < 0 || line >= c.height || at >= r.N {
		return false, false
	}
	again = at == c.At(r)
	c.To(r, at)
	return again, true
}

// Page returns the lines of a page.
func (c *Cursor) Page() int { return max(1, c.height-1) }

// Hidden returns how many lines are above and below those that were drawn last.
func (c *Cursor) Hidden() (above, below int) { return c.Window.Hidden() }

// Draw draws the list in exactly h lines of w cells, each behind the gutter.
func (c *Cursor) Draw(t *Theme, r Rows, w, h int, focused bool, draw func(l *Line, i int, selected bool)) []string {
	at := c.At(r)
	c.height = h
	c.Window.Follow(at, h, r.N)
	out := make([]string, 0, max(0, h))
	var l Line
	for i := c.Window.Top; len(out) < h; i++ {
		l.Start(w)
		if i < r.N {
			DrawGutter(&l, t, i == at, focused)
			draw(&l, i, i == at)
		}
		out = append(out, l.End())
	}
	return out
}

// Window is the scroll position of a long list.
type Window struct {
	Top   int // first line that is drawn
	below int // lines after the last one that is drawn
}

// Follow scrolls as little as needed so that line is among the h visible lines
// of total, with a line or two around it. No blank line follows the last line
// while lines are hidden above.
func (w *Window) Follow(line, h, total int) {
	around := min(2, (h-1)/3)
	w.Top = min(w.Top, line-around)
	w.Top = max(w.Top, line+around-h+1)
	w.Clamp(h, total)
}

// Scroll moves by lines without leaving the list.
func (w *Window) Scroll(by, h, total int) {
	w.Top += by
	w.Clamp(h, total)
}

// Clamp keeps the window inside the list.
func (w *Window) Clamp(h, total int) {
	w.Top = max(0, min(w.Top, total-h))
	w.below = max(0, total-w.Top-max(h, 0))
}

// Hidden returns how many lines are above and below those that were drawn last.
func (w Window) Hidden() (above, below int) { return w.Top, w.below }

// Beyond returns texts for the number of hidden rows above and below, the longer text
// first; none when no row is hidden.
func Beyond(above, below int) []string {
	switch {
	case above > 0 && below > 0:
		more := Thousands(below) + " more"
		return []string{Thousands(above) + " above · " + more, more}
	case above > 0:
		return []string{Thousands(above) + " above"}
	case below > 0:
		return []string{Thousands(below) + " more"}
	}
	return nil
}
