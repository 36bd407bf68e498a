package cli

import (
	"strings"

	"caliper/tui/cells"
)

// The alignments of a column.
const (
	left = iota
	right
)

// column is one column of a table.
type column struct {
	title string
	align int
	grow  bool // takes the width that is left, and is cut there; the last column only
	wrap  bool // a column that grows is broken into lines, not cut
}

// table is rows of text in columns, each as wide as its widest cell needs.
// Only a column that grows is ever cut.
type table struct {
	columns []column
	rows    []row
}

// row is one line of a table: its cells, or a ruler over the whole width.
type row struct {
	cells []string
	faint bool
	ruler string // not empty: a line with this text in it
	below func() // writes what belongs under the row; may be nil
}

// add appends a row.
func (t *table) add(text ...string) { t.rows = append(t.rows, row{cells: text}) }

// The least that is worth giving to a column that grows, and what stands
// between columns.
const (
	leastGrown = 16
	gutter     = 2
)

// print writes the table, indented by two cells. The heading is left out when
// no column has a title.
func (t *table) print(p *page) {
	widths := t.widths(p.width)
	titles := make([]string, len(t.columns))
	titled := false
	for i, c := range t.columns {
		titles[i] = c.title
		titled = titled || c.title != ""
	}
	if titled {
		p.line("  ", p.faint(t.lay(titles, widths)))
	}
	for _, r := range t.rows {
		switch {
		case r.ruler != "":
			p.line("  ", p.faint(ruler(r.ruler, t.span(widths))))
		default:
			for _, text := range t.lines(r.cells, widths) {
				line := t.lay(text, widths)
				if r.faint {
					line = p.faint(line)
				}
				p.line("  ", line)
			}
		}
		if r.below != nil {
			r.below()
		}
	}
}

// widths returns the width of every column on a page; 0 leaves a column out.
func (t *table) widths(page int) []int {
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		widths[i] = cells.Width(c.title)
		for _, r := range t.rows {
			if i < len(r.cells) {
				widths[i] = max(widths[i], cells.Width(r.cells[i]))
			}
		}
	}
	last := len(widths) - 1
	if last < 0 || !t.columns[last].grow {
		return widths
	}
	room := page - gutter
	for _, w := range widths[:last] {
		room -= w + gutter
	}
	widths[last] = min(widths[last], room)
	switch {
	case room >= leastGrown:
	case t.columns[last].wrap:
		widths[last] = leastGrown
	default:
		widths[last] = 0
	}
	return widths
}

// lines returns the cells of the lines that one row takes.
func (t *table) lines(text []string, widths []int) [][]string {
	last := len(t.columns) - 1
	if last < 0 || !t.columns[last].wrap || len(text) <= last {
		return [][]string{text}
	}
	wrapped := cells.Wrap(text[last], widths[last])
	if len(wrapped) < 2 {
		return [][]string{text}
	}
	out := make([][]string, len(wrapped))
	for i, l := range wrapped {
		out[i] = make([]string, len(t.columns))
		if i == 0 {
			copy(out[i], text)
		}
		out[i][last] = l
	}
	return out
}

// span returns the width of a whole row.
func (t *table) span(widths []int) int {
	span := 0
	for _, w := range widths {
		if w > 0 {
			span += w + gutter
		}
	}
	return span - gutter
}

// lay returns one row, aligned, without spaces at its end.
func (t *table) lay(text []string, widths []int) string {
	line := ""
	for i, s := range text {
		if widths[i] == 0 {
			continue
		}
		if i > 0 {
			line += cells.Spaces(gutter)
		}
		if t.columns[i].align == right {
			line += cells.PadLeft(s, widths[i])
		} else {
			line += cells.Pad(s, widths[i])
		}
	}
	return strings.TrimRight(line, " ")
}

// ruler returns text in the middle of a line of w cells.
func ruler(text string, w int) string {
	text = " " + text + " "
	before := max(0, (w-cells.Width(text))/2)
	after := max(0, w-before-cells.Width(text))
	return strings.Repeat("─", before) + text + strings.Repeat("─", after)
}
