package tui

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/tui/desk"
	"caliper/tui/screen"
)

// While anything is tried, undo, reset and save work in every view and pane of every
// screen.
func TestTriedFromEveryScreen(t *testing.T) {
	t.Parallel()
	d := withEverything(t, 120, 36)
	a := d.app()
	threshold := desk.KnobOf("tools.tool_search.threshold_pct")
	for i, s := range a.screens {
		a.goTo(i)
		d.Screen() // some screens know their views when they are drawn
		for view := range viewCount(s) {
			for pane := range panes(s) {
				where := s.Name() + " view " + strconv.Itoa(view) + " pane " + strconv.Itoa(pane)
				arrive := func() {
					d.run(a.turn(threshold, 1))
					d.settle()
					a.goTo(i)
					s.ShowView(view)
					d.wants("WHAT IF")
					if s == a.explore { // out of the query box
						a.explore.FocusQuery()
						s.Next(1 + pane)
					}
				}
				whatIf := func() bool { return strings.Contains(d.Screen(), "WHAT IF") }
				arrive()
				if d.Press("u").settle(); whatIf() || !strings.Contains(d.Screen(), "undone") {
					t.Errorf("%s: u does not undo:\n%s", where, d.Screen())
				}
				arrive()
				if d.Press("0").settle(); whatIf() {
					t.Errorf("%s: 0 does not reset:\n%s", where, d.Screen())
				}
				arrive()
				if d.Press("S").settle(); !strings.Contains(d.Screen(), "threshold_pct: 11") {
					t.Errorf("%s: S shows no diff:\n%s", where, d.Screen())
				}
				d.Press("esc", "0").settle()
			}
		}
	}
}

// viewCount returns how many views a screen has now.
func viewCount(s screen.Screen) int {
	names, _ := s.Views()
	return max(1, len(names))
}

// panes returns how many panes of a screen take letters as keys.
func panes(s screen.Screen) int {
	if s.Name() == "Explore" {
		return 4
	}
	return 1
}

// TestScreensFitAnySize goes through the views of every screen at random sizes: the driver checks
// after each key that the screen has its size and holds no control characters.
func TestScreensFitAnySize(t *testing.T) {
	t.Parallel()
	d := withEverything(t, 120, 36)
	a := d.app()
	keys := []string{"v", "tab", "down", "up", "G", "g", "pgdown", "left", "right", "+", "d", "e", "esc", "n", ">"}
	rapid.Check(t, func(rt *rapid.T) {
		d.Press("esc", "esc", "esc")
		a.goTo(rapid.IntRange(0, len(a.screens)-1).Draw(rt, "screen"))
		d.Screen() // some screens know their views when they are drawn
		a.screen().ShowView(rapid.IntRange(0, viewCount(a.screen())-1).Draw(rt, "view"))
		for range rapid.IntRange(1, 8).Draw(rt, "presses") {
			d.Resize(rapid.IntRange(1, 200).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h"))
			d.Press(rapid.SampledFrom(keys).Draw(rt, "key")).settle()
		}
	})
}
