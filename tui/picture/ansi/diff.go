package ansi

import (
	"fmt"
	"strings"
)

// Diff describes how got differs from want, row by row, for a person. Rows and columns count
// from 1. It returns "" for equal screens.
func Diff(want, got *Grid) string {
	var b strings.Builder
	if want.Columns != got.Columns || want.Rows != got.Rows {
		fmt.Fprintf(&b, "size: want %dx%d, got %dx%d\n", want.Columns, want.Rows, got.Columns, got.Rows)
	}
	for i := range max(want.Rows, got.Rows) {
		diffRow(&b, i, rowOrNil(want, i), rowOrNil(got, i))
	}
	return b.String()
}

func rowOrNil(g *Grid, i int) []Cell {
	if i >= g.Rows {
		return nil
	}
	return g.rows[i]
}

func diffRow(b *strings.Builder, i int, want, got []Cell) {
	wantText := strings.TrimRight(rowText(want), " ")
	gotText := strings.TrimRight(rowText(got), " ")
	if wantText != gotText {
		fmt.Fprintf(b, "row %d\n  - %s\n  + %s\n", i+1, wantText, gotText)
		return
	}
	n := min(len(want), len(got))
	for from := 0; from < n; from++ {
		if want[from].Style == got[from].Style {
			continue
		}
		to := from + 1
		for to < n && want[to].Style == want[from].Style && got[to].Style == got[from].Style {
			to++
		}
		fmt.Fprintf(b, "row %d, columns %d-%d %q\n  - %s\n  + %s\n", i+1, from+1, to,
			rowText(want[from:to]), want[from].Style, got[from].Style)
		from = to - 1
	}
}
