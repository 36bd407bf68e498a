package tui

import (
	"strings"

	"caliper/model"
	"caliper/tui/cells"
)

// scopeColumn is a count of a session, in the table of sessions.
type scopeColumn struct {
	head string // empty: not shown in this width
	w    int
}

// scopeColumns returns the columns for a table of w cells: granted, direct,
// searchable, describable, callable and violations, in this order.
func scopeColumns(w int) [6]scopeColumn {
	switch {
	case w >= 100:
		return [6]scopeColumn{{"granted", 10}, {"direct", 10}, {"search", 10}, {"describe", 10}, {"call", 10}, {"violations", 12}}
	case w >= 74:
		return [6]scopeColumn{{"granted", 9}, {"direct", 9}, {"search", 9}, {"describe", 9}, {"call", 9}, {"violations", 11}}
	}
	return [6]scopeColumn{{"granted", 8}, {}, {}, {}, {"call", 6}, {"wrong", 6}}
}

// scopeSplit is from how many lines on the sessions and the list below are
// shown together; in fewer, one at a time.
const scopeSplit = 12

// draw returns exactly h lines of w cells: the sessions, and below them what
// the part says about the one under the cursor.
func (s *scopeScreen) draw(t *Theme, w, h int) []string {
	s.w, s.h = w, h
	if s.state == nil {
		return message(t, w, h, "nothing loaded yet")
	}
	top := min(len(s.rows)+2, h/2)
	if len(s.rows) == 0 {
		top = h
	} else if h < scopeSplit {
		top = map[bool]int{false: h, true: 0}[s.below]
	}
	s.tableLines = top
	lines := s.drawSessions(t, w, top)
	if rest := h - len(lines); rest > 0 {
		lines = append(lines, s.drawBelow(t, w, rest)...)
	}
	return lines[:h]
}

// drawSessions draws the table in h lines.
func (s *scopeScreen) drawSessions(t *Theme, w, h int) []string {
	if h <= 0 {
		return nil
	}
	if len(s.rows) == 0 && s.needle != "" {
		return message(t, w, h, "no session holds "+model.Sanitize(s.needle), "esc clears the filter")
	}
	columns := scopeColumns(w)
	names := w - 2
	for _, c := range columns {
		names -= c.w
	}
	names = max(8, names)
	s.list.follow(max(0, s.cursor()), h-1, len(s.rows))
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	cuts := beyond(s.list.top, len(s.rows)-s.list.top-(h-1))
	heads := []string{"session"}
	if len(cuts) > 0 {
		heads = nil
		for _, cut := range cuts {
			heads = append(heads, "session · "+cut)
		}
		heads = append(heads, cuts...)
	}
	l.Cell(t.Faint, longest(names, heads...), names)
	for _, c := range columns {
		l.CellRight(t.Faint, c.head, c.w)
	}
	lines := []string{l.End()}
	for row := s.list.top; len(lines) < h; row++ {
		l.Start(w)
		if row < len(s.rows) {
			s.drawSession(&l, t, s.sessions()[s.rows[row]], names, columns)
		}
		lines = append(lines, l.End())
	}
	return lines
}

// drawSession draws one row of the table.
func (s *scopeScreen) drawSession(l *cells.Line, t *Theme, name string, names int, columns [6]scopeColumn) {
	drawGutter(l, t, name == s.session, !s.below)
	label := fitName(model.Sanitize(name), names)
	if name == s.state.Snapshot.Session.Name {
		label = fitName(model.Sanitize(name), names-2) + " " + t.Tick
	}
	a, known := s.auditOf(name)
	style := t.Text
	if len(a.Violations) > 0 {
		style = t.Bad
	}
	l.Cell(style, label, names)
	for i, n := range []int{len(a.Granted), len(a.Direct), len(a.Searchable), len(a.Describable), len(a.Callable), len(a.Violations)} {
		if columns[i].head == "" {
			continue
		}
		text, number := thousands(n), t.Number
		switch {
		case !known:
			text, number = "…", t.Faint
		case i == 5 && n > 0:
			number = t.Bad
		case n == 0:
			number = t.Faint
		}
		l.CellRight(number, text, columns[i].w)
	}
}

// beyond says how many rows there are above and below those that are shown,
// at length and short; nothing when there are none.
func beyond(above, below int) []string {
	switch {
	case above > 0 && below > 0:
		more := thousands(below) + " more"
		return []string{thousands(above) + " above · " + more, more}
	case above > 0:
		return []string{thousands(above) + " above"}
	case below > 0:
		return []string{thousands(below) + " more"}
	}
	return nil
}

// drawRule draws the heading of the list below on a line, and on its right how
// much of the list is not shown. The longest of the texts that fit are taken.
func (s *scopeScreen) drawRule(t *Theme, w int, headings, notes []string) string {
	heading, note := headings[len(headings)-1], ""
	if len(notes) > 0 {
		note = notes[len(notes)-1]
	} else {
		notes = []string{""}
	}
search:
	for _, n := range notes {
		for _, h := range headings {
			if cells.Width(h) <= ruleRoom(w, n) {
				heading, note = h, n
				break search
			}
		}
	}
	var l cells.Line
	l.Start(w)
	style := t.Title
	if s.below {
		style = t.TitleFocus
		l.Text(style, t.Focus)
	} else {
		l.Gap(1)
	}
	l.Text(style, cells.Truncate(heading, ruleRoom(w, note)))
	l.Gap(1)
	if note == "" {
		l.Repeat(t.Border, t.Horizontal, l.Room())
		return l.End()
	}
	l.Repeat(t.Border, t.Horizontal, l.Room()-cells.Width(note)-2)
	l.Text(t.Faint, " "+note+" ")
	return l.End()
}

// ruleRoom returns the cells that a rule of w has for its heading beside a
// note: two of the line stay.
func ruleRoom(w int, note string) int {
	room := w - 4
	if note != "" {
		room -= cells.Width(note) + 2
	}
	return max(0, room)
}

// longest returns the first of the texts that fits w cells, the last cut to
// them when none does.
func longest(w int, texts ...string) string {
	for _, text := range texts {
		if cells.Width(text) <= w {
			return text
		}
	}
	return strings.TrimSpace(cells.Truncate(texts[len(texts)-1], w))
}
