package tui

import (
	"fmt"
	"slices"
	"strings"

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
	if before == nil {
		for _, d := range after.Errors {
			s.record(levelBad, "error "+d.Error())
		}
		s.record(levelInfo, fmt.Sprintf("loaded %s in %s", plural(len(after.Snapshot.Registry.Tools), "tool"),
			plural(len(after.Snapshot.Registry.Toolsets), "toolset")), warningLines(after)...)
		return
	}
	for _, d := range after.Errors {
		if !slices.Contains(before.Errors, d) {
			s.record(levelBad, "error "+d.Error())
		}
	}
	if s.diff != nil {
		s.recordDiff(*s.diff, warningLines(after))
	}
}

// recordDiff records a reload with what it changed.
func (s *activityScreen) recordDiff(d engine.Diff, warnings []string) {
	title := fmt.Sprintf("reload  +%d −%d ~%d tools  %s tokens", d.AddedCount(), d.RemovedCount(), d.ChangedCount(), signed(d.New.EagerTokens-d.Old.EagerTokens))
	level := levelOk
	if d.Flipped() {
		title += "  search " + onOff(d.Old.Active) + " → " + onOff(d.New.Active)
		level = levelWarn
	}
	if d.Regressions > 0 {
		title += "  " + plural(d.Regressions, "saved query") + " lost a tool"
		level = levelBad
	}
	details := []string{
		fmt.Sprintf("tokens %s → %s (%s), sent %s → %s", thousands(d.Old.EagerTokens), thousands(d.New.EagerTokens), d.New.Tokenizer,
			thousands(d.Old.AfterTokens), thousands(d.New.AfterTokens)),
		"search " + onOff(d.Old.Active) + " → " + onOff(d.New.Active),
	}
	if d.ModelBytesChanged {
		details = append(details, "the model is sent other bytes: its prompt cache is lost")
	} else {
		details = append(details, "the model is sent the same bytes: its prompt cache holds")
	}
	for _, part := range []struct {
		sign  string
		tools []engine.ToolChange
	}{{"+", d.Added}, {"−", d.Removed}, {"~", d.Changed}} {
		for _, t := range part.tools {
			line := part.sign + " " + model.Sanitize(t.Name)
			if len(t.Parts) > 0 {
				line += "  " + partWords(t.Parts)
			}
			details = append(details, line)
		}
	}
	for _, q := range d.Queries {
		details = append(details, queryWords(q)...)
	}
	s.record(level, title, append(details, warnings...)...)
}

// partWords names the parts of a definition that changed.
func partWords(parts []engine.ChangedPart) string {
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = string(p)
	}
	return strings.Join(words, ", ")
}

// queryWords says how the hits of a saved query changed.
func queryWords(q engine.QueryChange) []string {
	out := []string{"query " + model.Sanitize(q.Text)}
	for _, r := range q.Ranks {
		out = append(out, fmt.Sprintf("  %s  rank %s → %s", model.Sanitize(r.Tool), rankWord(r.Old), rankWord(r.New)))
	}
	return out
}

// rankWord is a rank, where 0 is not found.
func rankWord(rank int) string {
	if rank == 0 {
		return "none"
	}
	return thousands(rank)
}

// signed formats a change with its sign.
func signed(n int) string {
	if n > 0 {
		return "+" + thousands(n)
	}
	return thousands(n)
}

// warningLines returns the warnings of a state, a line each.
func warningLines(st *workbench.State) []string {
	var out []string
	for _, w := range st.Warnings {
		out = append(out, "warning "+model.Sanitize(w.Error()))
	}
	return out
}
