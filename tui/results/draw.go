package results

import (
	"path/filepath"
	"strings"

	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/tui/workbench"
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

// passes reports whether a text holds a filter.
func passes(filter, text string) bool {
	return filter == "" || strings.Contains(strings.ToLower(text), filter)
}

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.Resize(w, h)
	if s.state == nil {
		return ui.Centered(t, w, h, "nothing loaded yet")
	}
	if s.typing == typingPaste {
		l := ui.StartLine(w, 0)
		l.Text(t.Accent, t.Prompt+" ")
		if len(s.paste) == 0 {
			l.Text(t.Faint, "paste a result or the path of a file, enter uses it")
		} else {
			l.Text(t.Text, ui.Thousands(len(s.paste))+" of "+ui.Thousands(longestPaste)+" characters")
		}
		shown := []string{l.End()}
		end := s.paste[max(0, len(s.paste)-w*h):]
		text := strings.ReplaceAll(strings.ReplaceAll(string(end), "\r\n", "\n"), "\r", "\n")
		wrapped := ui.Wrap(safetext.Lines(text), max(1, w-2))
		for _, line := range wrapped[max(0, len(wrapped)-(h-1)):] {
			shown = append(shown, ui.TextLine(w, 1, t.Faint, line))
		}
		return ui.FitLines(shown, w, h)
	}
	split := h >= ui.SplitHeight
	var lines []string
	if s.verdict.number > 0 && s.verdict.err == nil && s.source() != nil {
		lines = s.drawSummary(t, w, split)
	}
	if r := s.source(); r != nil && r.stale != nil && s.view() != viewRules && s.view() != viewStore {
		l := ui.StartLine(w, 1)
		l.Text(t.Stale, " STALE ")
		l.Text(t.Bad, " "+safetext.Line(filepath.Base(r.name))+": "+safetext.Line(workbench.Cause(r.stale).Error()))
		if w >= 60 {
			l.Text(t.Faint, "  this is what it held")
		}
		if !split { // the summary is on screen again when the file is
			lines = nil
		}
		lines = append([]string{l.End()}, lines...)
	}
	return append(lines, s.DrawView(t, w, h-len(lines), len(lines))...)[:h]
}

// aboveSlices draws the field for requests and what they cost, in at most h lines, or how they are
// written, which takes the place of the list.
func (s *Screen) aboveSlices(t *ui.Theme, w, h int, split bool) (lines []string, whole bool) {
	l := ui.StartLine(w, 0)
	style, typing := t.Faint, s.typing == typingRequest
	if typing {
		style = t.Accent
	}
	l.Text(style, t.Prompt+" ")
	if !typing && s.field.Value() == "" {
		l.Text(t.Faint, s.KeyOf(Request)+" types a request: "+requestForms)
	} else {
		s.field.Draw(&l, t, l.Room(), typing)
	}
	lines = []string{l.End()}
	room := h > len(forms)+2
	first := s.typing == typingRequest && len(s.requests) == 0 && room
	if h > 2 && (s.refused == "" || room) {
		line := ui.StartLine(w, 1)
		total, all := s.fetchedTokens(), s.verdict.OriginalTokens
		tone := t.Ok
		if total > all {
			tone = t.Bad
		}
		share := float64(total) / float64(max(1, all))
		if w >= 60 {
			ui.Bar{Fraction: share, Mark: -1, Fill: t.Ok, Empty: true}.Draw(&line, t, 16)
			line.Gap(2)
			line.Text(t.Text, "the handle and "+ui.Count(len(s.requests), "answer")+": ")
			line.Text(t.Number, ui.Thousands(total))
			line.Text(t.Faint, " of "+ui.Thousands(all)+" tok ")
		} else {
			line.Text(t.Number, ui.Thousands(total))
			line.Text(t.Faint, "/"+ui.Thousands(all)+" tok sent ")
		}
		line.Text(tone, ui.Percent(100*share))
		lines = append(lines, line.End())
	}
	if s.refused != "" || first {
		return append(lines, s.drawForms(t, w, h-len(lines))...), true
	}
	if s.Focused() == ui.AreaBelow && !split {
		lines = lines[:1]
	}
	return lines, false
}

// noVerdict returns why there is no verdict to show, nil when there is one.
func (s *Screen) noVerdict() []string {
	switch {
	case s.source() == nil:
		return []string{"no result of a tool to look at", s.KeyOf(OpenFile) + " opens a file by its path, " + s.KeyOf(Paste) + " takes a pasted one"}
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
