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
	if s.drawn.w = w; s.wrapped != 0 && s.wrapped != w {
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
		lines = append(lines, s.drawRow(t, i, inner))
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
		l.Text(t.Text, "tried: "+words.And(s.host.Knobs().Tried()))
		lines = append(lines, l.End())
	}
	l.Start(w)
	l.Gap(1)
	c := columnsFor(w)
	old, now := s.names()
	old, now = safetext.Line(old), safetext.Line(now)
	if !c.both {
		name, other := old, now
		if s.second {
			name, other = now, old
		}
		l.Text(t.Strong, ui.FitName(name, l.Room()/2))
		l.Text(t.Faint, "  tab: "+ui.FitName(other, max(0, l.Room()-7)))
		return append(lines, l.End())
	}
	if s.view == ranksView {
		l.Gap(c.pairLabel)
		l.Cell(t.Strong, ui.FitName(old, c.name-1), c.name)
		l.Cell(t.Strong, ui.FitName(now, c.name-1), c.name)
		return append(lines, l.End())
	}
	l.Gap(c.label)
	l.CellRight(t.Strong, ui.FitName(old, c.value-1), c.value)
	l.CellRight(t.Strong, ui.FitName(now, c.value-1), c.value)
	return append(lines, l.End())
}

// The cells of two ranks with the change, and of the change alone.
const (
	crossedCells = 17
	changeCells  = 5
)

// columns are the widths of the columns: of figures label, value twice and change, of
// pairs of hits pairLabel, name twice and change.
type columns struct {
	both                                  bool
	label, value, change, pairLabel, name int
}

// columnsFor returns the columns in w cells.
func columnsFor(w int) columns {
	c := columns{both: w >= bothWidth-2, value: 20, change: 18, pairLabel: 4}
	switch {
	case !c.both:
		c.value, c.change = 16, 8
		c.label = max(0, w-1-c.value-c.change)
		c.name = max(0, w-1-c.pairLabel-c.change)
		return c
	case w < 100:
		c.value, c.change = 16, 17
	case w >= 110:
		c.value, c.change = 26, 18
	}
	c.label = max(0, w-1-2*c.value-c.change)
	c.name = max(0, (w-1-c.pairLabel-10)/2)
	return c
}

// drawRow draws a row.
func (s *Screen) drawRow(t *ui.Theme, i, w int) string {
	r, c := s.rows[i], columnsFor(w)
	if r.heading {
		return s.drawHeading(t, i, w)
	}
	var l cells.Line
	l.Start(w)
	ui.DrawGutter(&l, t, i == s.cursor[s.view], true)
	if r.note {
		l.Text(t.Faint, "    "+cells.Truncate(r.label, max(l.Room()-4, 0)))
		return l.End()
	}
	if r.text {
		l.Text(map[mood]cells.Style{neutral: t.Text, good: t.Added, bad: t.Bad}[r.mood], cells.Truncate(r.label, l.Room()))
		return l.End()
	}
	style, change := s.changeOf(t, r)
	values := []string{r.left, r.right}
	for i, short := range r.short {
		if cells.Width(values[i]) > c.value-1 && short != "" {
			values[i] = short
		}
	}
	switch {
	case c.both:
	case s.second:
		values = values[1:]
	default:
		values = values[:1]
	}
	if r.pair {
		l.CellRight(t.Faint, r.label+" ", c.pairLabel)
		for _, v := range values {
			l.Cell(t.Text, ui.FitName(v, c.name-1), c.name)
		}
		l.Text(style, change)
		if r.cut {
			l.Right(t.CutLine, " limit")
		}
		return l.End()
	}
	if r.wide {
		l.Cell(t.Text, cells.Truncate(r.label, max(0, l.Room()-1-crossedCells)), max(0, l.Room()-crossedCells))
		l.CellRight(t.Number, r.left+" → "+r.right, crossedCells-changeCells)
		l.Gap(1)
		l.Text(style, cells.Truncate(change, l.Room()))
		return l.End()
	}
	l.Cell(t.Text, ui.FitName(r.label, c.label-1), c.label)
	for _, v := range values {
		l.CellRight(t.Number, " "+cells.Truncate(v, c.value-1), c.value)
	}
	l.Gap(1)
	l.Text(style, cells.Truncate(change, l.Room()))
	return l.End()
}

// drawHeading draws a heading; the cursor can be on it.
func (s *Screen) drawHeading(t *ui.Theme, i, w int) string {
	if i != s.cursor[s.view] {
		return ui.DrawHeading(t, w, false, s.rows[i].label, "")
	}
	var l cells.Line
	l.Start(w)
	ui.DrawGutter(&l, t, true, true)
	l.Text(t.Title, cells.Truncate(s.rows[i].label, l.Room()))
	return l.End()
}

// changeOf returns the change of a row and its style.
func (s *Screen) changeOf(t *ui.Theme, r row) (cells.Style, string) {
	if r.ranked {
		return ui.RankChange(t, r.was, r.is)
	}
	return map[mood]cells.Style{neutral: t.Faint, good: t.Added, bad: t.Removed}[r.mood], r.change
}
