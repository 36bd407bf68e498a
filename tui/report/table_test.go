package report

import (
	"slices"
	"testing"
)

// TestLater: rows that are made when they are needed are written as those that are kept, and
// none of them is kept.
func TestLater(t *testing.T) {
	t.Parallel()
	cells := [][]any{{"a", 1, "words that are longer than what is left"}, {"bc", 23, Name("x|y")}, {"def", 4, ""}}
	kept, later := Columns("name", ">n", "what…"), Columns("name", ">n", "what…")
	for _, c := range cells {
		kept.Row(c...)
	}
	later.Row(cells[0]...)
	later.Later(slices.Values(cells[1:]))
	for name, write := range map[string]func(*Report) string{
		"terminal": func(r *Report) string { return printed(30, r) },
		"manual":   func(r *Report) string { return r.Manual("caliper", "about") },
		"markdown": func(r *Report) string { text, _ := r.Markdown(); return text },
		"html":     func(r *Report) string { return r.HTML("title") },
	} {
		want, got := new(Report), new(Report)
		want.Table(kept)
		got.Table(later)
		if want, got := write(want), write(got); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	if len(later.rows) != 1 {
		t.Errorf("%d rows are kept", len(later.rows))
	}
}
