package tui

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"caliper/tui/demo"
	"caliper/tui/workbench"
)

func TestResultsGoldens(t *testing.T) {
	t.Parallel()
	looks := map[string]Look{"plain": {Plain: true}, "dark": dark, "light": {Light: true, Profile: termenv.TrueColor}}
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		for look, l := range looks {
			t.Run(fmt.Sprintf("%dx%d-%s", size[0], size[1], look), func(t *testing.T) {
				for name, screen := range resultsPictures(t, l, size[0], size[1]) {
					if l.Plain && strings.Contains(screen, "\x1b") {
						t.Error("a plain theme writes escape sequences")
					}
					if !l.Plain && name != "" && name != "-answer" {
						continue // what they are made of is in these two
					}
					golden(t, fmt.Sprintf("results-%dx%d-%s%s", size[0], size[1], look, name), strings.ReplaceAll(screen, "\x1b", "␛"))
				}
			})
		}
	}
}

// resultsPictures draws every part of the screen, by its name.
func resultsPictures(t *testing.T, l Look, w, h int) map[string]string {
	t.Helper()
	opt := demoResults()
	opt.Look, opt.Store = l, filepath.Join(t.TempDir(), "kept")
	out := map[string]string{}
	d := startExplorer(t, opt, w, h).judged("alt+6")
	out[""] = d.Styled()
	d.asking("outline", "grep ERROR").Type("range 100")
	out["-slices"] = d.Styled()
	d.judged("enter").Press("esc")
	out["-answer"] = d.Styled()
	out["-rules"] = d.viewing(partRules).Styled()
	d.judged("a").judged("right", "a")
	d.app().notices.showing = false
	d.app().results.kept.status.Path = "/some/folder" // that of the test is another every time
	d.Press("down")
	out["-store"] = d.Styled()
	d.Press("tab")
	out["-kept"] = d.Styled()
	if w < knobsBeside {
		out["-knobs"] = d.viewing(partLimits).Styled()
	}
	out["-gap"] = d.Press("m").Styled()
	out["-whole"] = d.judged("t").Type("terminal").judged("enter").Styled()
	out["-paste"] = d.Press("p").Paste("a line\nand another").Styled()
	return out
}

// Every part is exactly as wide and high as it is told, wherever the cursors
// are.
func TestResultsFitAnySize(t *testing.T) {
	t.Parallel()
	d := onResults(t, 120, 36).asking("outline", "full", "range 100", "search wind").Press("esc")
	s := &d.app().results
	keys := []string{"v", "tab", "down", "up", "G", "g", "pgdown", "left", "right", "e", "p", "esc", "n", "x"}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(1, 180).Draw(rt, "w"), rapid.IntRange(1, 50).Draw(rt, "h")
		for range rapid.IntRange(0, 6).Draw(rt, "presses") {
			d.judged(rapid.SampledFrom(keys).Draw(rt, "key"))
		}
		if d.app().mode.Screen != ScreenResults {
			d.judged("alt+6")
		}
		theme := NewTheme(Look{Plain: rapid.Bool().Draw(rt, "plain"), ASCII: rapid.Bool().Draw(rt, "ascii")})
		if err := fits(strings.Join(s.draw(theme, w, h), "\n"), w, h); err != nil {
			rt.Fatalf("%s: %v", s.part, err)
		}
	})
}

// Text of a result that would act on the terminal does not.
func TestResultsHostile(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("\x1b]52;c;aGk=\x07 \u202e \x9b2J\r\n", 2000)
	opt := withResults(testOptions(demo.Registry(), demo.Config()), workbench.File{Name: "mcp_\x1b[2J.log", Data: []byte(text)})
	d := startExplorer(t, opt, 80, 24).judged("alt+6", "t").Type("web_extract").judged("enter").wants("RESCUED")
	d.asking("grep aGk", "range 3 1", "pointer /\u202e").Press("esc", "f").Press("esc").viewing(partSeen)
}
