package tui

import (
	"strings"
	"testing"
)

// Every view of every screen is in the palette, and choosing it shows it or says
// what it is beside.
func TestPaletteGoesToViews(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := withEverything(t, size[0], size[1])
		labels := d.app().viewChoices()
		if len(labels) < 20 {
			t.Errorf("%v: only %d views", size, len(labels))
		}
		for _, c := range labels {
			d.Press("alt+7", "ctrl+p").Type(c.Label).Press("enter").settle()
			a := d.app()
			name := strings.TrimPrefix(c.Label, a.screen().Name()+": ")
			names, at := a.screen().Views()
			if len(names) == 0 || a.top() != nil {
				t.Fatalf("%v: %s leads to %s", size, c.Label, d.Screen())
			}
			if names[at] != name && !strings.HasPrefix(a.notices.Text, name+" is beside ") {
				t.Errorf("%v: %s shows %s and says %q", size, c.Label, names[at], a.notices.Text)
			}
		}
	}
	withEverything(t, 80, 24).Press("ctrl+p").Type("curve").wants("Budget: curve")
}
