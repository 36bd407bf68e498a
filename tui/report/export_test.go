package report

import (
	"caliper/engine/export"
	"slices"
	"testing"
)

func TestLosses(t *testing.T) {
	t.Parallel()
	got := Losses([]export.Lost{
		{Tool: "a", What: "x"}, {Tool: "b", What: "y", Refused: true}, {Tool: "b", What: "x"}, {Tool: "b", What: "y"},
		{What: "x"}, {What: "x"}, {Tool: "a", What: "z"}, {Tool: "b", What: "z"}, {Tool: "c", What: "z"}, {Tool: "d", What: "z"}, {Tool: "e", What: "z"},
	})
	want := []string{"lost: a, b: x", "refused: b: y", "lost: b: y", "lost: x", "lost: x", "lost: a, b, c and 2 more: z"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Losses(nil); got != nil {
		t.Errorf("%q", got)
	}
}
