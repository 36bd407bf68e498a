package tui

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"caliper/tui/demo"
	"caliper/tui/screen"
	"caliper/tui/workbench"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// TestNoKeyIsSilent presses random keys on every screen, at sizes from too small
// to very large. The driver checks each picture. Every key must change what is
// drawn above the footer, begin what the terminal sees (the editor), or end in
// a notice that says why not.
func TestNoKeyIsSilent(t *testing.T) {
	t.Parallel()
	presses, sizes := 120, [][2]int{{20, 6}, {40, 10}, {80, 24}, {120, 36}}
	if *slow { // 20,000 keys a size still find screens on which a key is silent
		sizes = append(sizes, [2]int{200, 60})
	}
	var keys []string
	for _, name := range allKeys() {
		// What ends the program, suspends it, or only repairs the terminal shows
		// nothing.
		if name != "ctrl+c" && name != "ctrl+z" && name != "ctrl+l" && name != "q" {
			keys = append(keys, name)
		}
	}
	keys = append(keys, "A", "K", "U", "S", "0", "f1", "f2", "f8", "alt+b", "alt+d", "ctrl+a", "ctrl+e", "ctrl+w")
	for i, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(36, uint64(i)))
			d := withEverything(t, size[0], size[1])
			var last []string
			for range presses {
				name := keys[random.IntN(len(keys))]
				if random.IntN(8) == 0 { // every screen is visited
					name = "alt+" + string(rune('1'+random.IntN(7)))
				}
				a := d.app()
				whole := d.Styled()
				body, notices := aboveFooter(d), a.notices.Gen
				last = append(last[max(0, len(last)-14):], name)
				d.Press(name)
				d.settle()
				switch {
				case a.inEditor:
					a.inEditor = false
				case a.layout.Message != "": // only the size that is needed is shown
				case a.find != nil && d.Styled() != whole: // its text is in the footer
				case (name == "tab" || name == "shift+tab") && d.Styled() != whole: // the hints follow the focus
				case aboveFooter(d) == body && a.notices.Gen == notices:
					t.Fatalf("%s does nothing and does not say why, after %s:\n%s", name, strings.Join(last, " "), d.Screen())
				}
			}
		})
	}
}

// withEverything drives an explorer on the demo with labelled queries and a
// result.
func withEverything(t *testing.T, w, h int) *driver {
	opt := testOptions(demo.Registry(), demo.Config())
	folder := t.TempDir()
	opt.ConfigName, opt.QueriesName = filepath.Join(folder, "config.yaml"), filepath.Join(folder, "queries.jsonl")
	queries := make(chan Change, 1)
	queries <- Change{Files: []workbench.File{{Name: opt.QueriesName, Data: demo.Queries()}}}
	close(queries)
	opt.Changes[screen.QueriesFile] = queries
	d := startExplorer(t, opt, w, h)
	name := demo.ResultFiles[0]
	d.Send(changedMsg{file: screen.ResultFile, more: true, change: Change{Files: []workbench.File{{Name: name, Data: demo.Result(name)}}}})
	return d
}

// aboveFooter returns the picture without its last line.
func aboveFooter(d *driver) string {
	view := d.Styled()
	return view[:strings.LastIndexByte(view, '\n')+1]
}
