package results

import (
	"image"
	"path/filepath"
	"strings"

	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/ui"
)

// view is one of the views that take turns on the screen.
type view int

const (
	viewSeen   view = iota // what the model sees
	viewKnobs              // the knobs, where they do not stand beside
	viewSlices             // the requests and their answers
	viewRules              // the rule for every tool
	viewStore              // what the store holds
	viewCount
)

// views is the content of the views: a list, the part of its selected row, and why
// there is nothing to show, nil when there is something.
var views = [viewCount]struct {
	name    string
	rows    func(*Screen) int // of the list; nil where there is none
	columns func(*Screen, *ui.Theme, int) []ui.Column
	below   func(*Screen, *ui.Theme, int) ui.Lines
	nothing func(*Screen) []string
}{
	viewSeen:  {name: "what the model sees", below: (*Screen).seenBelow, nothing: (*Screen).noVerdict},
	viewKnobs: {name: "knobs"},
	viewSlices: {"slices", func(s *Screen) int { return len(s.shownRequests()) },
		(*Screen).sliceColumns, (*Screen).slicesBelow, (*Screen).noSlices},
	viewRules: {"rules", func(s *Screen) int { return len(s.ruleRows()) },
		(*Screen).ruleColumns, (*Screen).rulesBelow, (*Screen).noRules},
	viewStore: {"store", func(s *Screen) int { return len(s.references()) },
		(*Screen).storeColumns, (*Screen).storeBelow, (*Screen).noStore},
}

// splitHeight is the height from which on the summary has three lines, and a
// list and what belongs to its selected row are shown together.
const splitHeight = 12

// passes reports whether a text holds a filter.
func passes(filter, text string) bool {
	return filter == "" || strings.Contains(strings.ToLower(text), filter)
}

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.W, s.H = w, h
	s.Areas = [ui.AreaCount]image.Rectangle{}
	if s.state == nil {
		return ui.Centered(t, w, h, "nothing loaded yet")
	}
	if s.typing == typingPaste {
		return s.drawPaste(t, w, h)
	}
	if s.view == viewKnobs && s.Wide() {
		s.view = viewSeen
	}
	var lines []string
	if s.verdict.number > 0 && s.verdict.err == nil && s.source() != nil {
		lines = s.drawSummary(t, w, h >= splitHeight)
	}
	if r := s.source(); r != nil && r.stale != nil && s.view != viewRules && s.view != viewStore {
		if stale := r.drawStale(t, w); h >= splitHeight {
			lines = append([]string{stale}, lines...)
		} else { // the summary is on screen again when the file is
			lines = []string{stale}
		}
	}
	top := len(lines)
	rest := h - top
	if !s.Wide() {
		return append(lines, s.drawView(t, w, rest, top)...)[:h]
	}
	main := s.mainWidth()
	s.Areas[ui.AreaKnobs] = image.Rect(main+3, top, w, h)
	return append(lines, ui.Beside(t, s.drawView(t, main, rest, top), s.drawKnobs(t, knobsWidth, rest))...)[:h]
}

// mainWidth returns how wide what stands beside the knobs is.
func (s *Screen) mainWidth() int {
	if s.Wide() {
		return s.W - knobsWidth - 3
	}
	return s.W
}

// drawStale draws that the file has changed since it was shown, and why.
func (r *source) drawStale(t *ui.Theme, w int) string {
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	l.Text(t.Stale, " STALE ")
	l.Text(t.Bad, " "+safetext.Line(filepath.Base(r.name))+": "+safetext.Line(cause(r.stale).Error()))
	if w >= 60 {
		l.Text(t.Faint, "  this is what it held")
	}
	return l.End()
}

// drawKnobs draws the knobs in exactly h lines, and what they are limits of.
func (s *Screen) drawKnobs(t *ui.Theme, w, h int) []string {
	about := [][]ui.Phrase{{{Style: t.Faint, Text: "size limit, excerpt and the fetches are characters; items are those of JSON"}}}
	return s.host.Knobs.DrawPanel(t, &s.Sheet, resultKnobs, about, s.Focused() == ui.AreaKnobs, w, h)
}

// drawView draws the view in exactly h lines of w cells, from line y of the
// frame on.
func (s *Screen) drawView(t *ui.Theme, w, h, y int) []string {
	if h <= 0 {
		return nil
	}
	if s.view == viewKnobs {
		s.Areas[ui.AreaKnobs] = image.Rect(0, y, w, y+h)
		return s.drawKnobs(t, w, h)
	}
	if text := views[s.view].nothing(s); text != nil {
		return ui.Centered(t, w, h, text...)
	}
	if s.view == viewSeen {
		return s.drawBelow(t, w, h, y)
	}
	split, below := s.H >= splitHeight, s.Focused() == ui.AreaBelow
	var lines []string
	if s.view == viewSlices {
		lines = append(lines, s.drawField(t, w))
		first := s.typing == typingRequest && len(s.requests) == 0 && h > len(forms)+2
		if h > 2 && (s.refused == "" || h > len(forms)+2) {
			lines = append(lines, s.drawTotal(t, w))
		}
		if s.refused != "" || first {
			return ui.FitLines(append(lines, s.drawForms(t, w, h-len(lines))...), w, h)
		}
		if below && !split {
			lines = lines[:1]
		}
	}
	at, room := y+len(lines), h-len(lines)
	if below && !split {
		return append(lines, s.drawBelow(t, w, room, at)...)[:h]
	}
	if !split {
		return append(lines, s.drawList(t, w, room, at)...)[:h]
	}
	under := views[s.view].below(s, t, w)
	shares := ui.Share(room, 1, ui.Ask{Least: 4, Rows: s.rowCount() + 1}, ui.Ask{Least: 4, Rows: under.Count + 1})
	lines = append(lines, s.drawList(t, w, shares[0], at)...)
	return append(lines, s.DrawUnder(t, under, below, w, shares[1], at+shares[0])...)[:h]
}

// noVerdict returns why there is no verdict to show, nil when there is one.
func (s *Screen) noVerdict() []string {
	switch {
	case s.source() == nil:
		return []string{"no result of a tool to look at", s.key(OpenFile) + " opens a file by its path, " + s.key(Paste) + " takes a pasted one"}
	case s.reading.Stopped && s.late():
		return []string{"reading was cancelled", "enter starts it again"}
	case s.verdict.number == 0:
		return []string{"reading", "esc cancels"}
	case s.verdict.err != nil:
		return []string{safetext.Line(filepath.Base(s.verdict.name)) + " cannot be read:", safetext.Line(s.verdict.err.Error())}
	}
	return nil
}

// noRow returns that the filter hides every row.
func (s *Screen) noRow() []string {
	return []string{"no row contains " + safetext.Line(s.filter), "esc clears the filter"}
}

// rowCount returns how many rows the list of the view has.
func (s *Screen) rowCount() int {
	if rows := views[s.view].rows; rows != nil {
		return rows(s)
	}
	return 0
}

// drawList draws the list in exactly h lines from line y of the frame on, the
// heading of its columns first.
func (s *Screen) drawList(t *ui.Theme, w, h, y int) []string {
	count := s.rowCount()
	heading := count > 0 && (h > 3 || h > 1 && s.H >= splitHeight)
	return s.DrawRows(t, views[s.view].columns(s, t, w), s.list(), count, heading, s.Focused() == ui.AreaList, w, h, y)
}

// drawBelow draws what belongs to the selected row, in exactly h lines under a
// rule, which stands on line y of the frame.
func (s *Screen) drawBelow(t *ui.Theme, w, h, y int) []string {
	return s.DrawUnder(t, views[s.view].below(s, t, w), s.Focused() == ui.AreaBelow, w, h, y)
}
