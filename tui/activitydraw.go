package tui

import (
	"fmt"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/workbench"
)

// activityLine is one line of the screen: an event, or one of its details.
type activityLine struct {
	event  event
	detail string
}

// lines returns all lines of the events that are shown.
func (s *activityScreen) lines() []activityLine {
	var out []activityLine
	for _, e := range s.rows() {
		out = append(out, activityLine{event: e})
		if s.open[e.number] {
			for _, d := range e.details {
				out = append(out, activityLine{e, d})
			}
		}
	}
	return out
}

// draw returns exactly h lines of w cells.
func (s *activityScreen) draw(t *Theme, w, h int) []string {
	lines := s.lines()
	if len(lines) == 0 {
		return message(t, w, h, "nothing has happened yet that holds this text", "save one of the files, or run a call with enter in the dry run")
	}
	at := 0
	for i, line := range lines {
		if line.detail == "" && line.event.number == s.cursor {
			at = i
		}
	}
	s.list.follow(at, h, len(lines))
	out := make([]string, 0, h)
	var l cells.Line
	for i := s.list.top; len(out) < h; i++ {
		l.Start(w)
		switch {
		case i >= len(lines):
		case lines[i].detail != "":
			l.Gap(14)
			l.Text(t.Faint, lines[i].detail)
		default:
			s.drawEvent(&l, t, lines[i].event)
		}
		out = append(out, l.End())
	}
	return out
}

// drawEvent draws the line of an event.
func (s *activityScreen) drawEvent(l *cells.Line, t *Theme, e event) {
	drawGutter(l, t, e.number == s.cursor, true)
	marker := " "
	if len(e.details) > 0 {
		marker = t.Collapsed
		if s.open[e.number] {
			marker = t.Expanded
		}
	}
	l.Text(t.Faint, e.clock+" "+marker+" ")
	style := t.Text
	switch e.level {
	case levelOk:
		style = t.Ok
	case levelWarn:
		style = t.Warn
	case levelBad:
		style = t.Bad
	}
	l.Text(style, e.title)
}

// recordLoad records what a load changed: the tools, their parts, the tokens,
// activation, and whether the model is sent other bytes, so that its prompt
// cache is lost.
func (s *activityScreen) recordLoad(before, after *workbench.State) {
	for _, d := range after.Errors {
		s.record(levelBad, "error "+d.Error())
	}
	if before == nil {
		s.record(levelInfo, fmt.Sprintf("loaded %s in %s", plural(len(after.Snapshot.Registry.Tools), "tool"),
			plural(len(after.Snapshot.Registry.Toolsets), "toolset")), warningLines(after)...)
		return
	}
	d := engine.Compare(s.app.ctx, before.Snapshot, after.Snapshot, nil)
	if len(after.Errors) > 0 {
		return
	}
	_ = d
}

// warningLines returns the warnings of a state, a line each.
func warningLines(st *workbench.State) []string {
	var out []string
	for _, w := range st.Warnings {
		out = append(out, "warning "+model.Sanitize(w.Error()))
	}
	return out
}
