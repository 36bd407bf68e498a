package scope

import (
	"caliper/engine"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// Draw returns exactly h lines of w cells: the matrix, or the sessions and below them
// what the view shows of the one under the cursor.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.Resize(w, h)
	switch {
	case s.state == nil:
		return ui.Centered(t, w, h, "nothing loaded yet")
	case s.view() == viewMatrix:
		m := &s.matrix
		switch {
		case !s.done || m.table == nil:
			why := []string{"asking for every tool in every session", s.verdict()}
			if s.auditing.Held {
				why = []string{"the audit has not begun: " + ui.Count(len(s.state.Snapshot.Registry.Tools), "tool") + " in " + ui.Count(len(s.sessions()), "session"), "enter starts it"}
			}
			return ui.Centered(t, w, h, why...)
		case m.table.tools == 0 && len(m.table.groups) == 0:
			return ui.Centered(t, w, h, "the registry has no tools")
		case len(m.rows) == 0:
			return ui.Centered(t, w, h, "no tool or toolset contains "+safetext.Line(m.filter), "esc clears the filter")
		}
		most := min(3, max(h/6, min(2, h/3)))
		text, bad := s.sentence()
		wrapped := ui.Wrap(text, w-2)
		if len(wrapped) > most {
			wrapped[most-1] = ui.Truncate(wrapped[most-1]+" "+wrapped[most], w-2)
			wrapped = wrapped[:most]
		}
		room := min(most, 1+130/max(w, 1)) // as many lines whatever the cell, so that rows stay where they are
		style := t.Text
		if bad {
			style = t.Bad
		}
		said := make([]string, 0, most)
		var line ui.Line
		for i := range max(room, len(wrapped)) {
			line.StartAt(w, 1)
			if i < len(wrapped) {
				line.Text(style, wrapped[i])
			}
			said = append(said, line.End())
		}
		names, each := m.arrangeColumns(w)
		m.lines = max(1, h-1-len(said))
		m.list.Follow(m.cursor, m.lines, len(m.rows))
		at := m.column(&s.audit)
		m.left = max(0, min(m.left, at, len(m.table.sessions)-m.columns), at-m.columns+1)
		shown := m.table.sessions[m.left : m.left+m.columns]
		lines := []string{s.drawHeads(t, w, names, each, shown)}
		var l ui.Line
		for i := m.list.Top; len(lines) <= m.lines; i++ {
			l.Start(w)
			if i < len(m.rows) {
				s.drawRow(&l, t, i, names, each, shown)
			}
			lines = append(lines, l.End())
		}
		return ui.FitLines(append(lines, said...), w, h)
	}
	return s.DrawView(t, w, h, 0)
}

// sessionColumns returns the columns of the sessions.
func (s *Screen) sessionColumns(t *ui.Theme, w int) []ui.Column {
	heads := [7]string{"granted", "direct", "search", "describe", "call", "denied", "violations"}
	var widths [7]int // a count without a width has no room
	switch {
	case w >= 100:
		widths = [7]int{10, 10, 10, 10, 10, 10, 12}
	case w >= 74:
		widths = [7]int{8, 8, 8, 9, 7, 8, 11}
	default:
		heads[6] = "wrong"
		widths = [7]int{8, 7, 0, 0, 5, 0, 6}
	}
	names := w - 2
	for _, width := range widths {
		names -= width
	}
	names = max(8, names)
	columns := []ui.Column{{Head: "session", Width: names, Left: true, Cell: func(row int) (ui.Style, string) {
		name, style, mark := s.name(row), t.Text, ""
		if name == s.state.Snapshot.Session.Name {
			mark = " " + t.Tick
		}
		if a, _ := s.auditOf(name); len(a.Violations) > 0 {
			style = t.Bad
		}
		return style, ui.FitName(safetext.Line(name), names-ui.Width(mark)) + mark
	}}}
	for i, count := range []func(engine.SessionAudit) int{
		func(a engine.SessionAudit) int { return len(a.Granted) },
		func(a engine.SessionAudit) int { return len(a.Direct) },
		func(a engine.SessionAudit) int { return len(a.Searchable) },
		func(a engine.SessionAudit) int { return len(a.Describable) },
		func(a engine.SessionAudit) int { return len(a.Callable) },
		func(a engine.SessionAudit) int { return len(a.Ruled()) },
		func(a engine.SessionAudit) int { return len(a.Violations) },
	} {
		if widths[i] == 0 {
			continue
		}
		columns = append(columns, ui.Column{Head: heads[i], Width: widths[i], Cell: func(row int) (ui.Style, string) {
			a, known := s.auditOf(s.name(row))
			switch n := count(a); {
			case !known:
				return t.Faint, "…"
			case n == 0:
				return t.Faint, "0"
			case i == len(heads)-1:
				return t.Bad, ui.Thousands(n)
			default:
				return t.Number, ui.Thousands(n)
			}
		}})
	}
	return columns
}
