package ui

import (
	"caliper/tui/cells"
)

// Tabs is a row of labels of which one is active. The active one has brackets,
// not only another colour.
type Tabs struct {
	Labels []string
	Active int
}

// width returns the cells of all tabs.
func (s Tabs) width() int {
	w := 0
	for _, label := range s.Labels {
		w += cells.Width(label) + 2
	}
	return w
}

// draw appends the tabs in at most w cells. Each takes the cells of its label
// and one on either side, for the brackets. When they do not all fit, only the
// active one is drawn.
func (s Tabs) draw(l *cells.Line, t *Theme, w int) {
	whole := s.width() <= w
	for i, label := range s.Labels {
		switch {
		case i == s.Active:
			l.Text(t.TabActive, t.TabOpen+cells.Truncate(label, max(w-2, 0))+t.TabClose)
		case whole:
			l.Text(t.Tab, " "+label+" ")
		}
	}
}

// At returns the index of the tab at cell x of a line of w cells.
func (s Tabs) At(x, w int) (int, bool) {
	whole := s.width() <= w
	for i, label := range s.Labels {
		w := min(cells.Width(label)+2, w)
		if !whole && i != s.Active {
			continue
		}
		if x >= 0 && x < w {
			return i, true
		}
		x -= w
	}
	return 0, false
}

// Line draws the tabs in a line of exactly w cells.
func (s Tabs) Line(t *Theme, w int) string {
	var l cells.Line
	l.Start(w)
	s.draw(&l, t, w)
	return l.End()
}
