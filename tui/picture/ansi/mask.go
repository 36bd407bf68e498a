package ansi

import (
	"fmt"
	"regexp"
	"strings"

	xansi "github.com/charmbracelet/x/ansi"
)

// Mask replaces what differs from run to run (clock times, temporary paths) in every row. The
// replacement may refer to groups as in [regexp.Regexp.Expand]. The row keeps its width: a
// replacement that is narrower than the match is filled up with blanks, a wider one is an error.
// The new text takes the style of the first matched cell, the filling that of the last.
//
// A value whose width varies needs a pattern that takes in the blanks behind it, so that the
// total is constant.
func (g *Grid) Mask(pattern *regexp.Regexp, replacement string) error {
	for i, row := range g.rows {
		masked, err := maskRow(row, pattern, replacement)
		if err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
		g.rows[i] = masked
	}
	return nil
}

func maskRow(row []Cell, pattern *regexp.Regexp, replacement string) ([]Cell, error) {
	text := rowText(row)
	matches := pattern.FindAllStringSubmatchIndex(text, -1)
	if matches == nil {
		return row, nil
	}
	column := columnsOf(row)
	out := make([]Cell, 0, len(row))
	copied := 0
	for _, m := range matches {
		from, to := column[m[0]], column[m[1]]
		if from == to || from < copied {
			continue
		}
		with := string(pattern.ExpandString(nil, replacement, text, m))
		with = strings.ReplaceAll(with, "\n", " ")
		width := xansi.StringWidth(with)
		if width > to-from {
			return nil, fmt.Errorf("mask %s: %q is wider than %q", pattern, with, text[m[0]:m[1]])
		}
		out = append(out, row[copied:from]...)
		parsed := Parse([]byte(with), width, 1).Row(0)
		for _, c := range parsed {
			c.Style = row[from].Style
			out = append(out, c)
		}
		for range to - from - width {
			out = append(out, Cell{Text: " ", Width: 1, Style: row[to-1].Style})
		}
		copied = to
	}
	return append(out, row[copied:]...), nil
}

// columnsOf maps a byte offset in the row's text to the column of the cell that holds it; the
// offset behind the last byte maps to the row's width. An offset inside a cluster maps to the
// cluster's column.
func columnsOf(row []Cell) []int {
	var columns []int
	for i, c := range row {
		for range len(c.Text) {
			columns = append(columns, i)
		}
	}
	return append(columns, len(row))
}
