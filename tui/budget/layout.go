package budget

import (
	"image"

	"caliper/tui/report"
	"caliper/tui/ui"
)

// size is how the views share the screen.
type size int

const (
	small  size = iota // one view at a time
	medium             // the list, or everything else
	large              // all of it
)

// sizeIn returns how the views share w×h cells.
func (s *Screen) sizeIn(w, h int) size {
	switch {
	case w >= 112 && h >= 22:
		return large
	case w >= 74 && h >= 16:
		return medium
	}
	return small
}

// sessionRows is the number of lines of the habits and their outcome.
const sessionRows = 8

// viewRow is a view and the rows it takes.
type viewRow struct {
	view view
	rows int
}

// sideBySide draws two columns with a rule between them; without views at the right, tune.
func (s *Screen) sideBySide(t *ui.Theme, x, y, leftWidth, w, h int, left, right []viewRow) []string {
	a := s.stack(t, x, y, leftWidth, h, left)
	var b []string
	rest := w - leftWidth - 3
	if right == nil {
		b = s.tune(t, x+leftWidth+3, rest, h)
	} else {
		b = s.stack(t, x+leftWidth+3, y, rest, h, right)
	}
	rule := ui.StartLine(3, 1)
	rule.Text(t.Border, t.Thin.Vertical)
	between := rule.End()
	for i := range a {
		a[i] += between + b[i]
	}
	return a
}

// tune draws the knobs and what they change, side by side on a medium screen.
func (s *Screen) tune(t *ui.Theme, x, w, h int) []string {
	knobs := s.firstHabit() + 1 // and a blank line
	if s.sizeIn(s.w, s.h) == medium {
		knobs = min(knobs, h-sessionRows)
		return s.sideBySide(t, x, 0, 28, w, h,
			[]viewRow{{viewKnobs, knobs}, {viewSession, h - knobs}},
			[]viewRow{{viewChange, changeRows + 1}, {viewCurve, h - changeRows - 1}})
	}
	top := s.sideBySide(t, x, 0, (w-2)/2, w, knobs+1, []viewRow{{viewKnobs, knobs + 1}}, []viewRow{{viewSession, knobs + 1}})
	return append(top, s.stack(t, x, knobs+1, w, h-knobs-1,
		[]viewRow{{viewChange, changeRows + 1}, {viewCurve, h - knobs - changeRows - 2}})...)
}

// stack draws views one below the other in exactly h lines.
func (s *Screen) stack(t *ui.Theme, x, y, w, h int, views []viewRow) []string {
	lines := make([]string, 0, h)
	for _, v := range views {
		lines = append(lines, s.drawView(t, v.view, x, y+len(lines), w, min(v.rows, h-len(lines)))...)
	}
	return lines
}

// drawView draws a view in exactly h lines of w cells, and remembers where.
func (s *Screen) drawView(t *ui.Theme, v view, x, y, w, h int) []string {
	s.areas[v] = image.Rect(x, y, x+w, y+h)
	var lines []string
	switch v {
	case viewCosts:
		lines = s.drawCosts(t, w, h)
	case viewMakeup:
		lines = s.drawMakeup(t, w)
	case viewKnobs:
		count, all := s.firstHabit(), s.knobs()
		small := s.sizeIn(s.w, s.h) == small
		if small {
			count = len(all)
		}
		s.knobList.Follow(min(s.cursor, count-1), h-1, count)
		note := ""
		if beyond := ui.Beyond(s.knobList.Hidden()); small {
			note = "search " + report.OnOff(s.state.Budget.Active) // nothing else on screen says it
		} else if len(beyond) > 0 {
			note = beyond[0]
		}
		knobs := []string{ui.DrawHeading(t, w, s.focused(viewKnobs) && (small || s.cursor < s.firstHabit()), "knobs", note)}
		for k := s.knobList.Top; k < count && len(knobs) < h; k++ {
			knobs = append(knobs, s.host.Knobs.Draw(t, s.knobs()[k], w, k == s.cursor && s.focused(viewKnobs)))
		}
		lines = knobs
	case viewChange:
		lines = s.drawChange(t, w)
	case viewListing:
		lines = s.drawListing(t, w, h)
	case viewCurve:
		switch {
		// The knob changes what a query finds, and not what is sent.
		case s.keysIn() != viewCosts && s.keysIn() != viewListing && s.knobs()[s.cursor].Ranks:
			heading, note, hits := s.hits(t, w, max(0, h-1))
			lines = append([]string{ui.DrawHeading(t, w, s.view == viewCurve && s.focused(viewCurve), heading, note)}, hits...)
		case s.lists():
			lines = s.drawForms(t, w, h)
		default:
			lines = s.drawThresholds(t, w, h)
		}
	case viewSession:
		lines = s.drawSession(t, w, h)
	}
	return ui.FitLines(lines, w, h)
}
