package tui

import (
	"slices"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
)

// scopeColumns are the counts of a session, in the order of the table.
var scopeColumns = []string{"granted", "direct", "search", "describe", "call", "violations"}

// draw returns exactly h lines of w cells: the sessions, and what the part
// says about the one under the cursor.
func (s *scopeScreen) draw(t *Theme, w, h int) []string {
	if s.state == nil {
		return message(t, w, h, "nothing loaded yet")
	}
	top := h
	if h >= 12 {
		top = min(len(s.rows)+2, h/2)
	} else if s.part != scopeCompare || h < 4 {
		top = 0 // one part at a time: v comes back to the sessions
	}
	lines := s.drawSessions(t, w, top)
	if rest := h - len(lines); rest > 0 {
		lines = append(lines, s.drawPart(t, w, rest)...)
	}
	return lines[:h]
}

// drawSessions draws the table in h lines.
func (s *scopeScreen) drawSessions(t *Theme, w, h int) []string {
	if h <= 0 {
		return nil
	}
	wide := w >= 70
	column := 10
	if !wide {
		column = 6
	}
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	names := max(8, w-2-column*len(scopeColumns))
	if !wide {
		names = max(8, w-2-column*3)
	}
	l.Cell(t.Faint, "session", names)
	for i, head := range scopeColumns {
		if wide || s.narrowColumn(i) {
			l.CellRight(t.Faint, head[:min(len(head), column-1)], column)
		}
	}
	lines := []string{l.End()}
	s.list.follow(max(0, s.cursor()), h-1, len(s.rows))
	for row := s.list.top; len(lines) < h; row++ {
		l.Start(w)
		if row < len(s.rows) {
			s.drawSession(&l, t, s.sessions()[s.rows[row]], names, column, wide)
		}
		lines = append(lines, l.End())
	}
	return lines
}

// narrowColumn reports whether a column is shown where there is little room.
func (s *scopeScreen) narrowColumn(i int) bool { return i == 0 || i == 4 || i == 5 }

// drawSession draws one row of the table.
func (s *scopeScreen) drawSession(l *cells.Line, t *Theme, name string, names, column int, wide bool) {
	drawGutter(l, t, name == s.session, true)
	label := model.Sanitize(name)
	if name == s.state.Snapshot.Session.Name {
		label += " " + t.Tick
	}
	a, known := s.auditOf(name)
	style := t.Text
	if len(a.Violations) > 0 {
		style = t.Bad
	}
	l.Cell(style, label, names)
	for i, n := range []int{len(a.Granted), len(a.Direct), len(a.Searchable), len(a.Describable), len(a.Callable), len(a.Violations)} {
		if !wide && !s.narrowColumn(i) {
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
		l.CellRight(number, text, column)
	}
}

// drawPart draws what stands below the sessions.
func (s *scopeScreen) drawPart(t *Theme, w, h int) []string {
	var text []string
	switch {
	case s.part == scopeWho:
		text = s.who(t, w)
	default:
		text = append(s.violations(t, w), s.compare(t, w)...)
	}
	var l cells.Line
	l.Start(w)
	l.Repeat(t.Border, t.Horizontal, w)
	lines := []string{l.End()}
	s.below.clamp(h-1, len(text))
	for i := s.below.top; len(lines) < h; i++ {
		if i < len(text) {
			lines = append(lines, text[i])
		} else {
			lines = append(lines, cells.Spaces(w))
		}
	}
	return lines
}

// violations names what is wrong with the selected session.
func (s *scopeScreen) violations(t *Theme, w int) []string {
	a, _ := s.auditOf(s.session)
	var lines []string
	var l cells.Line
	for _, v := range a.Violations {
		l.Start(w)
		l.Gap(1)
		l.Text(t.Bad, "VIOLATION ")
		l.Text(t.Text, model.Sanitize(v.Tool)+" by "+v.Path)
		lines = append(lines, l.End())
	}
	return lines
}

// compare draws the tools that only the selected session or only the one in
// force is granted, side by side.
func (s *scopeScreen) compare(t *Theme, w int) []string {
	current := s.state.Snapshot.Session.Name
	here, known := s.auditOf(current)
	there, ok := s.auditOf(s.session)
	var l cells.Line
	if !known || !ok {
		l.Start(w)
		l.Text(t.Faint, " the audit is not done")
		return []string{l.End()}
	}
	if current == s.session {
		return s.reach(t, w, here)
	}
	left, right := without(here.Granted, there.Granted), without(there.Granted, here.Granted)
	half := w / 2
	l.Start(w)
	l.Cell(t.Title, " only "+model.Sanitize(current)+"  "+thousands(len(left)), half)
	l.Cell(t.Title, " only "+model.Sanitize(s.session)+"  "+thousands(len(right)), w-half)
	lines := []string{l.End()}
	for i := range max(len(left), len(right)) {
		l.Start(w)
		l.Cell(t.Text, " "+nameAt(left, i), half)
		l.Cell(t.Text, " "+nameAt(right, i), w-half)
		lines = append(lines, l.End())
	}
	return lines
}

// reach draws what the session in force reaches, when nothing is compared.
func (s *scopeScreen) reach(t *Theme, w int, a engine.SessionAudit) []string {
	var l cells.Line
	l.Start(w)
	l.Text(t.Title, " "+model.Sanitize(a.Name)+" is in force")
	l.Text(t.Faint, "  select another session to compare it; enter switches to it")
	lines := []string{l.End()}
	for _, name := range a.Granted {
		l.Start(w)
		l.Gap(1)
		l.Cell(t.Text, model.Sanitize(name), max(20, w*2/3))
		l.Text(t.Faint, howReached(a, name))
		lines = append(lines, l.End())
	}
	return lines
}

// who draws which sessions can call the tool selected in Explore, and how.
func (s *scopeScreen) who(t *Theme, w int) []string {
	tool := s.app.selected()
	var l cells.Line
	l.Start(w)
	if tool == nil {
		l.Text(t.Faint, " no tool is selected in Explore")
		return []string{l.End()}
	}
	l.Text(t.Title, " who can call ")
	l.Text(t.Name, tool.ShownName)
	l.Text(t.Faint, "  the tool selected in Explore")
	lines := []string{l.End()}
	for _, name := range s.sessions() {
		a, known := s.auditOf(name)
		l.Start(w)
		l.Gap(1)
		l.Cell(t.Text, model.Sanitize(name), 24)
		how := "the audit is not done"
		if known {
			how = howReached(a, tool.Qualified)
		}
		style := t.Faint
		if known && how != notReached {
			style = t.Ok
		}
		l.Text(style, how)
		lines = append(lines, l.End())
	}
	return lines
}

// notReached is how a tool is reached by a session that is not granted it.
const notReached = "not at all"

// howReached says how a session reaches a tool.
func howReached(a engine.SessionAudit, tool string) string {
	switch {
	case holds(a.Direct, tool):
		return "directly, it is in the tools list"
	case holds(a.Callable, tool):
		return "through tool_call"
	case holds(a.Granted, tool):
		return "granted, but no call reaches it"
	}
	return notReached
}

// holds reports whether a sorted list holds a name.
func holds(sorted []string, name string) bool {
	_, ok := slices.BinarySearch(sorted, name)
	return ok
}

// without returns what a holds and b does not, both sorted.
func without(a, b []string) []string {
	var out []string
	for _, name := range a {
		if !holds(b, name) {
			out = append(out, name)
		}
	}
	return out
}

// nameAt returns the i-th name safe for a terminal, empty beyond the last.
func nameAt(names []string, i int) string {
	if i >= len(names) {
		return ""
	}
	return model.Sanitize(names[i])
}
