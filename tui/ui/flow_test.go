package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestFlowLosesNothing(t *testing.T) {
	t.Parallel()
	group := []Phrase{{Style: "", Text: "below the limit"}, {Style: "", Text: "rank 8"}, {Style: "", Text: "2.795"}, {Style: "", Text: "0.909 below the cut line"}}
	for w := 8; w < 100; w++ {
		lines := Flow(w, 1, group, []Phrase{{Style: "", Text: "limit 8"}, {Style: "", Text: "rank 8"}}, []Phrase{{Style: "", Text: "query + summarise"}, {Style: "", Text: "rank 1"}})
		text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		if want := "below the limit rank 8 2.795 0.909 below the cut line limit 8 rank 8 query + summarise rank 1"; text != want && w > 10 {
			t.Errorf("%d cells: %q", w, text)
		}
		for _, line := range lines {
			if got := ansi.StringWidth(line); got != w {
				t.Errorf("a line of %d cells, want %d: %q", got, w, line)
			}
		}
	}
	if got := Flow(60, 1, group, group); len(got) != 2 {
		t.Errorf("%d lines: %q", len(got), got)
	}
}
