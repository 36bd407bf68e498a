//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

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
