package ui

import (
	"image"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Note and detail give way to the tabs of views, and the tabs to the beginning of a
// filter; the active one and its neighbour never do. A click finds the tab that is drawn under it.
func TestFrameOfViews(t *testing.T) {
	t.Parallel()
	theme := NewTheme(Look{Plain: true})
	f := Frame{Tabs: Tabs{Labels: []string{"table", "bytes", "labelled"}, Active: 1}, Detail: "/git  3 of 12", Note: "hybrid", Yield: true}
	for _, tt := range []struct {
		name      string
		w         int
		whole     bool
		want, not string
	}{
		{"room for all", 80, false, " table [bytes] labelled   /git  3 of 12 ", "…"},
		{"the detail gives way to the tabs", 46, false, " table [bytes] labelled ", "3 of 12"},
		{"the note gives way to a filter", 46, true, " table [bytes] labelled   /git  3 of 12 ", "hybrid"},
		{"a filter is cut for the tabs", 42, true, " table [bytes] labelled   /git  3 ", "hybrid"},
		{"tabs give way to the beginning of a filter", 32, true, "[bytes] labelled   /git", "table"},
		{"the note gives way to the tabs", 32, false, " table [bytes] labelled ", "hybrid"},
		{"the active tab stays", 16, false, "[bytes]", "hybrid"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f.Whole = tt.whole
			b := NewBox(image.Rect(3, 2, 3+tt.w, 6), false, true)
			head := ansi.Strip(f.Draw(theme, b, nil)[0])
			if !strings.Contains(head, tt.want) || strings.Contains(head, tt.not) {
				t.Errorf("%q: want %q and not %q", head, tt.want, tt.not)
			}
			for i, label := range f.Tabs.Labels {
				at := strings.Index(head, label)
				if at < 0 {
					continue
				}
				x := 3 + ansi.StringWidth(head[:at])
				if got, ok := f.TabAt(b, image.Pt(x, 2)); !ok || got != i {
					t.Errorf("%q: a click on %s finds %d, %v", head, label, got, ok)
				}
			}
			if _, ok := f.TabAt(b, image.Pt(4, 3)); ok {
				t.Error("a click below the title finds a tab")
			}
		})
	}
}
