package tui

import (
	"image"

	"caliper/tui/cells"
)

// budgetSize says how the parts share the screen.
type budgetSize int

const (
	budgetSmall  budgetSize = iota // one part at a time
	budgetMedium                   // the list, or everything else
	budgetLarge                    // all of it
)

// sizeIn returns how the parts share w×h cells.
func (s *budgetScreen) sizeIn(w, h int) budgetSize {
	switch {
	case w >= 112 && h >= 22:
		return budgetLarge
	case w >= 74 && h >= 16:
		return budgetMedium
	}
	return budgetSmall
}

// budgetRow is a part and the rows it takes.
type budgetRow struct {
	part budgetPart
	rows int
}

// sideBySide draws two columns with a rule between. Without parts of its own,
// the right one holds what is tuned.
func (s *budgetScreen) sideBySide(t *Theme, x, y, left, w, h int, parts, right []budgetRow) []string {
	a := s.stack(t, x, y, left, h, parts)
	var b []string
	rest := w - left - 3
	if right == nil {
		b = s.tune(t, x+left+3, rest, h)
	} else {
		b = s.stack(t, x+left+3, y, rest, h, right)
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

// tune draws everything but the list: in a narrow column the knobs over what
// they do, in a broad one beside it.
func (s *budgetScreen) tune(t *Theme, x, w, h int) []string {
	if s.sizeIn(s.w, s.h) == budgetMedium {
		return s.sideBySide(t, x, 0, 28, w, h,
			[]budgetRow{{partKnobs, knobRows}, {partSession, h - knobRows}},
			[]budgetRow{{partChange, changeRows + 1}, {partCurve, h - changeRows - 1}})
	}
	top := s.sideBySide(t, x, 0, (w-2)/2, w, knobRows+1, []budgetRow{{partKnobs, knobRows + 1}}, []budgetRow{{partSession, knobRows + 1}})
	return append(top, s.stack(t, x, knobRows+1, w, h-knobRows-1,
		[]budgetRow{{partChange, changeRows + 1}, {partCurve, h - knobRows - changeRows - 2}})...)
}

// stack draws parts one below the other in exactly h lines.
func (s *budgetScreen) stack(t *Theme, x, y, w, h int, parts []budgetRow) []string {
	lines := make([]string, 0, h)
	for _, p := range parts {
		lines = append(lines, s.drawPart(t, p.part, x, y+len(lines), w, min(p.rows, h-len(lines)))...)
	}
	return lines
}

// drawPart draws a part in exactly h lines of w cells, and remembers where.
func (s *budgetScreen) drawPart(t *Theme, p budgetPart, x, y, w, h int) []string {
	s.places[p] = image.Rect(x, y, x+w, y+h)
	var lines []string
	switch p {
	case partCosts:
		lines = s.drawCosts(t, w, h)
	case partMakeup:
		lines = s.drawMakeup(t, w, h)
	case partKnobs:
		lines = s.drawKnobs(t, w, h)
	case partChange:
		lines = s.drawChange(t, w, h)
	case partCurve:
		if s.ranking() {
			lines = s.drawRanking(t, w, h)
		} else {
			lines = s.drawCurve(t, w, h)
		}
	case partSession:
		lines = s.drawSession(t, w, h)
	}
	return filled(lines, w, h)
}

// rule draws the heading of a part over a line, with a note on the right.
func (s *budgetScreen) rule(t *Theme, w int, focused bool, heading, note string) string {
	var l cells.Line
	l.Start(w)
	title := t.Title
	if focused {
		title = t.TitleFocus
		l.Text(title, t.Focus)
	} else {
		l.Gap(1)
	}
	room := w - cells.Width(note) - 5
	if note == "" || room < cells.Width(heading) {
		note, room = "", w-3
	} else {
		note = " " + note
	}
	l.Text(title, cells.Truncate(heading, room)+" ")
	l.Repeat(t.Border, t.Horizontal, l.Room()-cells.Width(note))
	l.Text(t.Faint, note)
	return l.End()
}
