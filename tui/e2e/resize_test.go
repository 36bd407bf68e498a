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

func TestTooSmall(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, key string
		code      int
	}{
		{"q", "q", 0},
		{"ctrl-c", "ctrl+c", 130},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			set := newSite(t, 20).setup()
			set.w, set.h = 20, 6
			x := start(t, set)
			s := x.Until("40×10")
			if s.Has("caliper") || s.Has("│") || s.Has("┃") {
				t.Errorf("more than the message is drawn:\n%s", s)
			}
			x.Type("wx") // into what cannot be seen
			x.Key("esc", "enter", tt.key)
			if code := x.Exit(); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if query := x.rememberedQuery(); query != "" {
				t.Errorf("the query is %q", query)
			}
		})
	}
}

func TestSmallLayouts(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{40, 10}, {80, 24}} {
		t.Run(fmt.Sprintf("%d×%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			set := newSite(t, 30).setup()
			set.w, set.h = size[0], size[1]
			x := start(t, set)
			x.untilLoaded("move_crate_001")
			x.search("weigh")
			x.untilSelected("weigh_crate")
			x.untilIntact()
			x.Key("tab", "tab") // the schema
			x.Until("parameters")
			x.untilIntact()
			x.Key("tab")
			x.Until("idf")
			x.untilIntact()
			x.Key("tab")
			x.Until("ALLOWED")
			x.untilIntact()
			x.Key("tab", "tab")
			x.untilSelected("weigh_crate")
			x.Key("?")
			x.Until("help")
			x.Key("esc", "s")
			x.Until("clerk")
			x.Key("esc")
			x.UntilGone("clerk")
			x.untilIntact()
		})
	}
}
