package ui

import (
	"slices"
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

func TestShare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		h, spare int
		asks     []Ask
		want     []int
	}{
		{"three rows do not hold twelve", 24, 0, []Ask{{3, 3}, {3, 40}}, []int{3, 21}},
		{"all have what they ask for", 30, 0, []Ask{{3, 5}, {3, 5}, {3, 5}}, []int{20, 5, 5}},
		{"what is short is shared", 20, 0, []Ask{{2, 50}, {2, 50}}, []int{10, 10}},
		{"the small one is whole", 27, 0, []Ask{{5, 11}, {4, 7}, {6, 30}}, []int{10, 7, 10}},
		{"too little for the least", 7, 0, []Ask{{5, 11}, {4, 7}}, []int{5, 2}},
		{"nothing", 0, 0, []Ask{{5, 11}, {4, 7}}, []int{0, 0}},
		{"nobody has a least that it does not ask for", 10, 1, []Ask{{4, 1}, {3, 3}}, []int{1, 9}},
	} {
		if got := Share(tt.h, tt.spare, tt.asks...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The rows add up, and nobody has blank rows while another is cut.
func TestShareWastesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		asks := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) Ask {
			return Ask{rapid.IntRange(0, 9).Draw(rt, "least"), rapid.IntRange(0, 60).Draw(rt, "rows")}
		}), 1, 4).Draw(rt, "asks")
		h, spare := rapid.IntRange(0, 80).Draw(rt, "h"), rapid.IntRange(0, len(asks)-1).Draw(rt, "spare")
		rows := Share(h, spare, asks...)
		sum := 0
		for i, r := range rows {
			sum += r
			for j, a := range asks {
				if r > asks[i].Rows && rows[j] < a.Rows {
					rt.Fatalf("%v of %v: pane %d has blank rows, and pane %d is cut", rows, asks, i, j)
				}
				if i != j && rows[j] < a.Rows && r > max(asks[i].Least, rows[j]+1) && rows[j] >= min(a.Least, a.Rows) {
					rt.Fatalf("%v of %v: pane %d is cut for pane %d", rows, asks, j, i)
				}
			}
		}
		if sum != h {
			rt.Fatalf("%d rows of %d", sum, h)
		}
	})
}
