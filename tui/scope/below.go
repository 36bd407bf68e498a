package scope

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/ui"
)

// view is one of the views that take turns on the screen.
type view int

const (
	viewMatrix  view = iota // tools and sessions
	viewCompare             // the sessions, and below them one beside that of the header
	viewAudit               // the sessions, and below them what is wrong with one
	viewWho                 // the sessions, and below them who can call the tool selected in the matrix or in Explore
	viewCount
)

// String returns the name of the view.
func (v view) String() string {
	return [viewCount]string{"matrix", "two sessions", "audit", "who can call"}[v]
}

// Views returns the names of the views, and which is shown.
func (s *Screen) Views() (names []string, current int) {
	for v := range viewCount {
		names = append(names, v.String())
	}
	return names, int(s.view)
}

// ShowView shows a view. Where there is room for only one list, the two sessions
// begin at the sessions, and the other views at the list below them.
func (s *Screen) ShowView(i int) {
	s.view = view(i)
	below := s.view != viewMatrix && s.view != viewCompare
	s.below = below && (s.below || s.h < splitHeight)
	s.belowList.Top, s.belowFilter = 0, ""
	s.changes++
}

// lines is the list below the sessions. Only its rows scroll.
type lines struct {
	headings []string // the longest first
	heads    string   // of the columns, drawn; empty: none
	rows     int
	row      func(l *cells.Line, i int) // draws a row
	text     []string                   // instead of rows
}

// height returns how many lines all of the list takes.
func (l *lines) height() int {
	n := 1 + max(l.rows, len(l.text))
	if l.heads != "" {
		n++
	}
	return n
}

// listBelow returns the list below the sessions on a screen of h lines.
func (s *Screen) listBelow(t *ui.Theme, w, h int) lines {
	switch s.view {
	case viewAudit:
		return s.violations(t)
	case viewWho:
		return s.who(t, w)
	}
	return s.compare(t, w, h)
}

// drawBelow draws the list below the sessions in h lines.
func (s *Screen) drawBelow(t *ui.Theme, list lines, w, h int) []string {
	s.belowLines = h - 1
	if list.heads != "" {
		s.belowLines--
	}
	s.belowLines, s.belowRows = max(0, s.belowLines), list.rows
	s.belowList.Clamp(s.belowLines, list.rows)
	top := s.belowList.Top
	if filter := s.belowTyped(); filter != "" {
		for i, heading := range list.headings {
			list.headings[i] = heading + filter
		}
		list.headings = append(list.headings, strings.TrimSpace(filter))
		if list.rows == 0 && s.belowFilter != "" {
			list.text = []string{"nothing contains " + safetext.Line(s.belowFilter), "esc clears the filter"}
		}
	}
	lines := []string{s.drawHeading(t, w, list.headings, ui.Beyond(top, list.rows-top-s.belowLines))}
	if list.heads != "" {
		lines = append(lines, list.heads)
	}
	if list.rows == 0 {
		return append(lines, ui.Centered(t, w, h-len(lines), list.text...)...)
	}
	var l cells.Line
	for i := top; len(lines) < h; i++ {
		l.Start(w)
		if i < list.rows {
			list.row(&l, i)
		}
		lines = append(lines, l.End())
	}
	return lines
}

// belowTyped returns the filter of the list below as its heading shows it, empty
// for none.
func (s *Screen) belowTyped() string {
	switch typed, finding := s.host.Finding(); {
	case finding && s.below:
		return "  " + typed
	case s.belowFilter != "":
		return "  /" + safetext.Line(s.belowFilter)
	}
	return ""
}

// holding returns the names that pass the filter of the list below.
func (s *Screen) holding(names []string) []string {
	if s.belowFilter == "" {
		return names
	}
	var out []string
	for _, name := range names {
		if s.belowHolds(name) {
			out = append(out, name)
		}
	}
	return out
}

// belowHolds reports whether a text passes the filter of the list below.
func (s *Screen) belowHolds(text string) bool {
	return strings.Contains(strings.ToLower(safetext.Line(text)), s.belowFilter)
}

// violations lists what is wrong with the selected session.
func (s *Screen) violations(t *ui.Theme) lines {
	a, known := s.auditOf(s.session)
	clean := "no violation: " + safetext.Line(s.session) + " reaches nothing that it is not granted"
	if !known {
		clean = "the audit is not done"
	}
	text := func(r engine.Reached) string { return r.Tool + " by " + strings.Join(r.Paths, ", ") }
	shown := slices.DeleteFunc(a.Reached(), func(r engine.Reached) bool { return !s.belowHolds(text(r)) })
	return lines{
		headings: []string{safetext.Line(s.session) + ": " + ui.Count(len(a.Violations), "violation"), ui.Count(len(a.Violations), "violation")},
		rows:     len(shown),
		text:     []string{clean},
		row: func(l *cells.Line, i int) {
			l.Gap(1)
			l.Text(t.Bad, wordViolation+" ")
			l.Text(t.Text, safetext.Line(text(shown[i])))
		},
	}
}

// compare lists the tools that only the selected session or only the one in
// force is granted, side by side.
func (s *Screen) compare(t *ui.Theme, w, h int) lines {
	current := s.state.Snapshot.Session.Name
	here, known := s.auditOf(current)
	there, ok := s.auditOf(s.session)
	this, other := safetext.Line(current), safetext.Line(s.session)
	switch {
	case !known || !ok:
		return lines{headings: []string{other}, text: []string{"the audit is not done"}}
	case current == s.session:
		return s.reach(t, w, h, here)
	}
	left, right := without(here.Granted, there.Granted), without(there.Granted, here.Granted)
	both := countOf(len(here.Granted)-len(left), "tool") + " in both"
	someLeft, someRight := s.holding(left), s.holding(right)
	list := lines{headings: []string{both + " " + this + " and " + other, both}, rows: max(len(someLeft), len(someRight))}
	if len(left)+len(right) == 0 {
		list.text = []string{"nothing differs: both are granted the same tools"}
		if len(here.Granted) == 0 {
			list.text = []string{"nothing differs: neither is granted a tool"}
		}
		return list
	}
	half := w / 2
	var l cells.Line
	l.Start(w)
	head := func(some, all []string, session string) string {
		only := ui.Thousands(len(all)) + " only "
		if s.belowFilter != "" {
			only = ui.Thousands(len(some)) + " of " + only
		}
		return " " + ui.Longest(half-2, only+"in "+session, only+session)
	}
	l.Cell(t.Title, head(someLeft, left, this), half)
	l.Cell(t.Title, head(someRight, right, other), w-half)
	list.heads = l.End()
	list.row = func(l *cells.Line, i int) {
		drawOnly(l, t, someLeft, i, &there, half)
		drawOnly(l, t, someRight, i, &here, w-half)
	}
	return list
}

// drawOnly draws a name that only one session is granted in w cells, and how the other
// one reaches it or which gate denies it there, where there is room.
func drawOnly(l *cells.Line, t *ui.Theme, names []string, i int, other *engine.SessionAudit, w int) {
	end := l.At() + w
	if i < len(names) {
		name := " " + ui.FitName(nameAt(names, i), w-2)
		l.Text(t.Text, name)
		if how := "  " + reachOf(other, names[i]).short(); cells.Width(name)+cells.Width(how) < w {
			l.Text(t.Faint, how)
		}
	}
	l.To(end)
}

// reach lists what the session in force reaches; it is not compared with itself.
func (s *Screen) reach(t *ui.Theme, w, h int, a engine.SessionAudit) lines {
	name := safetext.Line(a.Name)
	shown := s.holding(a.Granted)
	list := lines{
		headings: []string{name + " is the current session", "current session"},
		rows:     len(shown),
		text:     []string{name + " is granted no tools"},
	}
	if h >= splitHeight/2 {
		var l cells.Line
		l.Start(w)
		l.Text(t.Faint, " select another session to compare it")
		list.heads = l.End()
	}
	how := func(tool string) string { return reachOf(&a, tool).short() }
	names := s.nameColumn(w, a.Granted, how)
	list.row = func(l *cells.Line, i int) {
		l.Gap(1)
		l.Cell(t.Text, ui.FitName(nameAt(shown, i), names-1), names)
		l.Text(t.Faint, how(shown[i]))
	}
	return list
}

// subject returns the tool that the user went to last: that of the row in the matrix,
// or that selected in Explore; nil for none.
func (s *Screen) subject() *model.Tool {
	if t := s.matrix.selected(); s.fromMatrix && t != nil {
		return t
	}
	return s.tool
}

// who lists how each session calls the subject, those that can before the others.
func (s *Screen) who(t *ui.Theme, w int) lines {
	tool := s.subject()
	if tool == nil {
		return lines{headings: []string{"who can call"}, text: []string{"no tool is selected, in the matrix or in Explore"}}
	}
	from := ", the tool selected in Explore"
	if tool != s.tool {
		from = ", the tool selected in the matrix"
	}
	sessions := s.holding(s.readiest(s.sessions(), tool))
	how := func(session string) string {
		r, known := s.reaches(session, tool)
		switch {
		case !known:
			return "not audited yet"
		case w < reasonWidth:
			return r.short()
		}
		return r.long(tool)
	}
	names := s.nameColumn(w, sessions, how)
	return lines{
		headings: []string{"who can call " + tool.ShownName + from, "who can call " + tool.ShownName},
		rows:     len(sessions),
		row: func(l *cells.Line, i int) {
			l.Gap(1)
			l.Cell(t.Text, ui.FitName(safetext.Line(sessions[i]), names-1), names)
			style := t.Faint
			if r, known := s.reaches(sessions[i], tool); known {
				_, style = r.sign(t)
			}
			l.Text(style, how(sessions[i]))
		},
	}
}

// reasonWidth is the width from which on a list has room for why a call is denied.
const reasonWidth = 100

// reaches returns how a session reaches a tool; known is false before its audit.
func (s *Screen) reaches(session string, tool *model.Tool) (r reach, known bool) {
	a, known := s.auditOf(session)
	if !known {
		return reach{way: wayDenied}, false
	}
	return reachOf(&a, tool.Qualified), true
}

// readiest sorts sessions by how readily they reach a tool.
func (s *Screen) readiest(sessions []string, tool *model.Tool) []string {
	slices.SortStableFunc(sessions, func(a, b string) int {
		x, _ := s.reaches(a, tool)
		y, _ := s.reaches(b, tool)
		return cmp.Compare(x.way, y.way)
	})
	return sessions
}

// nameColumn returns how wide a column of names is beside a text about each: as
// wide as the longest name, if there is room.
func (s *Screen) nameColumn(w int, names []string, text func(string) string) int {
	name, beside := 0, 0
	for _, n := range names {
		name = max(name, cells.Width(safetext.Line(n)))
		beside = max(beside, cells.Width(text(n)))
	}
	return max(8, min(name+3, w-2-beside))
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
	return safetext.Line(names[i])
}

// countOf returns a count with its noun, "no" for none.
func countOf(n int, noun string) string {
	if n == 0 {
		return "no " + noun
	}
	return ui.Count(n, noun)
}
