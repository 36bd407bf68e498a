package tui

import (
	"strings"
	"testing"
	"time"

	"caliper/engine/selection"
	"caliper/model/require"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/watch"
)

// The gauge says in whatever room there is that keywords decide, and not the
// strategy.
func TestGaugeSaysThatKeywordsDecide(t *testing.T) {
	t.Parallel()
	p := explorer(t, 120, 36).app().header
	plain := ui.NewTheme(ui.Look{Plain: true})
	p.Gauge = desk.Gauge{Strategy: selection.Semantic, K: 8, Sent: &selection.Selection{SchemaTokens: 814, SavedPct: 97.5}}
	for w, want := range map[int]string{80: "saved 97.5%  semantic K 8 → keywords", 40: "semantic → keywords"} {
		if got := strings.Join(p.Draw(plain, w, 1), ""); strings.Contains(got, "→ keywords") {
			t.Errorf("nothing is wrong, and %d cells are %q", w, got)
		}
		p.Gauge.Sent.Notes = []selection.Note{{Code: selection.NoteEmbedderSlow}}
		if got := strings.Join(p.Draw(plain, w, 1), ""); !strings.Contains(got, want) {
			t.Errorf("%d cells are %q", w, got)
		}
		p.Gauge.Sent.Notes = nil
	}
}

// The demo is named at every size, before and after it is read, and behind boxes.
func TestDemoIsNamed(t *testing.T) {
	t.Parallel()
	p := newPlayer(t, "demo", "120x36", "dark")
	p.demo = true
	require.NoError(t, p.open())
	named := func(w, h int, when string) {
		p.d.Resize(w, h)
		screen := p.d.Screen()
		if first, _, _ := strings.Cut(screen, "\n"); !strings.Contains(first, "DEMO") && h >= smallHeight && w >= smallWidth || !strings.Contains(screen, "DEMO") {
			t.Errorf("%d×%d, %s:\n%s", w, h, when, screen)
		}
	}
	for _, size := range [][2]int{{20, 6}, {39, 12}, {40, 10}, {41, 11}, {60, 12}, {79, 24}, {80, 24}, {100, 29}, {120, 30}, {200, 60}} {
		w, h := size[0], size[1]
		for _, box := range []string{"", "f1", "ctrl+p", "ctrl+t"} {
			if box != "" {
				p.d.Press(box)
			}
			named(w, h, "after "+box)
			p.d.Press("esc", "esc")
		}
	}
	empty := drive(t, NewApp(t.Context(), Options{Demo: "demo", Still: true, Look: dark, Now: time.Now, Watch: func(screen.File, []string) (<-chan watch.Change, func()) { return nil, nil }}), 40, 10)
	if !strings.Contains(empty.Screen(), "DEMO") {
		t.Errorf("before it is read:\n%s", empty.Screen())
	}
}
