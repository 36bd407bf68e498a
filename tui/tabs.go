package tui

import "caliper/tui/cells"

// tabs are names of which one is active. The active one is told by brackets,
// not by its colour alone.
type tabs struct {
	labels []string
	active int
}

// width returns the number of cells that all tabs take.
func (s tabs) width() int {
	w := 0
	for _, label := range s.labels {
		w += cells.Width(label) + 2
	}
	return w
}

// draw appends the tabs in at most w cells. Each takes the cells of its label
// and one on either side, for the brackets. Where they do not all fit only
// the active one is drawn.
func (s tabs) draw(l *cells.Line, t *Theme, w int) {
	whole := s.width() <= w
	for i, label := range s.labels {
		switch {
		case i == s.active:
			l.Text(t.TabActive, t.TabOpen+cells.Truncate(label, max(w-2, 0))+t.TabClose)
		case whole:
			l.Text(t.Tab, " "+label+" ")
		}
	}
}

// at returns which tab is in cell x of those that draw put into w cells.
func (s tabs) at(x, w int) (int, bool) {
	whole := s.width() <= w
	for i, label := range s.labels {
		w := min(cells.Width(label)+2, w)
		if !whole && i != s.active {
			continue
		}
		if x >= 0 && x < w {
			return i, true
		}
		x -= w
	}
	return 0, false
}

// line draws the tabs in a line of their own, exactly w cells wide.
func (s tabs) line(t *Theme, w int) string {
	var l cells.Line
	l.Start(w)
	s.draw(&l, t, w)
	return l.End()
}
