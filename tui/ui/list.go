package ui

// Column is a column of a list.
type Column struct {
	Head  string
	Gap   int // cells before it
	Width int // 0: all that is left
	Left  bool
	Cell  func(row int) (Style, string)
}

// draw draws a cell of the column. A text that is cut leaves a free cell before
// the next column.
func (c Column) draw(l *Line, style Style, text string) {
	l.Gap(c.Gap)
	switch {
	case c.Width == 0:
		l.Cell(style, text, l.Room())
	case !c.Left:
		l.CellRight(style, text, c.Width)
	case Width(text) > c.Width:
		l.Cell(style, Truncate(text, c.Width-1), c.Width)
	default:
		l.Cell(style, text, c.Width)
	}
}

// FitColumns returns the columns that fit into w cells, dropping the last ones
// first. The first column gets the remaining width, up to most.
func FitColumns(w, most int, columns []Column) []Column {
	room := w - 1
	for i, c := range columns {
		if c.Gap+c.Width > room {
			columns = columns[:i]
			break
		}
		room -= c.Gap + c.Width
	}
	if len(columns) > 0 {
		columns[0].Width += max(0, min(room, most-columns[0].Width))
	}
	return columns
}

// Lines are the lines below a list. Only the visible ones are drawn.
type Lines struct {
	Heading, Note string
	Count         int
	Line          func(i int) string
	Fill          func(h int) []string // draws the lines for the room there is, in place of the others
}

// DrawnLines returns Lines of lines that have been drawn.
func DrawnLines(heading, note string, lines []string) Lines {
	return Lines{Heading: heading, Note: note, Count: len(lines), Line: func(i int) string { return lines[i] }}
}

// Beside joins lines with a column of knobs on their right.
func Beside(t *Theme, main, knobs []string) []string {
	rule := StartLine(3, 1)
	rule.Text(t.Border, t.Vertical)
	between := rule.End()
	lines := make([]string, len(main))
	for i := range main {
		lines[i] = main[i] + between + knobs[i]
	}
	return lines
}

// FitLines returns exactly h lines: the first of the given lines, then blank
// ones.
func FitLines(lines []string, w, h int) []string {
	for len(lines) < h {
		lines = append(lines, Spaces(w))
	}
	return lines[:h]
}

// DrawHeading draws a heading in a horizontal line, with a note on the right. A
// focused heading has a mark and a heavy line.
func DrawHeading(t *Theme, w int, focused bool, text, note string) string {
	l := StartLine(w, 0)
	title, line, edge := t.Title, t.Horizontal, t.Border
	if focused {
		title, line, edge = t.TitleFocus, t.Heavy.Horizontal, t.BorderFocus
		l.Text(title, t.Focus)
	} else {
		l.Gap(1)
	}
	room := w - Width(note) - 5
	if note == "" || room < Width(text) {
		note, room = "", w-3
	} else {
		note = " " + note
	}
	l.Text(title, Truncate(text, room)+" ")
	l.Repeat(edge, line, l.Room()-Width(note))
	l.Text(t.Faint, note)
	return l.End()
}

// DrawGutter draws the first cell of a row and, when the row is selected, sets
// the style of the whole row.
func DrawGutter(l *Line, t *Theme, selected, focused bool) {
	switch {
	case !selected:
		l.Gap(1)
		return
	case focused:
		l.Under(t.Selection)
	default:
		l.Under(t.SelectionBlur)
	}
	l.Text(t.SelectionMark, t.Selected)
}
