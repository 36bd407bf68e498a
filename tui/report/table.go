package report

import (
	"cmp"
	"iter"
	"strings"

	"caliper/tui/ui"
)

// Table is rows of text in columns. In a terminal every column is as wide as
// its widest cell needs, and only a column that grows is ever cut.
type Table struct {
	columns []column
	rows    []row
	later   iter.Seq[[]any] // rows behind the others, made anew whenever they are needed; nil: none
	flush   bool            // it is not indented in a terminal
	least   int             // the least that is worth giving to a column that grows; 0: leastGrown
}

// column is one column of a table.
type column struct {
	title Text
	align align
	most  int // the widest in cells; a cell that is wider pushes its row to the right; 0: no bound
	share int // cells are cut to the width of the page divided by this; 0: they are not
}

// align is how the cells of a column are aligned.
type align int

const (
	left align = iota
	right
	cut     // the column takes the width that is left, and is cut there
	wrapped // the column takes the width that is left, and is broken into lines there
)

// row is one row of a table: its cells, or a ruler over the whole width.
type row struct {
	cells []Text
	faint bool
	ruler string        // not empty: a line with this text in it
	below func(*Report) // adds the lines under the row; nil for none
	news  News          // on a screen
}

// Title gives a column, counted from 0, another title.
func (t *Table) Title(column int, title Text) { t.columns[column].title = title }

// Columns returns a table of columns. A title that begins with > belongs to a
// column of figures, which are aligned on the right. The last title may end
// with …: its column takes the width that is left, and is cut there; or with ¶:
// it is broken into lines instead. A heading without any title is left out.
func Columns(titles ...string) *Table {
	t := new(Table)
	for _, title := range titles {
		c := column{title: TextOf(title)}
		for mark, a := range map[string]align{"…": cut, "¶": wrapped} {
			if text, found := strings.CutSuffix(title, mark); found {
				c = column{title: TextOf(text), align: a}
			}
		}
		if text, found := strings.CutPrefix(title, ">"); found {
			c = column{title: TextOf(text), align: right}
		}
		t.columns = append(t.columns, c)
	}
	return t
}

// Listed returns a table without titles of words, each with a text that is broken
// into lines.
func Listed(pairs ...[]string) *Table {
	t := Columns("", "¶")
	for _, p := range pairs {
		t.Row(Strong("%s", p[0]), p[1])
	}
	return t
}

// Column adds columns, as Columns does.
func (t *Table) Column(titles ...string) {
	t.columns = append(t.columns, Columns(titles...).columns...)
}

// Named adds columns whose titles are foreign.
func (t *Table) Named(titles ...Text) *Table {
	for _, title := range titles {
		t.columns = append(t.columns, column{title: title})
	}
	return t
}

// Row adds a row. A cell is a string of this program's words, a Text, or an int.
//
//go:noinline // or each caller has a copy
func (t *Table) Row(cells ...any) { t.rows = append(t.rows, rowOf(cells)) }

// rowOf returns a row of cells.
func rowOf(cells []any) row {
	r := row{cells: make([]Text, len(cells))}
	for i, c := range cells {
		r.cells[i] = TextOf(c)
	}
	return r
}

// Later sets rows that stand behind all others, and are made whenever they are needed,
// each time the same: hundreds of thousands of them would take hundreds of megabytes.
func (t *Table) Later(rows iter.Seq[[]any]) { t.later = rows }

// each returns all rows.
func (t *Table) each(yield func(row) bool) {
	for _, r := range t.rows {
		if !yield(r) {
			return
		}
	}
	if t.later == nil {
		return
	}
	for cells := range t.later {
		if !yield(rowOf(cells)) {
			return
		}
	}
}

// FaintRow adds a row that is less important.
func (t *Table) FaintRow(cells ...any) {
	t.Row(cells...)
	t.rows[len(t.rows)-1].faint = true
}

// Ruler adds a line over the whole width with a text in it.
func (t *Table) Ruler(text string) { t.rows = append(t.rows, row{ruler: text}) }

// Below sets the lines printed under the last row. It is asked for when the row is
// printed: of 100,000 rows, what stands under one is then all there is.
func (t *Table) Below(below func(*Report)) { t.rows[len(t.rows)-1].below = below }

// Empty reports whether no row was added by Row. It does not ask for Later's.
func (t *Table) Empty() bool { return len(t.rows) == 0 }

// titled reports whether any column has a title.
func (t *Table) titled() bool {
	for _, c := range t.columns {
		if c.title.String() != "" {
			return true
		}
	}
	return false
}

// leastGrown is the smallest useful width of a column that grows, and gutter
// the cells between columns and before the first.
const (
	leastGrown = 16
	gutter     = 2
)

// indent returns how far a table is indented in a terminal.
func (t *Table) indent() int {
	if t.flush {
		return 0
	}
	return gutter
}

// texts returns the cells of a row on a page.
func (t *Table) texts(page int, r row) []string {
	texts := make([]string, len(r.cells))
	for i, c := range r.cells {
		texts[i] = c.String()
		if share := t.columns[i].share; share > 0 {
			texts[i] = ui.Truncate(texts[i], page/share)
		}
	}
	return texts
}

// widths returns the width of every column on a page; 0 leaves a column out.
func (t *Table) widths(page int) []int {
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		widths[i] = ui.Width(c.title.String())
	}
	for r := range t.each {
		for i, text := range t.texts(page, r) {
			w := ui.Width(text)
			if most := t.columns[i].most; most > 0 {
				w = min(w, most)
			}
			widths[i] = max(widths[i], w)
		}
	}
	last := len(widths) - 1
	if last < 0 || t.columns[last].align < cut {
		return widths
	}
	room := page - t.indent()
	for _, w := range widths[:last] {
		room -= w + gutter
	}
	widths[last] = min(widths[last], room)
	switch least := cmp.Or(t.least, leastGrown); {
	case room >= least:
	case t.columns[last].align == wrapped:
		widths[last] = least
	default:
		widths[last] = 0
	}
	return widths
}

// lines returns the cells of the lines that one row takes.
func (t *Table) lines(row []string, widths []int) [][]string {
	last := len(t.columns) - 1
	if last < 0 || t.columns[last].align != wrapped || len(row) <= last {
		return [][]string{row}
	}
	broken := ui.Wrap(row[last], widths[last])
	if len(broken) < 2 {
		return [][]string{row}
	}
	out := make([][]string, len(broken))
	for i, l := range broken {
		out[i] = make([]string, len(t.columns))
		if i == 0 {
			copy(out[i], row)
		}
		out[i][last] = l
	}
	return out
}

// sumOf returns the width of a whole row.
func sumOf(widths []int) int {
	sum := -gutter
	for _, w := range widths {
		if w > 0 {
			sum += w + gutter
		}
	}
	return sum
}

// layout returns one line, aligned, without spaces at its end.
func (t *Table) layout(row []string, widths []int) string {
	var line strings.Builder
	line.Grow(max(0, sumOf(widths)))
	for i, s := range row {
		if widths[i] == 0 {
			continue
		}
		if i > 0 {
			line.WriteString(ui.Spaces(gutter))
		}
		switch c := t.columns[i]; {
		case c.align == right:
			line.WriteString(ui.PadLeft(s, widths[i]))
		case c.most > 0 && ui.Width(s) > widths[i]:
			line.WriteString(ui.Clean(s))
		default:
			line.WriteString(ui.Pad(s, widths[i]))
		}
	}
	return strings.TrimRight(line.String(), " ")
}
