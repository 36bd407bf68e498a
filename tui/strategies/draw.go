package strategies

import (
	"image"
	"strconv"
	"time"

	"caliper/model/safetext"
	"caliper/tui/atomicfile"
	"caliper/tui/cells"
	"caliper/tui/ui"
)

// splitHeight is the height from which on a list and what belongs to its selected
// row are shown together.
const splitHeight = 11

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.W, s.H = w, h
	s.Areas = [ui.AreaCount]image.Rectangle{}
	if s.state == nil {
		return ui.Centered(t, w, h, "nothing loaded yet")
	}
	if s.view == viewTuning && s.Wide() {
		s.view = s.tunedFrom
	}
	lines := []string{s.drawMessage(t, w)}
	rest := h - 1
	if !s.Wide() {
		return append(lines, s.drawView(t, w, rest)...)[:h]
	}
	main := w - knobsWidth - 3
	a, b := s.drawView(t, main, rest), s.drawKnobs(t, knobsWidth, rest)
	s.Areas[ui.AreaKnobs] = image.Rect(main+3, 1, w, h)
	return append(lines, ui.Beside(t, a, b)...)[:h]
}

// drawMessage draws the message, and what it needs.
func (s *Screen) drawMessage(t *ui.Theme, w int) string {
	var l cells.Line
	l.Start(w)
	prompt := t.Faint
	if s.editing {
		prompt = t.Accent
	}
	l.Text(prompt, t.Prompt+" ")
	note := ""
	if needs := s.needs(); len(needs) > 0 {
		note = "expected " + safetext.Line(needs[0][0])
		if n := len(needs) - 1; n > 0 {
			note += " +" + ui.Thousands(n)
		}
	}
	if room := w - 30; room < 20 {
		note = ""
	} else {
		note = cells.Truncate(note, room)
	}
	width := w - 2 - cells.Width(note)
	if note != "" {
		width -= 2
	}
	switch {
	case s.message() == "" && !s.editing:
		l.Cell(t.Placeholder, "no message: "+s.key(Message)+" types one", width)
	case s.editing:
		s.field.Draw(&l, t, width, true)
	default:
		shown := ui.NewField(longestMessage, "")
		shown.Set(s.message())
		shown.Draw(&l, t, width, false)
	}
	l.To(w - cells.Width(note))
	l.Text(t.Faint, note)
	return l.End()
}

// drawView draws the view in exactly h lines of w cells, from the second line of
// the box on.
func (s *Screen) drawView(t *ui.Theme, w, h int) []string {
	if s.view == viewTuning {
		return s.drawTuning(t, w, h)
	}
	if text := s.nothing(); text != nil {
		return ui.Centered(t, w, h, text...)
	}
	if s.view == viewBytes {
		return s.drawBelow(t, w, h, 1)
	}
	both := h >= splitHeight
	if !both && s.Focused() == ui.AreaBelow {
		return s.drawBelow(t, w, h, 1)
	}
	list := h
	if both {
		most := max(7, h*2/5)
		if s.view == viewPareto { // whose plot wants the room
			most = 6
		}
		list = min(s.rowCount()+1, most)
	}
	lines := s.drawList(t, w, list)
	if both {
		lines = append(lines, s.drawBelow(t, w, h-list, 1+list)...)
	}
	return lines
}

// nothing returns why there is nothing to draw, nil when there is something.
func (s *Screen) nothing() []string {
	have := [viewCount]bool{viewLabelled: s.measured.rows != nil, viewPareto: s.measured.points != nil, viewConversation: s.measured.threads != nil}[s.view]
	switch j := &s.measuring[s.view]; {
	case s.selecting.Err != nil:
		return []string{"no selection: " + safetext.Line(s.selecting.Err.Error())}
	case s.view == viewConversation && s.sampleSize() == 0:
		return []string{"no turns yet", s.key(AddTurn) + " adds the message as one"}
	case s.view.measures() && s.sampleSize() == 0 && s.host.Case().Labels == "":
		return []string{"no labelled queries", atomicfile.NoLabels}
	case s.view.measures() && s.sampleSize() == 0:
		return []string{"no labelled queries yet", "on Explore and Queries, a labels a query with the tool that answers it"}
	case have, !s.view.measures() && s.answer.selections != nil:
		return nil
	case j.Held:
		return []string{"this takes a while with " + ui.Count(len(s.state.Snapshot.Catalog()), "tool"), "enter starts it"}
	case j.Stopped:
		return []string{s.view.verb() + " was cancelled", "enter starts it again"}
	case j.Err != nil:
		return []string{s.view.verb() + " failed: " + safetext.Line(j.Err.Error()), "enter starts it again"}
	case s.progress() != "":
		return []string{s.progress(), "esc cancels"}
	}
	return []string{"selecting"}
}

// drawTuning draws the view of the knobs: in a box of some width with the
// strategies on their left, so that every turn shows what it costs.
func (s *Screen) drawTuning(t *ui.Theme, w, h int) []string {
	main := w - knobsWidth - 3
	if main < tableBeside || s.answer.selections == nil {
		s.Areas[ui.AreaKnobs] = image.Rect(0, 1, w, 1+h)
		return s.drawKnobs(t, w, h)
	}
	list := len(s.answer.selections) + 1
	lines := s.DrawRows(t, s.comparisonColumns(t, main), &s.lists[viewComparison], len(s.answer.selections), true, false, main, min(h, list), 1)
	lines = append(lines, s.DrawUnder(t, s.selectedBelow(t, main), false, main, h-len(lines), 1+list)...)
	knobs := s.drawKnobs(t, knobsWidth, h)
	s.Areas = [ui.AreaCount]image.Rectangle{ui.AreaKnobs: image.Rect(main+3, 1, w, 1+h)} // the table is only shown
	return ui.Beside(t, lines, knobs)
}

// tableBeside is the least width of the strategies beside the knobs.
const tableBeside = 40

// rowCount returns how many rows the list of the view has.
func (s *Screen) rowCount() int {
	switch s.view {
	case viewComparison:
		return len(s.answer.selections)
	case viewLabelled:
		return len(s.measured.rows)
	case viewPareto:
		return len(s.frontier())
	case viewConversation:
		return len(s.measured.threads)
	}
	return 0
}

// drawList draws the list in exactly h lines under the message, the heading of
// its columns first.
func (s *Screen) drawList(t *ui.Theme, w, h int) []string {
	return s.DrawRows(t, s.columns(t, w), s.list(), s.rowCount(), h > 3, s.Focused() == ui.AreaList, w, h, 1)
}

// columns returns the columns of the list of the view.
func (s *Screen) columns(t *ui.Theme, w int) []ui.Column {
	switch s.view {
	case viewLabelled:
		return s.labelledColumns(t, w)
	case viewPareto:
		return s.paretoColumns(t, w)
	case viewConversation:
		return s.conversationColumns(t, w)
	}
	return s.comparisonColumns(t, w)
}

// drawBelow draws what belongs to the selected row, in exactly h lines under a
// rule, which stands on line y of the box.
func (s *Screen) drawBelow(t *ui.Theme, w, h, y int) []string {
	return s.DrawUnder(t, s.belowOf(t, w, h-1), s.Focused() == ui.AreaBelow, w, h, y)
}

// belowOf returns what belongs to the selected row.
func (s *Screen) belowOf(t *ui.Theme, w, room int) ui.Lines {
	switch s.view {
	case viewBytes:
		return s.bytesBelow(t, w)
	case viewLabelled:
		return s.labelledBelow(t, w)
	case viewPareto:
		lossless := s.losslessLines(t, w)
		if room < leastPlot+len(lossless) {
			lossless = lossless[:min(1, len(lossless), max(0, room-tightPlot))] // the verdict comes before the rest of the words
		}
		return ui.DrawnLines(s.paretoHeading(), "", append(lossless, s.drawPlot(t, w, room-len(lossless))...))
	case viewConversation:
		return s.conversationBelow(t, w)
	}
	return s.selectedBelow(t, w)
}

// millis returns a time in milliseconds, with fewer digits the longer it is.
func millis(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	digits := 2
	if ms >= 100 {
		digits = 0
	} else if ms >= 10 {
		digits = 1
	}
	return strconv.FormatFloat(ms, 'f', digits, 64) + " ms"
}

// whole returns a mean as a whole number.
func whole(mean float64) string { return ui.Thousands(int(mean + 0.5)) }
