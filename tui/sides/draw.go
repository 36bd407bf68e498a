package sides

import (
	"image"
	"strings"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/cells"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// bothWidth is the width from which on both states are shown beside each other.
const bothWidth = 60

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int) []string {
	box := ui.NewBox(image.Rect(0, 0, w, h), false, true)
	inner, room := box.Inner.Dx(), box.Inner.Dy()
	frame := ui.Frame{Tabs: ui.Tabs{Labels: viewNames, Active: int(s.view)}, Note: s.note(w), Focused: true}
	if w != s.drawn.w {
		s.drawn.w = w
		s.fill()
	}
	lines := s.drawTop(t, inner, room)
	s.drawn = geometry{frame: frame, box: box, top: len(lines), room: max(0, room-len(lines)), w: w}
	if len(s.rows) == 0 {
		lines = append(lines, ui.Centered(t, inner, s.drawn.room, s.empty())...)
		return frame.Draw(t, box, ui.FitLines(lines, inner, room))
	}
	s.list.Follow(s.cursor[s.view], s.drawn.room, len(s.rows))
	for i := s.list.Top; i < len(s.rows) && len(lines) < room; i++ {
		lines = append(lines, drawLine(t, s.rows[i], i == s.cursor[s.view], inner))
	}
	frame.Beyond = ui.Beyond(s.list.Hidden())
	return frame.Draw(t, box, ui.FitLines(lines, inner, room))
}

// note returns the progress of the work, for the title.
func (s *Screen) note(w int) string {
	if s.two == nil {
		return screen.Progress(s.work.Status(), "comparing", w < bothWidth)
	}
	if s.view == scopeView && !s.two.Audited {
		return screen.Progress(s.reach.Status(), "auditing", w < bothWidth)
	}
	if s.view == verdictView && s.two.Gate == nil {
		return screen.Progress(s.judge.Status(), "judging", w < bothWidth)
	}
	return ""
}

// empty returns why no row is shown.
func (s *Screen) empty() string {
	switch {
	case s.two == nil && s.work.Err != nil:
		return safetext.Line(s.work.Err.Error())
	case s.two == nil:
		return "the two states are being compared; esc stops"
	case s.view == verdictView:
		return s.undecided()
	case s.reach.Err != nil:
		return safetext.Line(s.reach.Err.Error())
	case s.reach.Waits():
		return "enter audits both states: " + ui.Count(s.two.questions(), "question")
	}
	return "both states are being audited; esc stops"
}

// drawTop draws the verdict and the names of the states.
func (s *Screen) drawTop(t *ui.Theme, w, h int) []string {
	if s.two == nil || h < 3 {
		return nil
	}
	verdict := s.two.Verdict()
	if s.view == verdictView && s.two.Gate != nil {
		verdict = report.ChangeVerdict(s.two.Gate)
	}
	style := map[report.Level]cells.Style{report.Good: t.Ok, report.Warn: t.Warn, report.Bad: t.Bad}[verdict.Level]
	var lines []string
	most := 2
	if h < 10 {
		most = 1
	}
	said := cells.Wrap(verdict.Text, w-2)
	if len(said) > most {
		said = append(said[:most-1], cells.Truncate(strings.Join(said[most-1:], " "), w-2))
	}
	for _, text := range said {
		var l cells.Line
		l.Start(w)
		l.Gap(1)
		l.Text(style, text)
		lines = append(lines, l.End())
	}
	var l cells.Line
	if s.choice.id == idTrials && h >= 10 {
		l.Start(w)
		l.Gap(1)
		l.Text(t.Text, "tried: "+words.And(s.host.Knobs.Tried()))
		lines = append(lines, l.End())
	}
	old, now := s.names()
	l.Start(w)
	l.Gap(1)
	l.Text(t.Strong, cells.Truncate(safetext.Line(old)+" → "+safetext.Line(now), l.Room()))
	return append(lines, l.End())
}

// drawLine draws a line, with the cursor on it or not.
func drawLine(t *ui.Theme, r report.ScreenLine, selected bool, w int) string {
	if r.Heading && !selected {
		return ui.DrawHeading(t, w, false, r.Text, "")
	}
	var l cells.Line
	l.Start(w)
	ui.DrawGutter(&l, t, selected, true)
	style := map[report.Level]cells.Style{report.Info: t.Text, report.Good: t.Added, report.Bad: t.Bad}[r.Level]
	switch {
	case r.Heading:
		style = t.Title
	case r.Faint:
		style = t.Faint
	}
	l.Text(style, r.Text)
	return l.End()
}
