package report

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/tui/ui"
)

// On a screen no line is wider than it, and no word of a cell is lost.
func TestLinesLoseNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,9}( [a-z]{1,9}){0,4}`)
		table := Columns("tool", ">old", ">new", rapid.SampledFrom([]string{"query", "query…", "query¶"}).Draw(t, "last"))
		var all []string
		for i := range 3 {
			cells := []string{word.Draw(t, "tool"), word.Draw(t, "old"), word.Draw(t, "new"), word.Draw(t, "query")}
			table.Row(cells[0], cells[1], cells[2], cells[3])
			table.About(News{Tool: cells[0]})
			all = append(all, cells...)
			if i == 1 {
				table.Ruler("limit")
			}
		}
		r := new(Report)
		r.Heading(4, "a heading")
		r.Table(table)
		w, shown := rapid.IntRange(20, 120).Draw(t, "w"), ""
		for _, l := range r.Lines(w) {
			if !l.Heading && ui.Width(l.Text) > w {
				t.Fatalf("%q has more than %d cells", l.Text, w)
			}
			shown += l.Text + " "
		}
		for _, cell := range all {
			for _, part := range strings.Fields(cell) {
				if !strings.Contains(shown, part) {
					t.Fatalf("%q is lost in %q", part, shown)
				}
			}
		}
	})
}
