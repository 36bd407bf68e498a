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

// DrawHeads draws the headings of columns that begin in the second cell.
func DrawHeads(t *Theme, w int, columns []Column) string {
	l := StartLine(w, 1)
	for _, c := range columns {
		c.draw(&l, t.Faint, c.Head)
	}
	return l.End()
}

// DrawRow draws a row of columns that begin in the second cell.
func DrawRow(w int, columns []Column, row int) string {
	l := StartLine(w, 1)
	drawCells(&l, columns, row)
	return l.End()
}

func drawCells(l *Line, columns []Column, row int) {
	for _, c := range columns {
		style, text := c.Cell(row)
		c.draw(l, style, text)
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
	rule.Text(t.Border, t.Thin.Vertical)
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
	title, line, edge := t.Faint, t.Thin.Horizontal, t.Border
	if focused {
		title, line, edge = t.TitleFocus, t.Heavy.Horizontal, t.Accent
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
	l.Text(t.Accent, t.Selected)
}

// Ask is how many rows a pane asks for, its borders and headings included: with more
// than Rows it has blank rows, and with fewer than Least it says too little, unless it
// asks for fewer.
type Ask struct{ Least, Rows int }

// Share divides h rows among panes that stand one below the other, and returns the rows
// of each. Every pane first gets its least, those above before those below. What is left
// goes row by row to the panes that ask for more, and when none does, to the pane spare.
//
// Invariants:
//   - the rows of all panes are h together;
//   - no pane has more rows than it asks for while another has fewer;
//   - panes that get fewer rows than they ask for have the same number, give or take one,
//     unless their least is more.
func Share(h, spare int, asks ...Ask) []int {
	rows := make([]int, len(asks))
	left := max(0, h)
	for i, a := range asks {
		rows[i] = min(a.Least, a.Rows, left)
		left -= rows[i]
	}
	for left > 0 {
		least := -1 // the pane with the fewest rows of those that ask for more
		for i, a := range asks {
			if rows[i] < a.Rows && (least < 0 || rows[i] < rows[least]) {
				least = i
			}
		}
		if least < 0 {
			rows[spare] += left
			break
		}
		rows[least]++
		left--
	}
	return rows
}
