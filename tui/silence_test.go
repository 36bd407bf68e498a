package tui

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/tui/demo"
	"caliper/tui/screen"
	"caliper/watch"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// TestNoKeyIsSilent presses random keys on every screen, at sizes from too small
// to very large. The driver checks each picture. Every key must change what is
// drawn above the footer, begin what the terminal sees (the editor), or end in
// a notice that tells why not.
func TestNoKeyIsSilent(t *testing.T) {
	t.Parallel()
	presses, walks, sizes := 60, 2, [][2]int{{20, 6}, {40, 10}, {80, 24}, {120, 36}}
	if *slow { // 20,000 keys a size; a new walk gets out of where keys lead nowhere else
		presses, walks, sizes = 500, 40, append(sizes, [2]int{200, 60})
	}
	keys := randomKeys()
	for i, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			for walk := range walks {
				t.Run(strconv.Itoa(walk), func(t *testing.T) { // whose explorer goes with it
					random := rand.New(rand.NewPCG(uint64(36+walk), uint64(i)))
					d := everything(t, size[0], size[1], walk%2 == 1)
					var pressed []string
					for range presses {
						if d.quit { // a command of the palette or of help, which ends the program
							d, pressed = everything(t, size[0], size[1], walk%2 == 1), nil
						}
						name := keys[random.IntN(len(keys))]
						if random.IntN(8) == 0 { // every screen is visited
							name = "alt+" + string(rune('1'+random.IntN(8)))
						}
						pressed = append(pressed, name)
						// Work that ends meanwhile can undo what a key changed. A silent
						// key changes nothing, and is silent again.
						answered := d.answers(name)
						if !answered {
							answered = d.answers(name)
						}
						if !answered {
							t.Fatalf("%s does nothing and does not say why, after %s:\n%s", name, strings.Join(pressed[max(0, len(pressed)-15):], " "), d.Screen())
						}
					}
				})
			}
		})
	}
}

// randomKeys returns the names of all keys but those that end the program, suspend
// it, or only repair the terminal, which show nothing.
func randomKeys() []string {
	keys := slices.Sorted(maps.Keys(namedKeys)) // the same random keys in each run
	for c := 'a'; c <= 'z'; c++ {
		if c != 'q' {
			keys = append(keys, string(c))
		}
	}
	return append(keys, strings.Fields("A K U S 0 Z é 課 9 alt+1 alt+4 alt+6 alt+7 alt+b alt+d alt+x ctrl+a ctrl+e ctrl+w ctrl+x ctrl+g ctrl+k ctrl+p ctrl+o ctrl+r ctrl+u ctrl+d ? : / * N G D R ! 1 5 [ ] x + >")...)
}

// answers presses a key, and reports whether it was answered.
func (d *driver) answers(name string) bool {
	d.t.Helper()
	a := d.app()
	whole, body, notices := d.Styled(), aboveFooter(d), a.notices.Gen
	d.Press(name)
	d.settle()
	switch {
	case a.inEditor:
		a.inEditor = false
	case a.layout.Message != "": // only the size that is needed is shown
	case a.find != nil && d.Styled() != whole: // its text is in the footer
	case (name == "tab" || name == "shift+tab") && d.Styled() != whole: // the hints follow the focus
	case aboveFooter(d) == body && a.notices.Gen == notices:
		return false
	}
	return true
}

// withEverything drives an explorer on the demo with labelled queries, a result and
// agents.
func withEverything(t *testing.T, w, h int) *driver { return everything(t, w, h, true) }

// everything is withEverything, without agents if there are to be none.
func everything(t *testing.T, w, h int, agents bool) *driver {
	opt := testOptions(demo.Registry(), demo.Config())
	folder := t.TempDir()
	opt.Config, opt.Queries = filepath.Join(folder, "config.yaml"), filepath.Join(folder, "queries.jsonl")
	give(&opt, screen.QueriesFile, watch.File{Name: opt.Queries, Data: demo.Queries()})
	(&sceneApp{sessions: "given"}).replays(&opt)
	scene := &sceneApp{t: t}
	if agents {
		scene.agents = new(sceneAgents)
		scene.serves(&opt)
	}
	d := startExplorer(t, opt, w, h)
	if scene.d = d; agents {
		scene.happens(t)
	}
	name := demo.ResultFiles[0]
	d.changed(screen.ResultFile, watch.File{Name: name, Data: demo.Result(name)})
	return d
}

// aboveFooter returns the picture without its last line.
func aboveFooter(d *driver) string {
	view := d.Styled()
	return view[:strings.LastIndexByte(view, '\n')+1]
}
