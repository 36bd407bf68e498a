package picture

import (
	"slices"
)

// Cell is one column of one row.
type Cell struct {
	Text  string // one grapheme cluster; a blank is " "
	Width int    // 1, 2 for the first half of a wide cluster, 0 for its second half
	Style Style
}

var blank = Cell{Text: " ", Width: 1}

// Grid is a screen of Rows × Columns cells.
type Grid struct {
	Columns, Rows int

	rows [][]Cell
}

// NewGrid returns a blank grid. Negative sizes count as 0.
func NewGrid(columns, rows int) *Grid {
	g := &Grid{Columns: max(columns, 0), Rows: max(rows, 0)}
	g.rows = make([][]Cell, g.Rows)
	for i := range g.rows {
		g.rows[i] = fit(nil, g.Columns)
	}
	return g
}

// Row returns the cells of row i, counted from 0. They belong to the grid.
func (g *Grid) Row(i int) []Cell { return g.rows[i] }

// SetRow replaces row i by a copy of cells, cut or filled with blanks to the grid's width.
func (g *Grid) SetRow(i int, cells []Cell) {
	g.rows[i] = fit(append([]Cell(nil), cells...), g.Columns)
}

// Clone returns a deep copy.
func (g *Grid) Clone() *Grid {
	c := NewGrid(g.Columns, g.Rows)
	for i, row := range g.rows {
		copy(c.rows[i], row)
	}
	return c
}

// Equal reports whether two grids have the same size, text and styles.
func (g *Grid) Equal(other *Grid) bool {
	if g.Columns != other.Columns || g.Rows != other.Rows {
		return false
	}
	return slices.EqualFunc(g.rows, other.rows, slices.Equal[[]Cell])
}

// fit returns row with exactly n cells. A wide cluster whose second half is cut off becomes a
// blank in its own style, as a terminal shows it.
func fit(row []Cell, n int) []Cell {
	if len(row) > n {
		row = row[:n]
	}
	if k := len(row); k > 0 && row[k-1].Width == 2 {
		row[k-1] = Cell{Text: " ", Width: 1, Style: row[k-1].Style}
	}
	for len(row) < n {
		row = append(row, blank)
	}
	return row
}
