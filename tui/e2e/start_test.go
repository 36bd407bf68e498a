//go:build unix

package e2e

import (
	"image/color"
	"testing"
)

func TestStartOnDemo(t *testing.T) {
	t.Parallel()
	x := start(t, setup{})
	s := x.Until("192 tools")
	if !s.Has("caliper", "33,056", "caliper-demo-", "query", "overview") { // scenes hold the rest
		t.Errorf("something is missing:\n%s", s)
	}
	if err := intact(s); err != nil {
		t.Errorf("%v:\n%s", err, s)
	}
	if !s.alt {
		t.Error("the alternate screen is not shown")
	}
}

func TestTypeAhead(t *testing.T) {
	t.Parallel()
	// Every place between the start and the first frame.
	for range 10 {
		x := start(t, newSite(t, 30).setup("--no-state"))
		x.Type("weigh")
		x.Until("30 tools")
		x.Type(" crate")
		x.untilQuery("weigh crate")
		x.Key("ctrl+c")
		x.Exit()
	}
}

func TestBackground(t *testing.T) {
	t.Parallel()
	const white = "\x1b]11;rgb:ffff/ffff/ffff"
	tests := []struct {
		name   string
		setup  setup
		pieces []string // what the terminal answers, each for a read of its own
		light  bool
	}{
		{name: "never answers"},
		{name: "light", setup: setup{answer: true, light: true}, light: true},
		{name: "dark", setup: setup{answer: true}},
		{name: "light, in two reads", pieces: []string{white[:12], white[12:] + "\x1b\\"}, light: true},
		{name: "flag wins", setup: setup{args: []string{"--theme", "dark"}, answer: true, light: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := start(t, tt.setup)
			leaked := ""
			x.Each(func(s screen) {
				if s.Has("rgb") || s.Has("11;") || s.Has("ffff") {
					leaked = s.String()
				}
			})
			x.Until("192 tools")
			for _, piece := range tt.pieces {
				x.send(piece)
			}
			x.UntilFunc("the theme", func(s screen) bool { return s.ink != nil && light(s.ink) != tt.light })
			x.Type("weigh")
			x.untilQuery("weigh")
			x.Each(nil)
			if leaked != "" {
				t.Errorf("the answer was typed:\n%s", leaked)
			}
		})
	}
}

// light reports whether a colour is rather light than dark.
func light(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return 2*r+5*g+b > 4*0xffff
}
