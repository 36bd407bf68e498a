package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Every line of a heat map has a cell for each column, whatever the theme, and the
// selected pair is marked once.
func TestHeat(t *testing.T) {
	value := func(row, column int) (float64, bool) {
		return float64(row+column) / 8, row == 3 && column == 2
	}
	for name, look := range map[string]Look{
		"plain": {Plain: true}, "ascii": {Plain: true, ASCII: true}, "dark": {Profile: termenv.TrueColor},
		"light": {Profile: termenv.ANSI256, Light: true}, "16 colours": {Profile: termenv.ANSI},
	} {
		theme := NewTheme(look)
		const rows, columns = 5, 4
		var all strings.Builder
		for i := range theme.HeatLines(rows) {
			var l Line
			l.Start(columns)
			DrawHeat(&l, theme, i, rows, columns, value)
			line := l.End()
			if got := ansi.StringWidth(line); got != columns {
				t.Errorf("%s: line %d has %d cells: %q", name, i, got, line)
			}
			all.WriteString(line)
		}
		if strings.Count(all.String(), theme.Pin) != 1 && name != "ascii" {
			t.Errorf("%s: the selected pair is not marked once: %q", name, all.String())
		}
		if halves := strings.Contains(all.String(), upperHalf); halves != (name != "plain" && name != "ascii") {
			t.Errorf("%s: half blocks %t", name, halves)
		}
		if lines := theme.HeatLines(theme.HeatRows(7)); lines != 7 {
			t.Errorf("%s: what fits into 7 lines takes %d", name, lines)
		}
	}
}

// A hotter cell has another colour, or a fuller glyph.
func TestHeatLevels(t *testing.T) {
	for v, want := range map[float64]int{-1: 0, 0: 0, 0.19: 0, 0.2: 1, 0.5: 2, 0.79: 3, 0.8: 4, 1: 4, 2: 4} {
		if got := heatLevel(v); got != want {
			t.Errorf("%v is level %d, want %d", v, got, want)
		}
	}
	seen := map[Style]bool{}
	for _, row := range NewTheme(Look{Profile: termenv.ANSI}).Heat {
		for _, style := range row {
			if seen[style] {
				t.Errorf("two pairs of levels have the style %q", style)
			}
			seen[style] = true
		}
	}
}
