package tui

import (
	"errors"
	"image"
	"path/filepath"

	"caliper/model"
	"caliper/tui/cells"
)

// baseName is the last part of a path.
func baseName(path string) string { return filepath.Base(path) }

// draw returns exactly h lines of w cells.
func (s *resultsScreen) draw(t *Theme, w, h int) []string {
	s.w, s.h = w, h
	s.places = [areaCount]image.Rectangle{}
	if s.state == nil {
		return message(t, w, h, "nothing loaded yet")
	}
	if s.typing == typingPaste {
		return s.drawPaste(t, w, h)
	}
	if s.part == partLimits && s.wide() {
		s.part = partSeen
	}
	var lines []string
	if s.judged.gen > 0 && s.judged.err == nil && s.source() != nil {
		lines = s.drawSummary(t, w, h >= resultsSplit)
	}
	if r := s.source(); r != nil && r.stale != nil && s.part != partRules && s.part != partStore {
		if stale := s.drawStale(t, w, r); h >= resultsSplit {
			lines = append([]string{stale}, lines...)
		} else { // the summary is on screen again when the file is
			lines = []string{stale}
		}
	}
	top := len(lines)
	rest := h - top
	if !s.wide() {
		return append(lines, s.drawPart(t, w, rest, top)...)[:h]
	}
	main := w - knobsColumn - 3
	a, b := s.drawPart(t, main, rest, top), s.drawKnobs(t, knobsColumn, rest)
	s.places[areaKnobs] = image.Rect(main+3, top, w, h)
	return append(lines, drawBeside(t, a, b)...)[:h]
}

// drawStale draws that a file is no more what is shown, and what is wrong.
func (s *resultsScreen) drawStale(t *Theme, w int, r *resultSource) string {
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	l.Text(t.Stale, " STALE ")
	why := r.stale
	for inner := errors.Unwrap(why); inner != nil; inner = errors.Unwrap(why) {
		why = inner // which does not repeat the path
	}
	l.Text(t.Bad, " "+model.Sanitize(baseName(r.name))+": "+model.Sanitize(why.Error()))
	if w >= 60 {
		l.Text(t.Faint, "  this is what it held")
	}
	return l.End()
}

// drawPart draws the part that is shown in exactly h lines of w cells, from
// line y of the box on.
func (s *resultsScreen) drawPart(t *Theme, w, h, y int) []string {
	if h <= 0 {
		return nil
	}
	if s.part == partLimits {
		s.places[areaKnobs] = image.Rect(0, y, w, y+h)
		return s.drawKnobs(t, w, h)
	}
	if words := s.nothing(); words != nil {
		return message(t, w, h, words...)
	}
	if s.part == partSeen {
		return s.drawBelow(t, w, h, y)
	}
	var lines []string
	if s.part == partSlices {
		lines = append(lines, s.drawRequest(t, w))
		if h > 2 && (s.refused == "" || h > len(formsOfRequests)+2) {
			lines = append(lines, s.drawTotal(t, w))
		}
	}
	if s.part == partSlices && s.refused != "" {
		return filled(append(lines, s.drawForms(t, w, h-len(lines))...), w, h)
	}
	split := s.h >= resultsSplit
	room := h - len(lines)
	if s.part == partSlices && (!split || len(s.requests) > 0) && s.keysIn() == areaBelow && !split {
		return append(lines[:1], s.drawBelow(t, w, h-1, y+1)...)[:h]
	}
	if !split && s.keysIn() == areaBelow {
		return s.drawBelow(t, w, h, y)
	}
	list := room
	if split {
		list = min(s.rowCount()+1, max(4, room*2/5))
		if s.part == partRules {
			list = max(4, room*3/5)
		}
		list = min(list, room)
	}
	at := y + len(lines)
	lines = append(lines, s.drawList(t, w, list, at)...)
	if split {
		lines = append(lines, s.drawBelow(t, w, room-list, at+list)...)
	}
	return lines[:h]
}

// nothing says why there is nothing to draw, nil when there is something.
func (s *resultsScreen) nothing() []string {
	switch s.part {
	case partRules:
		switch {
		case s.rules.of == nil:
			return []string{"asking the rules"}
		case len(s.rules.rows) == 0:
			return []string{"the registry holds no tools"}
		case len(s.ruleRows()) == 0:
			return []string{"no row holds " + model.Sanitize(s.needle), "esc clears the filter"}
		}
		return nil
	case partStore:
		return s.noStore()
	}
	r, paste := s.source(), s.app.keys.Results.Paste.Help().Key
	switch {
	case r == nil:
		return []string{"no result of a tool to look at", "start with --result FILE, or press " + paste + " and paste one"}
	case s.judging.stopped && s.late():
		return []string{"reading was cancelled", "enter starts it again"}
	case s.judged.gen == 0:
		return []string{"reading", "esc cancels"}
	case s.judged.err != nil:
		return []string{model.Sanitize(baseName(s.judged.name)) + " cannot be read:", model.Sanitize(s.judged.err.Error())}
	case s.part == partSlices && !s.judged.Rescue:
		return []string{"the result is not rescued: the model has all of it,", "and there is nothing to fetch"}
	}
	return nil
}

// rowCount returns how many rows the list of the part has.
func (s *resultsScreen) rowCount() int {
	switch s.part {
	case partSlices:
		return len(s.shownRequests())
	case partRules:
		return len(s.ruleRows())
	case partStore:
		return len(s.shownReferences())
	}
	return 0
}

// columns returns the columns of the part that is shown.
func (s *resultsScreen) columns(t *Theme, w int) []column {
	switch s.part {
	case partRules:
		return s.ruleColumns(t, w)
	case partStore:
		return s.storeColumns(t, w)
	}
	return s.sliceColumns(t, w)
}

// drawList draws the list in exactly h lines from line y of the box on, the
// heading of its columns first.
func (s *resultsScreen) drawList(t *Theme, w, h, y int) []string {
	count := s.rowCount()
	heading := count > 0 && (h > 3 || h > 1 && s.h >= resultsSplit)
	return s.drawRows(t, s.columns(t, w), s.list(), count, heading, s.keysIn() == areaList, w, h, y)
}

// belowOf returns what belongs to the selected row.
func (s *resultsScreen) belowOf(t *Theme, w int) belowLines {
	switch s.part {
	case partSlices:
		return s.slicesBelow(t, w)
	case partRules:
		return s.rulesBelow(t, w)
	case partStore:
		return s.storeBelow(t, w)
	}
	return s.seenBelow(t, w)
}

// drawBelow draws what belongs to the selected row, in exactly h lines under a
// rule, which stands on line y of the box.
func (s *resultsScreen) drawBelow(t *Theme, w, h, y int) []string {
	return s.drawUnder(t, &s.app.budget, s.belowOf(t, w), s.keysIn() == areaBelow, w, h, y)
}
