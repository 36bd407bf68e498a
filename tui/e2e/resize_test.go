//go:build unix

package e2e

import (
	"fmt"
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
	x.UntilFunc("no garbage", func(s screen) bool { return !s.Has("garbage") })
}
