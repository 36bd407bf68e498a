//go:build unix

package e2e

import (
	"os"
	"strings"
	"testing"
)

// Turn the threshold until search turns over, see it on the curve, write it
// back, see the reload, and take it back.
func TestWriteBackFromTheBudget(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	was, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	set := s.setup()
	set.w, set.h = 80, 24
	x := start(t, set)
	x.Until("search ON")
	x.Key("alt+2", "v")
	x.Until("threshold", "auto is ON")
	for range 40 {
		if x.Screen().Has("search OFF") {
			break
		}
		before := x.Screen().Line("threshold")
		x.Key("right")
		x.UntilFunc("another threshold", func(now screen) bool { return now.Line("threshold") != before || now.Has("search OFF") })
	}
	x.Until("search OFF", "switches on with")
	x.Key("S")
	x.Until("write to settings.yaml", "threshold_pct")
	x.Key("y")
	x.Until("search OFF")
	x.UntilFunc("the file to be written", func(screen) bool {
		now, err := os.ReadFile(s.config)
		return err == nil && string(now) != string(was)
	})
	now, _ := os.ReadFile(s.config)
	if got, want := strings.Count(string(now), "\n"), strings.Count(string(was), "\n"); got != want {
		t.Errorf("%d lines, were %d:\n%s", got, want, now)
	}
	x.UntilGone("knob changed")
	x.Key("U")
	x.Until("settings.yaml", "threshold_pct")
	x.Key("y")
	x.Until("search ON")
	if now, _ := os.ReadFile(s.config); string(now) != string(was) {
		t.Errorf("not as it was:\n%s", now)
	}
}
