package tui

import (
	"image"

	"caliper/tui/cells"
)

// column is a column of a list.
type column struct {
	head  string
	width int
	left  bool
	cell  func(row int) (cells.Style, string)
}

// draw draws a cell of the column. Words that are cut leave a cell free before
// the next column.
func (c column) draw(l *cells.Line, style cells.Style, text string) {
	switch {
	case !c.left:
		l.CellRight(style, text, c.width)
	case cells.Width(text) > c.width:
		l.Cell(style, cells.Truncate(text, c.width-1), c.width)
	default:
		l.Cell(style, text, c.width)
	}
}

// fitting returns as many of the columns as w cells have room for, the last
// ones given up first, and the first one as wide as it can be up to most.
func fitting(w, most int, columns []column) []column {
	room := w - 1
	for i, c := range columns {
		if c.width > room {
			columns = columns[:i]
			break
		}
		room -= c.width
	}
	if len(columns) > 0 {
		columns[0].width += max(0, min(room, most-columns[0].width))
	}
	return columns
}

// belowLines are the lines below a list, of which only those that are seen are
// drawn.
type belowLines struct {
	heading, note string
	count         int
	line          func(i int) string
}

// linesOf are lines that are drawn already.
func linesOf(heading, note string, lines []string) belowLines {
	return belowLines{heading, note, len(lines), func(i int) string { return lines[i] }}
}

// drawBeside draws knobs in a column of their own beside other lines.
func drawBeside(t *Theme, main, knobs []string) []string {
	var rule cells.Line
	rule.Start(3)
	rule.Gap(1)
	rule.Text(t.Border, t.Vertical)
	between := rule.End()
	lines := make([]string, len(main))
	for i := range main {
		lines[i] = main[i] + between + knobs[i]
	}
	return lines
}

// drawRows draws a list of some rows in exactly h lines from line y of the box
// on, the heading of its columns first where one is wanted. Its cursor is lit
// up where it has the keys.
func (s *areas) drawRows(t *Theme, columns []column, list *listPlace, count int, heading, keys bool, w, h, y int) []string {
	if h <= 0 {
		return nil
	}
	var l cells.Line
	var lines []string
	if heading {
		l.Start(w)
		l.Gap(1)
		for _, c := range columns {
			c.draw(&l, t.Faint, c.head)
		}
		lines = append(lines, l.End())
	}
	list.cursor = max(0, min(list.cursor, count-1))
	list.window.follow(list.cursor, h-len(lines), count)
	s.places[areaList] = image.Rect(0, y+len(lines), w, y+h)
	for row := list.window.top; len(lines) < h; row++ {
		l.Start(w)
		if row < count {
			drawGutter(&l, t, row == list.cursor, keys)
			for _, c := range columns {
				style, text := c.cell(row)
				c.draw(&l, style, text)
			}
		}
		lines = append(lines, l.End())
	}
	return lines
}

// drawUnder draws what belongs to the selected row, in exactly h lines from
// line y of the box on, the first of them a rule.
func (s *areas) drawUnder(t *Theme, b *budgetScreen, below belowLines, keys bool, w, h, y int) []string {
	if h <= 0 {
		return nil
	}
	s.places[areaBelow] = image.Rect(0, y, w, y+h)
	s.belowRoom, s.belowAll = h-1, below.count
	s.below.clamp(s.belowRoom, s.belowAll)
	note := below.note
	if more := below.count - s.below.top - s.belowRoom; more > 0 && (note == "" || w >= 90) {
		if note != "" {
			note += "  "
		}
		note += thousands(more) + " more"
	}
	if note != "" {
		note += " "
	}
	lines := []string{b.rule(t, w, keys, below.heading, note)}
	for i := s.below.top; i < below.count && len(lines) < h; i++ {
		lines = append(lines, below.line(i))
	}
	return filled(lines, w, h)
}

// drawKnobsOf draws some knobs in exactly h lines, and words about them where
// there is room.
func (s *areas) drawKnobsOf(t *Theme, b *budgetScreen, knobs []knob, words [][]phrase, keys bool, w, h int) []string {
	note := ""
	if n := b.turnedKnobs(); n > 0 {
		note = thousands(n) + " turned"
	}
	lines := []string{b.rule(t, w, keys, "knobs", note)}
	s.knobList.follow(s.knob, h-1, len(knobs))
	s.knobRoom = h - 1
	for i := s.knobList.top; i < len(knobs) && len(lines) < h; i++ {
		lines = append(lines, b.drawKnobIn(t, knobs[i], w, keys && i == s.knob))
	}
	if k := knobs[min(s.knob, len(knobs)-1)]; keys && !sameKnob(b.value(k), b.onDisk(k)) {
		if _, _, was := knobPlace(k, b.value(k), b.onDisk(k), true, w); was == "" { // no room beside it
			words = append([][]phrase{{{t.Changed, knobNames[k] + wasForms(k, b.value(k), b.onDisk(k))[0]}}}, words...)
		}
	}
	if about := flow(w, 1, words...); len(words) > 0 && len(lines)+1+len(about) <= h {
		lines = append(lines, cells.Spaces(w))
		lines = append(lines, about...)
	}
	return filled(lines, w, h)
}

// filled returns exactly h lines: the first of some, and blank ones.
func filled(lines []string, w, h int) []string {
	for len(lines) < h {
		lines = append(lines, cells.Spaces(w))
	}
	return lines[:h]
}
