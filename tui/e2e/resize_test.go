//go:build unix

package e2e

import (
	"fmt"
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
