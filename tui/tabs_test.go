package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestScreenTabs(t *testing.T) {
	want := "[1 Explore] 2 Budget  3 Scope  4 Strategies  5 Queries  6 Results  7 Activity   "
	if got := screenTabs(ScreenExplore).line(plainTheme(), mediumWidth); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	got := screenTabs(ScreenScope).line(plainTheme(), mediumWidth)
	if !strings.Contains(got, "[3 Scope]") || strings.Count(got, "[") != 1 {
		t.Errorf("got %q", got)
	}
	seen := map[int]string{}
	for x, r := range got {
		if i, ok := screenTabs(ScreenScope).at(x, mediumWidth); ok {
			seen[i] += string(r)
		}
	}
	for i, name := range screenNames {
		if !strings.Contains(seen[i], name) {
			t.Errorf("tab %d is clicked at %q, want %q", i, seen[i], name)
		}
	}
}

func TestTabsFitAnyWidth(t *testing.T) {
	for w := range 120 {
		for s := range screenCount {
			if got := ansi.StringWidth(screenTabs(s).line(NewTheme(Look{}), w)); got != w {
				t.Fatalf("%d cells, want %d", got, w)
			}
		}
	}
}
