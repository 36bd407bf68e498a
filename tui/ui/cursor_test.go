package ui

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

// rowsOf returns a list with an ID for each letter, and lines of no row for dashes.
func rowsOf(lines string) Rows {
	return Rows{N: len(lines), ID: func(i int) string { return strings.TrimPrefix(lines[i:i+1], "-") }}
}

func TestCursorStaysOnItsRow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, was string
		at        int
		is        string
		want      int
	}{
		{"rows come before it", "abc", 1, "xabc", 2},
		{"its line of the row", "abbbc", 3, "xxabbbc", 5},
		{"the row has fewer lines", "abbbc", 3, "abc", 1},
		{"the row is gone", "abc", 1, "axc", 1},
		{"the list is shorter", "abc", 2, "ab", 1},
		{"a line of no row", "a-b", 1, "xa-b", 1},
		{"nothing is left", "abc", 2, "", 0},
	} {
		var c Cursor
		c.To(rowsOf(tt.was), tt.at)
		if got := c.At(rowsOf(tt.is)); got != tt.want {
			t.Errorf("%s: on line %d, want %d", tt.name, got, tt.want)
		}
	}
}

// A cursor is always on a line that is drawn, and a click on a line goes there.
func TestCursorIsSeen(t *testing.T) {
	t.Parallel()
	theme := NewTheme(Look{Plain: true})
	rapid.Check(t, func(t *rapid.T) {
		r := Rows{N: rapid.IntRange(1, 60).Draw(t, "n"), ID: func(int) string { return "" }}
		h := rapid.IntRange(1, 20).Draw(t, "h")
		var c Cursor
		for range rapid.IntRange(1, 8).Draw(t, "moves") {
			c.Move(r, rapid.IntRange(-70, 70).Draw(t, "by"))
			drawn := c.Draw(theme, r, 10, h, true, func(l *Line, i int, selected bool) {
				if selected != (i == c.At(r)) {
					t.Fatalf("line %d is drawn as selected %t", i, selected)
				}
			})
			if at := c.At(r) - c.Window.Top; len(drawn) != h || !strings.HasPrefix(drawn[at], theme.Selected) {
				t.Fatalf("line %d of %q is not marked", at, drawn)
			}
			line := rapid.IntRange(-1, h).Draw(t, "line")
			if _, ok := c.Press(r, line); ok != (line >= 0 && line < min(h, r.N-c.Window.Top)) || ok && c.At(r) != c.Window.Top+line {
				t.Fatalf("a click on line %d of %d, below %d others, goes to %d", line, r.N, c.Window.Top, c.At(r))
			}
		}
	})
}
