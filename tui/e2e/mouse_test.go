//go:build unix

package e2e

import (
	"strings"
	"testing"
)

func TestClick(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 60).setup())
	x.Until("60 tools")
	s := x.search("crate")
	col, row, ok := s.Find("move_crate_005")
	if !ok {
		t.Fatalf("no such row:\n%s", s)
	}
	x.Click(col, row)
	s = x.untilSelected("move_crate_005")
	if !strings.Contains(s.lines[3], "move_crate_005") && !s.Has("move_crate_005 ─") {
		t.Errorf("the schema is another tool's:\n%s", s)
	}
	// The focus is there: a letter moves.
	x.Key("j")
	x.UntilFunc("the row below", func(s screen) bool { return selected(s) != "" && !strings.Contains(selected(s), "move_crate_005") })

	// A node of the tree opens.
	col, row, _ = x.Screen().Find("route")
	x.Click(col, row)
	x.Until("harbour")
	// A click beside a list closes it, one on a row chooses.
	x.Key("s")
	s = x.Until("clerk")
	x.Click(1, s.h-3)
	x.UntilGone("clerk")
	x.Key("s")
	col, row, _ = x.Until("clerk").Find("clerk")
	x.Click(col, row)
	x.Until("session clerk", "search OFF")
}

func TestMouseModes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
		on   bool
	}{
		{"default", nil, true},
		{"--no-mouse", []string{"--no-mouse"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := start(t, newSite(t, 30).setup(tt.args...))
			x.Until("30 tools")
			x.Key("esc", "q")
			x.Exit()
			modes := modesOf(x.Output())
			for _, mode := range []int{1000, 1002, 1003, 1006} {
				if on := len(modes[mode]) > 0 && modes[mode][0]; on && !tt.on {
					t.Errorf("mode %d was turned on", mode)
				}
			}
			if on := len(modes[1002]) > 0 && modes[1002][0]; on != tt.on {
				t.Errorf("mode 1002 turned on: %v", on)
			}
		})
	}
}
