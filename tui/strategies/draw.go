package strategies

import (
	"image"
	"strconv"
	"time"

	"caliper/engine/selection"
	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// strategies are the rows of the lists of all strategies, which share a cursor.
func strategies() ui.Rows { return ui.Unnamed(len(selection.Strategies)) }

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.Resize(w, h)
	if s.state == nil {
		return ui.Centered(t, w, h, "nothing loaded yet")
	}
	l := ui.StartLine(w, 0)
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
		note = ui.Truncate(note, room)
	}
	width := w - 2 - ui.Width(note)
	if note != "" {
		width -= 2
	}
	switch {
	case s.message() == "" && !s.editing:
		l.Cell(t.Faint, "no message: "+s.KeyOf(Message)+" types one", width)
	case s.editing:
		s.field.Draw(&l, t, width, true)
	default:
		shown := ui.NewField(longestMessage, "")
		shown.Set(s.message())
		shown.Draw(&l, t, width, false)
	}
	l.To(w - ui.Width(note))
	l.Text(t.Faint, note)
	return append([]string{l.End()}, s.DrawView(t, w, h-1, 1)...)[:h]
}

// nothing returns why there is nothing to draw, nil when there is something.
func (s *Screen) nothing() []string {
	have := [viewCount]bool{viewLabelled: s.measured.rows != nil, viewPareto: s.measured.points != nil, viewConversation: s.measured.threads != nil}[s.view()]
	switch j := &s.measuring[s.view()]; {
	case s.selecting.Err != nil:
		return []string{"no selection: " + safetext.Line(s.selecting.Err.Error())}
	case s.view() == viewConversation && s.sampleSize() == 0:
		return []string{"no turns yet", s.KeyOf(AddTurn) + " adds the message as one"}
	case s.view().measures() && s.sampleSize() == 0 && s.host.Case().Labels == "":
		return []string{"no labelled queries", workbench.NoLabels}
	case s.view().measures() && s.sampleSize() == 0:
		return []string{"no labelled queries yet", "on Explore and Queries, a labels a query with the tool that answers it"}
	case have, !s.view().measures() && s.answer.selections != nil:
		return nil
	case j.Held:
		return []string{"this takes a while with " + ui.Count(len(s.state.Snapshot.Catalog()), "tool"), "enter starts it"}
	case j.Stopped:
		return []string{s.view().verb() + " was cancelled", "enter starts it again"}
	case j.Err != nil:
		return []string{s.view().verb() + " failed: " + safetext.Line(j.Err.Error()), "enter starts it again"}
	case s.progress() != "":
		return []string{s.progress(), "esc cancels"}
	}
	return []string{"selecting"}
}

// drawTuning draws the knobs, beside the strategies where there is room.
func (s *Screen) drawTuning(t *ui.Theme, w, h int) []string {
	main := w - s.KnobsWidth - 3
	if main < tableBeside || s.answer.selections == nil {
		return s.drawKnobs(t, w, h)
	}
	list := len(s.answer.selections) + 1
	lines := s.DrawRows(t, &s.Tabs[viewComparison], false, main, min(h, list), 1)
	lines = append(lines, s.DrawUnder(t, s.selectedBelow(t, main), false, main, h-len(lines), 1+list)...)
	s.Areas = [ui.AreaCount]image.Rectangle{ui.AreaKnobs: image.Rect(main+3, 1, w, 1+h)} // the table is only shown
	return ui.Beside(t, lines, s.drawKnobs(t, s.KnobsWidth, h))
}

// tableBeside is the least width of the strategies beside the knobs.
const tableBeside = 40

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
