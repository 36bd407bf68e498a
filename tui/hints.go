package tui

import "caliper/tui/cells"

// hint is where the hint of an action stands in the footer, so that it can be
// clicked.
type hint struct {
	from, to int // cells, to exclusive
	action   Action
}

// drawHints returns a line of exactly w cells with as many of the bindings as
// fit whole, and where each is.
func drawHints(t *Theme, binds []Bind, w int) (line string, hints []hint) {
	var l cells.Line
	l.Start(w)
	for i, b := range binds {
		shown := b.Help()
		gap := 2
		if i == 0 {
			gap = 1
		}
		if gap+cells.Width(shown.Key)+1+cells.Width(shown.Desc) > l.Room() {
			break
		}
		l.Gap(gap)
		from := l.At()
		l.Text(t.Key, shown.Key)
		l.Gap(1)
		l.Text(t.KeyLabel, shown.Desc)
		hints = append(hints, hint{from, l.At(), b.Action})
	}
	return l.End(), hints
}

// hintAt returns the action whose hint is in cell x.
func hintAt(hints []hint, x int) (Action, bool) {
	for _, h := range hints {
		if x >= h.from && x < h.to {
			return h.action, true
		}
	}
	return "", false
}
