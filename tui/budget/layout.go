package budget

import (
	"image"

	"caliper/tui/cells"
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

// viewRow is a view and the rows it takes.
type viewRow struct {
	view view
	rows int
}

// sideBySide draws two columns of views with a rule between them. The right one
// holds what tune draws when it is given no views.
func (s *Screen) sideBySide(t *ui.Theme, x, y, leftWidth, w, h int, left, right []viewRow) []string {
	a := s.stack(t, x, y, leftWidth, h, left)
	var b []string
	rest := w - leftWidth - 3
	if right == nil {
		b = s.tune(t, x+leftWidth+3, rest, h)
	} else {
		b = s.stack(t, x+leftWidth+3, y, rest, h, right)
	}
	var rule cells.Line
	rule.Start(3)
	rule.Gap(1)
	rule.Text(t.Border, t.Vertical)
	between := rule.End()
	for i := range a {
		a[i] += between + b[i]
	}
	return a
}

// tune draws the knobs and what they change: side by side on a medium screen, else
// one over the other.
func (s *Screen) tune(t *ui.Theme, x, w, h int) []string {
	if s.sizeIn(s.w, s.h) == medium {
		return s.sideBySide(t, x, 0, 28, w, h,
			[]viewRow{{viewKnobs, knobRows}, {viewSession, h - knobRows}},
			[]viewRow{{viewChange, changeRows + 1}, {viewCurve, h - changeRows - 1}})
	}
	top := s.sideBySide(t, x, 0, (w-2)/2, w, knobRows+1, []viewRow{{viewKnobs, knobRows + 1}}, []viewRow{{viewSession, knobRows + 1}})
	return append(top, s.stack(t, x, knobRows+1, w, h-knobRows-1,
		[]viewRow{{viewChange, changeRows + 1}, {viewCurve, h - knobRows - changeRows - 2}})...)
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
		lines = s.drawMakeup(t, w, h)
	case viewKnobs:
		lines = s.drawKnobs(t, w, h)
	case viewChange:
		lines = s.drawChange(t, w, h)
	case viewCurve:
		if s.ranking() {
			lines = s.drawRanking(t, w, h)
		} else {
			lines = s.drawThresholds(t, w, h)
		}
	case viewSession:
		lines = s.drawSession(t, w, h)
	}
	return ui.FitLines(lines, w, h)
}
