package tui

import (
	"image"
	"strconv"
	"time"

	"caliper/model"
	"caliper/tui/cells"
)

// draw returns exactly h lines of w cells.
func (s *strategiesScreen) draw(t *Theme, w, h int) []string {
	s.w, s.h = w, h
	s.places = [areaCount]image.Rectangle{}
	if s.state == nil {
		return message(t, w, h, "nothing loaded yet")
	}
	if s.part == partTuning && s.wide() {
		s.part = partComparison
	}
	lines := []string{s.drawMessage(t, w)}
	rest := h - 1
	if !s.wide() {
		return append(lines, s.drawPart(t, w, rest)...)[:h]
	}
	main := w - knobsColumn - 3
	a, b := s.drawPart(t, main, rest), s.drawKnobs(t, knobsColumn, rest)
	s.places[areaKnobs] = image.Rect(main+3, 1, w, h)
	return append(lines, drawBeside(t, a, b)...)[:h]
}

// drawMessage draws the message, and what it needs.
func (s *strategiesScreen) drawMessage(t *Theme, w int) string {
	var l cells.Line
	l.Start(w)
	prompt := t.Faint
	if s.editing {
		prompt = t.Accent
	}
	l.Text(prompt, t.Prompt+" ")
	wanted := ""
	if needs := s.needs(); len(needs) > 0 {
		wanted = "needs " + model.Sanitize(needs[0][0])
		if n := len(needs) - 1; n > 0 {
			wanted += " +" + thousands(n)
		}
	}
	if room := w - 30; room < 20 {
		wanted = ""
	} else {
		wanted = cells.Truncate(wanted, room)
	}
	field := w - 2 - cells.Width(wanted)
	if wanted != "" {
		field -= 2
	}
	switch {
	case s.message() == "" && !s.editing:
		l.Cell(t.Placeholder, "no message: "+s.app.keys.Strategies.Message.Help().Key+" types one", field)
	case s.editing:
		s.text.draw(&l, t, field, true)
	default:
		shown := newField(longestQuery, "")
		shown.Set(s.message())
		shown.draw(&l, t, field, false)
	}
	l.To(w - cells.Width(wanted))
	l.Text(t.Faint, wanted)
	return l.End()
}

// drawPart draws the part that is shown in exactly h lines of w cells, from
// the second line of the box on.
func (s *strategiesScreen) drawPart(t *Theme, w, h int) []string {
	if s.part == partTuning {
		s.places[areaKnobs] = image.Rect(0, 1, w, 1+h)
		return s.drawKnobs(t, w, h)
	}
	if words := s.nothing(); words != nil {
		return message(t, w, h, words...)
	}
	if s.part == partBytes {
		return s.drawBelow(t, w, h, 1)
	}
	split := h >= strategiesSplit
	if !split && s.keysIn() == areaBelow {
		return s.drawBelow(t, w, h, 1)
	}
	list := h
	if split {
		most := max(7, h*2/5)
		if s.part == partPareto { // whose plot wants the room
			most = 6
		}
		list = min(s.rowCount()+1, most)
	}
	lines := s.drawList(t, w, list)
	if split {
		lines = append(lines, s.drawBelow(t, w, h-list, 1+list)...)
	}
	return lines
}

// nothing says why there is nothing to draw, nil when there is something.
func (s *strategiesScreen) nothing() []string {
	work, measured := s.job()
	j := &s.jobs[work]
	have := s.answer.picks != nil
	if measured {
		have = [strategiesJobCount]bool{s.rows != nil, s.points != nil, s.threads != nil}[work]
	}
	switch {
	case s.selector.err != nil:
		return []string{"no selection: " + model.Sanitize(s.selector.err.Error())}
	case measured && s.material(work) == 0 && s.part == partConversation:
		return []string{"no turns yet", s.app.keys.Strategies.Add.Help().Key + " adds the message as one"}
	case measured && s.material(work) == 0:
		if s.app.opt.QueriesName == "" {
			return []string{"no labelled queries", startWithQueries}
		}
		return []string{"no labelled queries yet", "in Explore, a labels the query with the selected tool"}
	case have:
		return nil
	case measured && j.toobig:
		return []string{"this takes a while with " + plural(len(s.state.Snapshot.Catalog()), "tool"), "enter starts it"}
	case measured && j.stopped:
		return []string{work.verb() + " was cancelled", "enter starts it again"}
	case measured && j.err != nil:
		return []string{work.verb() + " failed: " + model.Sanitize(j.err.Error()), "enter starts it again"}
	case s.progress() != "":
		return []string{s.progress(), "esc cancels"}
	}
	return []string{"selecting"}
}

// rowCount returns how many rows the list of the part has.
func (s *strategiesScreen) rowCount() int {
	switch s.part {
	case partComparison:
		return len(s.answer.picks)
	case partLabelled:
		return len(s.rows)
	case partPareto:
		return len(s.frontier())
	case partConversation:
		return len(s.threads)
	}
	return 0
}

// drawList draws the list in exactly h lines under the message, the heading of
// its columns first.
func (s *strategiesScreen) drawList(t *Theme, w, h int) []string {
	return s.drawRows(t, s.columns(t, w), s.list(), s.rowCount(), h > 3, s.keysIn() == areaList, w, h, 1)
}

// columns returns the columns of the part that is shown.
func (s *strategiesScreen) columns(t *Theme, w int) []column {
	switch s.part {
	case partLabelled:
		return s.labelledColumns(t, w)
	case partPareto:
		return s.paretoColumns(t, w)
	case partConversation:
		return s.conversationColumns(t, w)
	}
	return s.comparisonColumns(t, w)
}

// drawBelow draws what belongs to the selected row, in exactly h lines under a
// rule, which stands on line y of the box.
func (s *strategiesScreen) drawBelow(t *Theme, w, h, y int) []string {
	return s.drawUnder(t, &s.app.budget, s.belowOf(t, w, h-1), s.keysIn() == areaBelow, w, h, y)
}

// belowOf returns what belongs to the selected row.
func (s *strategiesScreen) belowOf(t *Theme, w, room int) belowLines {
	switch s.part {
	case partBytes:
		return s.bytesBelow(t, w)
	case partLabelled:
		return s.labelledBelow(t, w)
	case partPareto:
		return linesOf(s.paretoHeading(), "", s.drawPlot(t, w, room))
	case partConversation:
		return s.conversationBelow(t, w)
	}
	return s.selectedBelow(t, w)
}

// tookWords is a time that is too short for seconds: milliseconds, with as
// many digits as say something.
func tookWords(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	digits := 2
	if ms >= 100 {
		digits = 0
	} else if ms >= 10 {
		digits = 1
	}
	return strconv.FormatFloat(ms, 'f', digits, 64) + " ms"
}

// whole is a mean as a whole number.
func whole(mean float64) string { return thousands(int(mean + 0.5)) }
