package tui

import (
	"caliper/model"
	"caliper/tui/cells"
)

// queriesSplit is from how many lines on the list and what stands below it are
// shown together; in fewer, one at a time.
const queriesSplit = 12

// draw returns exactly h lines of w cells.
func (s *queriesScreen) draw(t *Theme, w, h int) []string {
	s.w, s.h = w, h
	s.listTop, s.listLines = h, 0
	if s.state == nil {
		return message(t, w, h, "nothing loaded yet")
	}
	if words := s.nothing(); words != nil {
		return message(t, w, h, words...)
	}
	split := h >= queriesSplit
	if s.below && !split {
		return s.drawBelow(t, w, h)
	}
	lines := s.drawSummary(t, w, split)
	below := 0
	if split {
		below = min(max(h/3, 6), 12)
	}
	lines = append(lines, s.drawList(t, w, h-len(lines)-below)...)
	if below > 0 {
		lines = append(lines, s.drawBelow(t, w, below)...)
	}
	return lines[:h]
}

// nothing says why there is nothing to draw, nil when there is something.
func (s *queriesScreen) nothing() []string {
	l, f, job := s.list(), &s.found, &s.jobs[s.part]
	have := [queriesPartCount]bool{f.evaluated != nil && len(f.evaluated.now().Answers) > 0, f.surveyed, f.linted}[s.part]
	switch {
	case s.part == partQueries && len(s.state.Queries) == 0:
		return s.noQueries()
	case !have && job.toobig:
		return []string{"this takes a while with " + plural(len(s.state.Snapshot.Catalog()), "tool"), "enter starts it"}
	case !have && job.stopped:
		return []string{s.part.verb() + " was cancelled", "enter starts it again"}
	case !have && job.err != nil:
		return []string{s.part.verb() + " failed: " + model.Sanitize(job.err.Error()), "enter starts it again"}
	case !have && job.cancel != nil && job.steps[1] > 0:
		return []string{s.progress(), "esc cancels"}
	case !have:
		return []string{s.progress()}
	case len(l.rows) == 0 && l.needle != "":
		return []string{"no row holds " + model.Sanitize(l.needle), "esc clears the filter"}
	case len(l.rows) == 0 && s.part == partDark:
		return []string{"no dark tools:", "name and first sentence find every tool of " + thousands(len(f.reach))}
	case len(l.rows) == 0:
		return []string{"lint finds nothing"}
	}
	return nil
}

// noQueries says why there are no labelled queries, and how to get some.
func (s *queriesScreen) noQueries() []string {
	switch {
	case s.app.opt.QueriesName == "":
		return []string{"no labelled queries", startWithQueries, "v shows dark tools and findings"}
	case len(s.faults) > 0:
		return []string{"no line of the file is a labelled query", brief(s.faults[0]), "! tells all"}
	}
	return []string{"no labelled queries yet", "in Explore, a labels the query with the selected tool"}
}

// drawSummary draws what all rows come to.
func (s *queriesScreen) drawSummary(t *Theme, w int, room bool) []string {
	switch s.part {
	case partQueries:
		return s.drawMetrics(t, w, room)
	case partDark:
		return []string{s.drawReach(t, w)}
	}
	return []string{s.drawSeverities(t, w)}
}

// drawList draws the list in h lines, the heading of its columns first.
func (s *queriesScreen) drawList(t *Theme, w, h int) []string {
	list := s.list()
	if h <= 0 {
		return nil
	}
	var lines []string
	if h > 3 {
		lines = append(lines, s.drawHeads(t, w))
	}
	room := h - len(lines)
	list.window.follow(list.cursor(), room, len(list.rows))
	s.listTop, s.listLines = s.summaryLines()+len(lines), room
	cursor := list.cursor()
	var l cells.Line
	for row := list.window.top; len(lines) < h; row++ {
		l.Start(w)
		if row < len(list.rows) {
			drawGutter(&l, t, row == cursor, !s.below)
			switch i := list.rows[row].i; s.part {
			case partQueries:
				s.drawQuery(&l, t, i)
			case partDark:
				s.drawDark(&l, t, i)
			case partFindings:
				s.drawFinding(&l, t, i)
			}
		}
		lines = append(lines, l.End())
	}
	return lines
}

// summaryLines is how many lines stand above the list.
func (s *queriesScreen) summaryLines() int {
	switch {
	case s.part != partQueries, s.h < queriesSplit:
		return 1
	}
	return len(s.found.evaluated.columns) + 2
}

// drawHeads draws the headings of the columns.
func (s *queriesScreen) drawHeads(t *Theme, w int) string {
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	switch s.part {
	case partQueries:
		s.drawQueryHeads(&l, t)
	case partDark:
		names, shadow := darkColumns(w)
		l.Cell(t.Faint, "tool", names)
		for _, head := range darkHeads(w) {
			l.CellRight(t.Faint, head, darkCell(w))
		}
		if shadow {
			l.Gap(3)
			l.Text(t.Faint, "before it")
		}
	case partFindings:
		severity, code, tool := findingColumns(w)
		l.Cell(t.Faint, "severity", severity)
		if code == 0 {
			l.Text(t.Faint, "code and tool")
			break
		}
		l.Cell(t.Faint, "code", code)
		l.Cell(t.Faint, "tool", tool)
		l.Text(t.Faint, "why")
	}
	return l.End()
}
