//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

func TestResize(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 60).setup())
	x.Until("60 tools")
	x.search("crate")
	sizes := [][2]int{
		{20, 6}, {120, 36}, {80, 24}, {40, 10}, {20, 6}, {1, 1}, {2, 50}, {200, 3}, {39, 10}, {40, 9}, {41, 11},
		{119, 30}, {120, 29}, {120, 30}, {220, 60}, {79, 24}, {80, 23}, {120, 36},
	}
	for _, size := range sizes {
		w, h := size[0], size[1]
		x.Resize(w, h)
		if w >= 40 && h >= 10 {
			x.untilIntact()
		} else if w >= 20 && h >= 3 {
			x.UntilFunc(fmt.Sprintf("the size needed in %d×%d", w, h), func(s screen) bool { return s.Has(fmt.Sprintf("%d×%d", w, h), "40×10") })
		}
		x.Alive()
	}
	x.untilSelected("mcp_depot_")
	if s := x.untilQuery("crate"); !s.Has("60 tools") {
		t.Errorf("something is lost:\n%s", s)
	}
}

// untilIntact waits until the screen is whole.
func (x *terminal) untilIntact() screen {
	x.t.Helper()
	last := fmt.Errorf("nothing is drawn")
	defer func() {
		if x.t.Failed() {
			x.t.Log(last)
		}
	}()
	return x.UntilFunc("everything in its place", func(s screen) bool {
		last = intact(s)
		return last == nil
	})
}

func TestResizeFlood(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 60).setup())
	x.Until("60 tools")
	for i := range 100 {
		x.Resize(40+i, 10+i%40)
	}
	x.Resize(100, 28)
	x.untilIntact()
}

// TestScreenIsDrawnAnew puts letters on the terminal that the program did not
// write. It draws only what changes, so they stay until ctrl-l.
func TestScreenIsDrawnAnew(t *testing.T) {
	t.Parallel()
	x := start(t, setup{args: []string{"--no-state"}})
	x.Until("192 tools")
	x.mu.Lock()
	_, _ = x.emu.WriteString("\x1b[3;1Hgarbage\x1b[20;30Hgarbage")
	x.mu.Unlock()
	x.Key("down")
	x.Until("garbage")
	x.Key("ctrl+l")
	x.UntilGone("garbage")
}

// TestFramesAreSynchronized reads that every update that begins ends.
func TestFramesAreSynchronized(t *testing.T) {
	t.Parallel()
	const begin, end = "\x1b[?2026h", "\x1b[?2026l"
	x := start(t, setup{args: []string{"--no-state"}})
	x.Until("192 tools")
	x.Key("z")
	x.Until("> z")
	x.UntilFunc("the end of an update", func(screen) bool { return strings.HasSuffix(x.Output(), end) })
	if out := x.Output(); strings.Count(out, begin) == 0 || strings.Count(out, begin) != strings.Count(out, end) {
		t.Errorf("%d updates begin, %d end", strings.Count(out, begin), strings.Count(out, end))
	}
}
