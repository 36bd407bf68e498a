package tui

import (
	"strings"

	"caliper/tui/cells"
)

// activityLine is one line of the screen: of the title of an event or of one
// of its details, which take more than one where they are long.
type activityLine struct {
	event  event
	number int // in its event, from 0
	level  level
	faint  bool // as far as the level lets it be
	indent int
	text   string
}

// indents are the cells before what an event says. Narrow screens have little
// room for them, nor for seconds.
type indents struct{ clock, title, titleRest, detail int }

// The indents of wide and narrow screens.
var (
	wideIndents   = indents{clock: len("15:04:05"), title: 12, titleRest: 12, detail: 14}
	narrowIndents = indents{clock: len("15:04"), title: 9, titleRest: 3, detail: 3}
)

// indentsIn returns the indents for w cells.
func indentsIn(w int) indents {
	if w < 60 {
		return narrowIndents
	}
	return wideIndents
}

// hang is how far a detail is indented where it continues.
const hang = 2

// lines returns all lines of the events that are shown, for w cells.
func (s *activityScreen) lines(w int) []activityLine {
	in := indentsIn(w)
	var out []activityLine
	for _, e := range s.rows() {
		if !s.open[e.number] {
			out = append(out, activityLine{event: e, level: e.level, indent: in.title, text: e.title})
			continue
		}
		first := len(out)
		for i, text := range wrapped(e.title, w-in.title, w-in.titleRest) {
			line := activityLine{event: e, number: len(out) - first, level: e.level, indent: in.title, text: text}
			if i > 0 {
				line.indent = in.titleRest
			}
			out = append(out, line)
		}
		for _, d := range e.details {
			text := strings.TrimLeft(d.text, " ")
			at := in.detail + len(d.text) - len(text)
			for i, row := range wrapped(text, w-at, w-at-hang) {
				line := activityLine{e, len(out) - first, d.level, true, at, row}
				if i > 0 {
					line.indent += hang
				}
				out = append(out, line)
			}
		}
	}
	return out
}

// wrapped returns a text in at least one line: the first of at most w cells,
// the others of at most rest.
func wrapped(text string, w, rest int) []string {
	if cells.Width(text) <= w {
		return []string{text}
	}
	text = cells.Clean(text)
	rows := cells.Wrap(text, w)
	if len(rows) == 0 {
		return []string{text}
	}
	return append(rows[:1], cells.Wrap(strings.TrimLeft(strings.TrimPrefix(text, rows[0]), " "), rest)...)
}

// draw returns exactly h lines of w cells.
func (s *activityScreen) draw(t *Theme, w, h int) []string {
	s.w = w
	lines := s.lines(w)
	if len(lines) == 0 {
		return message(t, w, h, "nothing has happened yet that holds this text", "save one of the files, or run a call with enter in the dry run")
	}
	at := s.at(lines)
	s.list.follow(at, h, len(lines))
	out := make([]string, 0, h)
	var l cells.Line
	for i := s.list.top; len(out) < h; i++ {
		l.Start(w)
		if i < len(lines) {
			s.drawLine(&l, t, lines[i], i == at)
		}
		out = append(out, l.End())
	}
	return out
}

// drawLine draws one line of an event.
func (s *activityScreen) drawLine(l *cells.Line, t *Theme, line activityLine, selected bool) {
	drawGutter(l, t, selected, true)
	e := line.event
	if line.number == 0 {
		marker := " "
		if len(e.details) > 0 {
			marker = t.Collapsed
			if s.open[e.number] {
				marker = t.Expanded
			}
		}
		l.Text(t.Faint, e.clock[:indentsIn(s.w).clock]+" "+marker)
	}
	l.To(line.indent)
	style := t.Text
	switch line.level {
	case levelOk:
		style = t.Ok
	case levelWarn:
		style = t.Warn
	case levelBad:
		style = t.Bad
	case levelInfo:
		if line.faint {
			style = t.Faint
		}
	}
	l.Text(style, line.text)
}
