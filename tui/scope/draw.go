package scope

import (
	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/ui"
)

// column is a count of a session, in the table of sessions.
type column struct {
	head string // empty: not shown in this width
	w    int
}

// columnsIn returns the columns for a table of w cells: granted, direct,
// searchable, describable, callable and violations, in this order.
func columnsIn(w int) [6]column {
	switch {
	case w >= 100:
		return [6]column{{"granted", 10}, {"direct", 10}, {"search", 10}, {"describe", 10}, {"call", 10}, {"violations", 12}}
	case w >= 74:
		return [6]column{{"granted", 9}, {"direct", 9}, {"search", 9}, {"describe", 9}, {"call", 9}, {"violations", 11}}
	}
	return [6]column{{"granted", 8}, {"direct", 7}, {}, {}, {"call", 5}, {"wrong", 6}}
}

// splitHeight is the height from which on the sessions and the list below are shown
// together.
const splitHeight = 12

// Draw returns exactly h lines of w cells: the matrix, or the sessions and below them
// what the view shows of the one under the cursor.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.w, s.h = w, h
	if s.state == nil {
		return ui.Centered(t, w, h, "nothing loaded yet")
	}
	if s.view == viewMatrix {
		return s.drawMatrix(t, w, h)
	}
	s.fill(w)
	top := ui.Share(h, 1, ui.Ask{Least: 4, Rows: len(s.rows) + 2}, ui.Ask{Least: 4, Rows: s.pane.Len() + 1})[0]
	if len(s.rows) == 0 {
		top = h
	} else if h < splitHeight {
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
func (s *Screen) drawSessions(t *ui.Theme, w, h int) []string {
	if h <= 0 {
		return nil
	}
	if len(s.rows) == 0 && s.filter != "" {
		return ui.Centered(t, w, h, "no session contains "+safetext.Line(s.filter), "esc clears the filter")
	}
	columns := columnsIn(w)
	names := w - 2
	for _, c := range columns {
		names -= c.w
	}
	names = max(8, names)
	s.list.Follow(max(0, s.cursor()), h-1, len(s.rows))
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	cuts := ui.Beyond(s.list.Top, len(s.rows)-s.list.Top-(h-1))
	heads := []string{"session"}
	if len(cuts) > 0 {
		heads = nil
		for _, cut := range cuts {
			heads = append(heads, "session · "+cut)
		}
		heads = append(heads, cuts...)
	}
	l.Cell(t.Faint, ui.Longest(names, heads...), names)
	for _, c := range columns {
		l.CellRight(t.Faint, c.head, c.w)
	}
	lines := []string{l.End()}
	for row := s.list.Top; len(lines) < h; row++ {
		l.Start(w)
		if row < len(s.rows) {
			s.drawSession(&l, t, s.sessions()[s.rows[row]], names, columns)
		}
		lines = append(lines, l.End())
	}
	return lines
}

// drawSession draws one row of the table.
func (s *Screen) drawSession(l *cells.Line, t *ui.Theme, name string, names int, columns [6]column) {
	ui.DrawGutter(l, t, name == s.session, !s.below)
	label := ui.FitName(safetext.Line(name), names)
	if name == s.state.Snapshot.Session.Name {
		label = ui.FitName(safetext.Line(name), names-2) + " " + t.Tick
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
		text, number := ui.Thousands(n), t.Number
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

// drawHeading draws the heading of the list below on a line, and on its right how
// much of the list is not shown. The longest of the texts that fit are taken.
func (s *Screen) drawHeading(t *ui.Theme, w int, headings, notes []string) string {
	heading, note := headings[len(headings)-1], ""
	if len(notes) > 0 {
		note = notes[len(notes)-1]
	} else {
		notes = []string{""}
	}
search:
	for _, n := range notes {
		for _, h := range headings {
			if cells.Width(h) <= headingRoom(w, n) {
				heading, note = h, n
				break search
			}
		}
	}
	var l cells.Line
	l.Start(w)
	style, line, edge := t.Title, t.Horizontal, t.Border
	if s.below {
		style, line, edge = t.TitleFocus, t.Heavy.Horizontal, t.BorderFocus
		l.Text(style, t.Focus)
	} else {
		l.Gap(1)
	}
	l.Text(style, cells.Truncate(heading, headingRoom(w, note)))
	l.Gap(1)
	if note == "" {
		l.Repeat(edge, line, l.Room())
		return l.End()
	}
	l.Repeat(edge, line, l.Room()-cells.Width(note)-2)
	l.Text(t.Faint, " "+note+" ")
	return l.End()
}

// headingRoom returns the cells that a rule of w has for its heading beside a
// note: two of the line stay.
func headingRoom(w int, note string) int {
	room := w - 4
	if note != "" {
		room -= cells.Width(note) + 2
	}
	return max(0, room)
}
