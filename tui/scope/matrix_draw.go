package scope

import (
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// leastName is the narrowest column of the names of tools, longestSession the widest of the name
// of a session, and leastAbout the fewest cells in which the description of a tool says something.
const leastName, longestSession, leastAbout = 18, 20, 24

// arrangeColumns decides how many sessions fit into w cells, and returns the widths of
// the column of names, which is no wider than the widest of them, and of each session: that of
// its name where all have room for it.
func (m *matrix) arrangeColumns(w int) (names, each int) {
	each = m.table.word + 4 // a sign and a space before the word, and the marks of the cursor
	if n := len(m.table.sessions); n > 0 {
		each = max(each, min(m.table.session+4, longestSession+4, (w-5-m.table.name)/n))
	}
	m.columns = max(1, min((w-1-leastName)/each, len(m.table.sessions)))
	return max(8, min(w-1-m.columns*each, m.table.name+4)), each
}

// drawHeads draws the names of the sessions, and how many are left and right of them.
func (s *Screen) drawHeads(t *ui.Theme, w, names, each int, shown []int) string {
	m := &s.matrix
	l := ui.StartLine(w, 1)
	head := "tool"
	if m.left > 0 {
		head += "  " + t.Left + " " + strconv.Itoa(m.left)
	}
	if more := len(m.table.sessions) - m.left - len(shown); more > 0 {
		head += "  " + strconv.Itoa(more) + " more " + t.Right
	}
	l.Cell(t.Faint, head, names)
	for _, i := range shown {
		name, style := safetext.Line(s.audit.Sessions[i].Name), t.Faint
		if len(s.audit.Sessions[i].Violations) > 0 {
			style = t.Bad
		}
		mark := ""
		if s.audit.Sessions[i].Name == s.state.Snapshot.Session.Name {
			mark = " " + t.Tick
		}
		l.Gap(1)
		l.Cell(style, ui.FitName(name, each-1-ui.Width(mark))+mark, each-1)
	}
	return l.End()
}

// drawRow draws a row of the matrix.
func (s *Screen) drawRow(l *ui.Line, t *ui.Theme, i, names, each int, shown []int) {
	m := &s.matrix
	r, selected := m.rows[i], i == m.cursor
	ui.DrawGutter(l, t, selected, true)
	of := &m.table.groups[r.group]
	if r.item < 0 {
		mark, name, style := t.Expanded, toolsetName(of.name), t.Faint
		if m.folded[of.name] && m.filter == "" && !of.violates {
			mark = t.Collapsed
		}
		if of.violates {
			name, style = ui.Count(len(of.items), "tool")+" in VIOLATION", t.Bad
		}
		l.Cell(style, mark+" "+ui.FitName(name, names-3), names)
		for _, session := range shown {
			s.drawCell(l, t, selected, session, ui.Thousands(of.reached[session])+" of "+ui.Thousands(len(of.items)), t.Faint, each)
		}
		return
	}
	it := m.item(r)
	style := t.Text
	if of.violates {
		style = t.Bad
	}
	l.Cell(style, "  "+ui.FitName(safetext.Line(it.name), names-3), names)
	for _, session := range shown {
		reach := reachOf(&s.audit.Sessions[session], it.name)
		var sign string
		var style ui.Style
		switch reach.access {
		case accessDirect:
			sign, style = t.Tick, t.Ok
		case accessSearch:
			sign, style = t.Right, t.Accent
		case accessApproval:
			sign, style = "?", t.Warn
		case accessDenied:
			sign, style = t.Cross, t.Bad
		case accessViolation:
			sign, style = "!", t.Bad
		default:
			sign, style = t.Same, t.Faint
		}
		word := [...]string{accessDirect: wordDirect, accessSearch: wordSearch, accessApproval: wordApproval, accessNone: wordNone, accessDenied: "", accessViolation: wordViolation}[reach.access]
		s.drawCell(l, t, selected, session, strings.TrimSpace(sign+" "+word), style, each)
	}
	if it.tool != nil && l.Room() >= leastAbout {
		l.Gap(2)
		l.Text(t.Faint, ui.FirstWords(it.tool.ShownDescription(), l.Room()-1))
	}
}

// drawCell draws the cell of a session, in brackets under the cursor.
func (s *Screen) drawCell(l *ui.Line, t *ui.Theme, selected bool, session int, text string, style ui.Style, each int) {
	if !selected || session != s.matrix.table.sessions[s.matrix.column(&s.audit)] {
		l.Gap(1)
		l.Cell(style, text, each-1)
		return
	}
	l.Text(t.Accent, t.TabOpen)
	l.Text(style, ui.Truncate(text, each-2))
	l.Text(t.Accent, t.TabClose)
	l.Gap(each - 2 - min(ui.Width(text), each-2))
}

// toolsetName returns the name of a toolset as a row of its own shows it.
func toolsetName(name string) string {
	if name == model.NoToolset || name == "" {
		return "no toolset"
	}
	return safetext.Line(name)
}

// sentence returns what the cell under the cursor says, and whether it is a violation.
func (s *Screen) sentence() (text string, bad bool) {
	m := &s.matrix
	r, ok := m.under()
	if !ok || len(s.audit.Sessions) == 0 {
		return "", false
	}
	of, at := &m.table.groups[r.group], m.table.sessions[m.column(&s.audit)]
	a := &s.audit.Sessions[at]
	if r.item < 0 && of.violates {
		return s.audit.Sessions[at].Name + ": " + ui.Count(len(a.Violations), "violation"), len(a.Violations) > 0
	}
	if r.item < 0 {
		return safetext.Line(a.Name) + " can call " + ui.Thousands(of.reached[at]) + " of " + ui.Count(len(of.items), "tool") + " of " + toolsetName(of.name), false
	}
	it := m.item(r)
	reach := reachOf(&s.audit.Sessions[at], it.name)
	session, tool := safetext.Line(a.Name), safetext.Line(it.name)
	switch reach.access {
	case accessDirect:
		text = session + " is sent " + tool + " in full and calls it by its name"
	case accessSearch:
		if h := s.audited.Host(); h.Generation == "" {
			text = session + " finds " + tool + " with the search of " + h.Title + " and calls it by its name"
		} else {
			text = session + " finds " + tool + " with " + engine.ToolSearch + " and calls it through " + engine.ToolCall
		}
	case accessApproval:
		text = session + " calls " + tool + " after a yes: " + reach.long(s.audited, a.Name, it.tool)
	case accessDenied:
		text = session + " cannot call " + tool + ": " + reach.long(s.audited, a.Name, it.tool)
	case accessViolation:
		text = "VIOLATION: " + session + " reaches " + tool + " by " + strings.Join(reach.paths, ", ") + " against its scope"
	default:
		text = session + " is granted " + tool + ", and nothing leads to it"
	}
	return text, reach.access == accessViolation
}
