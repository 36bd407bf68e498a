package scope

import (
	"caliper/engine"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// columnsIn returns the headings and widths of the counts of a session in a table of w cells:
// granted, direct, searchable, describable, callable and violations, in this order. One without
// a width has no room.
func columnsIn(w int) (heads [6]string, widths [6]int) {
	heads = [6]string{"granted", "direct", "search", "describe", "call", "violations"}
	switch {
	case w >= 100:
		return heads, [6]int{10, 10, 10, 10, 10, 12}
	case w >= 74:
		return heads, [6]int{9, 9, 9, 9, 9, 11}
	}
	heads[5] = "wrong"
	return heads, [6]int{8, 7, 0, 0, 5, 6}
}

// Draw returns exactly h lines of w cells: the matrix, or the sessions and below them
// what the view shows of the one under the cursor.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.Resize(w, h)
	switch {
	case s.state == nil:
		return ui.Centered(t, w, h, "nothing loaded yet")
	case s.view() == viewMatrix:
		return s.drawMatrix(t, w, h)
	}
	return s.DrawView(t, w, h, 0)
}

// nothing returns why no session is listed, nil when one is.
func (s *Screen) nothing() []string {
	if len(s.rows) == 0 && s.filter != "" {
		return []string{"no session contains " + safetext.Line(s.filter), "esc clears the filter"}
	}
	return nil
}

// sessionColumns returns the columns of the sessions.
func (s *Screen) sessionColumns(t *ui.Theme, w int) []ui.Column {
	heads, widths := columnsIn(w)
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
