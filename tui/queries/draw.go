package queries

import (
	"caliper/model/safetext"
	"caliper/tui/atomicfile"
	"caliper/tui/cells"
	"caliper/tui/ui"
)

// splitHeight is the height from which on the list and what stands below it are
// shown together.
const splitHeight = 12

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.w, s.h = w, h
	s.listTop, s.listLines = h, 0
	if s.state == nil {
		return ui.Centered(t, w, h, "nothing loaded yet")
	}
	if text := s.nothing(); text != nil {
		return ui.Centered(t, w, h, text...)
	}
	if s.view == viewMap && s.heatWidth() > 0 {
		return s.drawHeatBeside(t, s.drawParts(t, s.listWidth(), h))
	}
	return s.drawParts(t, w, h)
}

// drawParts draws the list and the part below it.
func (s *Screen) drawParts(t *ui.Theme, w, h int) []string {
	both := h >= splitHeight
	if s.below && !both {
		return s.drawBelow(t, w, h)
	}
	lines := s.drawSummary(t, w, both)
	s.summary = len(lines)
	room := h - len(lines)
	if !both {
		return append(lines, s.drawList(t, w, room)...)[:h]
	}
	shares := ui.Share(room, 1, ui.Ask{Least: 4, Rows: len(s.lists[s.view].rows) + 1}, ui.Ask{Least: 6, Rows: len(s.detail(t, w)) + 1})
	lines = append(lines, s.drawList(t, w, shares[0])...)
	return append(lines, s.drawBelow(t, w, shares[1])...)[:h]
}

// nothing returns why there is nothing to draw, nil when there is something.
func (s *Screen) nothing() []string {
	l, f, st := &s.lists[s.view], &s.found, s.work(s.view).Status()
	have := [viewCount]bool{f.evaluated != nil && len(f.evaluated.now().Answers) > 0, f.surveyed, f.linted || f.partial, f.tuned != nil, f.confused != nil}[s.view]
	switch {
	case s.needsLabels():
		return s.noQueries()
	case !have && st.Held:
		return []string{"this takes a while with " + ui.Count(len(s.state.Snapshot.Catalog()), "tool"), "enter starts it"}
	case !have && st.Stopped:
		return []string{s.view.verb() + " was cancelled", "enter starts it again"}
	case !have && st.Err != nil:
		return []string{s.view.verb() + " failed: " + safetext.Line(st.Err.Error()), "enter starts it again"}
	case !have && st.Total > 0:
		return []string{s.progress(), "esc cancels"}
	case !have:
		return []string{s.progress()}
	case len(l.rows) == 0 && l.filter != "":
		return []string{"no row contains " + safetext.Line(l.filter), "esc clears the filter"}
	case len(l.rows) == 0 && s.view == viewDark:
		return []string{"no unfindable tools:", "name and first sentence find every tool of " + ui.Thousands(len(f.reach))}
	case len(l.rows) == 0 && s.view == viewMap:
		return []string{"no twins and no shadows:", "no tool is above another one in half of the queries of that"}
	case len(l.rows) == 0:
		return []string{"lint finds nothing"}
	}
	return nil
}

// noQueries tells why there are no labelled queries, and how to get some.
func (s *Screen) noQueries() []string {
	switch {
	case s.host.Case().Labels == "":
		return []string{"no labelled queries", atomicfile.NoLabels, "the other views need none: unfindable tools, findings, map"}
	case len(s.faults) > 0:
		return []string{"no line of the file is a labelled query", s.faults[0].Brief(), "! shows all warnings"}
	}
	return []string{"no labelled queries yet", "a labels a query with the tool that answers it"}
}

// drawSummary draws the figures of all rows together.
func (s *Screen) drawSummary(t *ui.Theme, w int, room bool) []string {
	switch s.view {
	case viewQueries:
		return s.drawMetrics(t, w, room)
	case viewDark:
		return []string{s.drawReach(t, w)}
	case viewTuning:
		return s.drawTuning(t, w)
	case viewMap:
		return []string{s.drawMapSummary(t, w)}
	}
	return []string{s.drawSeverities(t, w)}
}

// drawList draws the list in h lines, the heading of its columns first.
func (s *Screen) drawList(t *ui.Theme, w, h int) []string {
	list := &s.lists[s.view]
	if h <= 0 {
		return nil
	}
	var lines []string
	if (h > 3 || h > len(list.rows)) && s.view != viewFindings { // whose groups have headers
		lines = append(lines, s.drawHeads(t, w))
	}
	room := h - len(lines)
	list.window.Follow(list.cursor(), room, len(list.rows))
	s.listTop, s.listLines = s.summary+len(lines), room
	cursor := list.cursor()
	var l cells.Line
	for row := list.window.Top; len(lines) < h; row++ {
		l.Start(w)
		if row < len(list.rows) {
			ui.DrawGutter(&l, t, row == cursor, !s.below)
			switch r := list.rows[row]; {
			case s.view == viewQueries:
				s.drawQuery(&l, t, r.i)
			case s.view == viewDark:
				s.drawDark(&l, t, r.i)
			case s.view == viewTuning:
				s.drawPoint(&l, t, r.i)
			case s.view == viewMap:
				s.drawPair(&l, t, r.i)
			case r.header:
				s.drawGroup(&l, t, s.groups[r.group])
			default:
				s.drawFinding(&l, t, r.i)
			}
		}
		lines = append(lines, l.End())
	}
	return lines
}

// hidden returns how many rows of the list are above and below those that are seen.
func (s *Screen) hidden() (above, below int) {
	if list := &s.lists[s.view]; s.state != nil && s.nothing() == nil && s.listLines > 0 {
		return list.window.Hidden()
	}
	return 0, 0
}

// drawHeads draws the headings of the columns.
func (s *Screen) drawHeads(t *ui.Theme, w int) string {
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	switch s.view {
	case viewQueries:
		s.drawQueryHeads(&l, t)
	case viewDark:
		names, shadow := darkColumns(w)
		l.Cell(t.Faint, "tool", names)
		for _, head := range darkHeads(w) {
			l.CellRight(t.Faint, head, darkCell(w))
		}
		if shadow {
			l.Gap(3)
			l.Text(t.Faint, "before it")
		}
	case viewTuning:
		s.drawPointHeads(&l, t)
	case viewMap:
		s.drawPairHeads(&l, t)
	}
	return l.End()
}
