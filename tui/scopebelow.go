package tui

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
)

// scopePart is what the list below the sessions shows.
type scopePart int

const (
	scopeFirst   scopePart = iota // what is wrong with the session; when nothing is, the comparison
	scopeCompare                  // with the session in force
	scopeWho                      // can call the tool selected in Explore
)

// part returns what the list below shows of the selected session.
func (s *scopeScreen) part() scopePart {
	if a, _ := s.auditOf(s.session); s.chosenPart == scopeFirst && len(a.Violations) == 0 {
		return scopeCompare
	}
	return s.chosenPart
}

// nextPart shows the next part. Where there is room for only one list, the
// sessions are among the parts.
func (s *scopeScreen) nextPart() {
	small := s.h < scopeSplit
	if small && !s.below {
		s.below, s.chosenPart = true, scopeFirst
	} else {
		s.chosenPart = (s.part() + 1) % (scopeWho + 1)
		s.below = s.below && !(small && s.chosenPart == scopeFirst)
	}
	s.belowList.top, s.belowNeedle = 0, ""
}

// scopeLines is the list below the sessions. Its heading and its columns' heads
// stay while the rows scroll.
type scopeLines struct {
	headings []string // the longest first
	heads    string   // of the columns, drawn; empty: none
	rows     int
	row      func(l *cells.Line, i int) // draws a row
	words    []string                   // instead of rows
}

// drawBelow draws the list below the sessions in h lines.
func (s *scopeScreen) drawBelow(t *Theme, w, h int) []string {
	var list scopeLines
	switch s.part() {
	case scopeFirst:
		list = s.violations(t)
	case scopeCompare:
		list = s.compare(t, w, h)
	case scopeWho:
		list = s.who(t, w)
	}
	s.belowLines = h - 1
	if list.heads != "" {
		s.belowLines--
	}
	s.belowLines, s.belowRows = max(0, s.belowLines), list.rows
	s.belowList.clamp(s.belowLines, list.rows)
	top := s.belowList.top
	if filter := s.belowFilter(); filter != "" {
		for i, heading := range list.headings {
			list.headings[i] = heading + filter
		}
		list.headings = append(list.headings, strings.TrimSpace(filter))
		if list.rows == 0 && s.belowNeedle != "" {
			list.words = []string{"nothing holds " + model.Sanitize(s.belowNeedle), "esc clears the filter"}
		}
	}
	lines := []string{s.drawRule(t, w, list.headings, beyond(top, list.rows-top-s.belowLines))}
	if list.heads != "" {
		lines = append(lines, list.heads)
	}
	if list.rows == 0 {
		return append(lines, message(t, w, h-len(lines), list.words...)...)
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

// belowFilter is the filter of the list below as its heading shows it, empty
// for none.
func (s *scopeScreen) belowFilter() string {
	switch f := s.app.find; {
	case f != nil && f.pane == PaneBody && s.below:
		return "  " + f.words()
	case s.belowNeedle != "":
		return "  /" + model.Sanitize(s.belowNeedle)
	}
	return ""
}

// holding returns the names that pass the filter of the list below.
func (s *scopeScreen) holding(names []string) []string {
	if s.belowNeedle == "" {
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
func (s *scopeScreen) belowHolds(text string) bool {
	return strings.Contains(strings.ToLower(model.Sanitize(text)), s.belowNeedle)
}

// violations names what is wrong with the selected session.
func (s *scopeScreen) violations(t *Theme) scopeLines {
	a, _ := s.auditOf(s.session)
	text := func(r engine.Reached) string { return r.Tool + " by " + strings.Join(r.Paths, ", ") }
	shown := slices.DeleteFunc(a.Reached(), func(r engine.Reached) bool { return !s.belowHolds(text(r)) })
	return scopeLines{
		headings: []string{model.Sanitize(s.session) + ": " + plural(len(a.Violations), "violation"), plural(len(a.Violations), "violation")},
		rows:     len(shown),
		row: func(l *cells.Line, i int) {
			l.Gap(1)
			l.Text(t.Bad, "VIOLATION ")
			l.Text(t.Text, model.Sanitize(text(shown[i])))
		},
	}
}

// compare draws the tools that only the selected session or only the one in
// force is granted, side by side.
func (s *scopeScreen) compare(t *Theme, w, h int) scopeLines {
	current := s.state.Snapshot.Session.Name
	here, known := s.auditOf(current)
	there, ok := s.auditOf(s.session)
	this, other := model.Sanitize(current), model.Sanitize(s.session)
	switch {
	case !known || !ok:
		return scopeLines{headings: []string{other}, words: []string{"the audit is not done"}}
	case current == s.session:
		return s.reach(t, w, h, here)
	}
	left, right := without(here.Granted, there.Granted), without(there.Granted, here.Granted)
	both := countOf(len(here.Granted)-len(left), "tool") + " in both"
	someLeft, someRight := s.holding(left), s.holding(right)
	list := scopeLines{headings: []string{both + " " + this + " and " + other, both}, rows: max(len(someLeft), len(someRight))}
	if len(left)+len(right) == 0 {
		list.words = []string{"nothing differs: both are granted the same tools"}
		if len(here.Granted) == 0 {
			list.words = []string{"nothing differs: neither is granted a tool"}
		}
		return list
	}
	half := w / 2
	var l cells.Line
	l.Start(w)
	head := func(some, all []string, session string) string {
		only := thousands(len(all)) + " only "
		if s.belowNeedle != "" {
			only = thousands(len(some)) + " of " + only
		}
		return " " + longest(half-2, only+"in "+session, only+session)
	}
	l.Cell(t.Title, head(someLeft, left, this), half)
	l.Cell(t.Title, head(someRight, right, other), w-half)
	list.heads = l.End()
	list.row = func(l *cells.Line, i int) {
		l.Cell(t.Text, " "+fitName(nameAt(someLeft, i), half-2), half)
		l.Cell(t.Text, " "+fitName(nameAt(someRight, i), w-half-2), w-half)
	}
	return list
}

// reach draws what the session in force reaches, when nothing is compared.
func (s *scopeScreen) reach(t *Theme, w, h int, a engine.SessionAudit) scopeLines {
	name := model.Sanitize(a.Name)
	shown := s.holding(a.Granted)
	list := scopeLines{
		headings: []string{name + " is in force", "in force"},
		rows:     len(shown),
		words:    []string{name + " is granted no tools"},
	}
	if h >= scopeSplit/2 {
		var l cells.Line
		l.Start(w)
		l.Text(t.Faint, " select another session to compare it")
		list.heads = l.End()
	}
	names := s.nameColumn(w, a.Granted, func(tool string) string { return howReached(a, tool) })
	list.row = func(l *cells.Line, i int) {
		l.Gap(1)
		l.Cell(t.Text, fitName(nameAt(shown, i), names-1), names)
		l.Text(t.Faint, howReached(a, shown[i]))
	}
	return list
}

// who draws which sessions can call the tool selected in Explore, and how,
// those that can before the others.
func (s *scopeScreen) who(t *Theme, w int) scopeLines {
	tool := s.app.selected()
	if tool == nil {
		return scopeLines{headings: []string{"who can call"}, words: []string{"no tool is selected in Explore"}}
	}
	how := func(session string) string { return s.reaches(session, tool) }
	sessions := s.holding(s.readiest(s.sessions(), tool))
	names := s.nameColumn(w, sessions, how)
	return scopeLines{
		headings: []string{"who can call " + tool.ShownName + ", the tool selected in Explore", "who can call " + tool.ShownName},
		rows:     len(sessions),
		row: func(l *cells.Line, i int) {
			l.Gap(1)
			l.Cell(t.Text, fitName(model.Sanitize(sessions[i]), names-1), names)
			text, style := how(sessions[i]), t.Faint
			if text == reachedDirectly || text == reachedByBridge {
				style = t.Ok
			}
			l.Text(style, text)
		},
	}
}

// reaches says how a session reaches a tool.
func (s *scopeScreen) reaches(session string, tool *model.Tool) string {
	if a, known := s.auditOf(session); known {
		return howReached(a, tool.Qualified)
	}
	return "not audited yet"
}

// readiest sorts sessions by how readily they reach a tool.
func (s *scopeScreen) readiest(sessions []string, tool *model.Tool) []string {
	slices.SortStableFunc(sessions, func(a, b string) int {
		return cmp.Compare(slices.Index(reached, s.reaches(a, tool)), slices.Index(reached, s.reaches(b, tool)))
	})
	return sessions
}

// nameColumn returns how wide a column of names is beside what is said of
// each: as wide as the longest, if there is room.
func (s *scopeScreen) nameColumn(w int, names []string, said func(string) string) int {
	name, word := 0, 0
	for _, n := range names {
		name = max(name, cells.Width(model.Sanitize(n)))
		word = max(word, cells.Width(said(n)))
	}
	return max(8, min(name+3, w-2-word))
}

// How a session reaches a tool, in words that fit beside its name in a narrow
// terminal.
const (
	reachedDirectly = "directly"
	reachedByBridge = "via tool_call"
	notCallable     = "granted, unreachable"
	notReached      = "not at all" // it is not granted
)

// reached is how a session reaches a tool, the readiest way first.
var reached = []string{reachedDirectly, reachedByBridge, notCallable, notReached}

// howReached says how a session reaches a tool.
func howReached(a engine.SessionAudit, tool string) string {
	switch {
	case holds(a.Direct, tool):
		return reachedDirectly
	case holds(a.Callable, tool):
		return reachedByBridge
	case holds(a.Granted, tool):
		return notCallable
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

// countOf is plural with a word for none.
func countOf(n int, noun string) string {
	if n == 0 {
		return "no " + noun
	}
	return plural(n, noun)
}
