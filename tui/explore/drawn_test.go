package explore

import (
	"image"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/tui/ui"
)

// The boxes of the visible panes cover the screen, do not overlap, and one of
// them has the keys.
func TestPanesCoverTheScreen(t *testing.T) {
	t.Parallel()
	s := &Screen{query: ui.NewField(longestQuery, ""), heights: heights{asks: leastRows}}
	for w := 38; w <= 200; w++ {
		for h := 8; h <= 60; h++ {
			for pane := range paneCount {
				s.reveal(pane)
				if s.draft.tool = nil; pane == PaneDraft {
					s.draft.tool = &model.Tool{}
				}
				for _, s.zoom = range []bool{false, true} {
					l, area := s.arrange(w, h), 0
					for i, b := range l.boxes {
						if !b.Rect.In(image.Rect(0, 0, w, h)) {
							t.Fatalf("%d×%d: %v is outside", w, h, Pane(i))
						}
						for j, other := range l.boxes[:i] {
							if b.Rect.Overlaps(other.Rect) {
								t.Fatalf("%d×%d: %v and %v overlap", w, h, Pane(i), Pane(j))
							}
						}
						area += b.Rect.Dx() * b.Rect.Dy()
					}
					if area != w*h {
						t.Fatalf("%d×%d: %d of %d cells are covered", w, h, area, w*h)
					}
					if s.shown != PaneQuery && l.boxes[s.shown].Empty() {
						t.Fatalf("%d×%d: %v is not visible", w, h, s.shown)
					}
				}
			}
		}
	}
}

// A picture does not depend on which pictures were drawn while the query was typed.
func TestSameScreenHoweverFastOneTypes(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"bill the customer", "create a branch", "who is on call", "refund"} {
		slow, fast := onDemo(t, 120, 33), onDemo(t, 120, 33)
		for i := range query {
			slow.ask(query[:i+1]).draw()
		}
		got, want := slow.draw(), fast.ask(query).draw()
		if !slices.Equal(got, want) {
			t.Errorf("typed slowly:\n%s\nat once:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
