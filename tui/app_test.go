package tui

import (
	"bytes"
	"context"
	"image"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	_ "caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/explore"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// dark is the look that most tests draw in.
var dark = ui.Look{Profile: termenv.TrueColor}

// testOptions returns options for an explorer on a registry and a
// configuration, with a clock that stands still.
func testOptions(registry, config []byte) Options {
	now := time.Date(2026, 11, 2, 14, 3, 41, 0, time.UTC)
	opt := Options{
		Registry: []string{"registry.json"}, Config: "config.yaml",
		Look: dark, Still: true,
		Now: func() time.Time { return now },
	}
	give(&opt, screen.RegistryFile, watch.File{Name: "registry.json", Data: registry})
	give(&opt, screen.ConfigFile, watch.File{Name: "config.yaml", Data: config})
	return opt
}

// give makes the watcher of an input report files once. Nothing watches an input without any.
func give(opt *Options, input screen.File, files ...watch.File) {
	before := opt.Watch
	opt.Watch = func(asked screen.File, paths []string) (<-chan watch.Change, func()) {
		switch {
		case asked == input:
			changes := make(chan watch.Change, 1)
			changes <- watch.Change{Files: files}
			close(changes) // nobody waits for another
			return changes, nil
		case before != nil:
			return before(asked, paths)
		}
		return nil, nil
	}
}

// demoBench has read the demo, counted its tokens and made its index.
var demoBench = sync.OnceValue(func() *workbench.Workbench {
	w := workbench.New()
	_, err := w.Load(context.Background(), workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}}, Queries: &watch.File{Name: demo.QueriesFile, Data: demo.Queries()},
	})
	if err != nil {
		panic(err)
	}
	return w
})

// knowsDemo spares an explorer on the demo's registry the work that every test would do again.
func (a *App) knowsDemo(registry []watch.File) {
	if len(registry) == 1 && registry[0].Err == nil && bytes.Equal(registry[0].Data, demo.Registry()) {
		lookup, files := a.bench.Lookup, a.bench.Files
		*a.bench = *demoBench().Aside()
		a.bench.Lookup, a.bench.Files = lookup, files
	}
}

// explorer drives an explorer on the demo.
func explorer(t testing.TB, w, h int) *driver {
	t.Helper()
	return startExplorer(t, testOptions(demo.Registry(), demo.Config()), w, h)
}

// startExplorer drives an explorer until it has loaded.
func startExplorer(t testing.TB, opt Options, w, h int) *driver {
	t.Helper()
	a := NewApp(t.Context(), opt)
	t.Cleanup(a.stop)
	if _, measured := t.(*testing.B); !measured && opt.Watch != nil {
		if changes, _ := opt.Watch(screen.RegistryFile, opt.Registry); len(changes) == 1 {
			c := <-changes
			a.knowsDemo(c.Files)
			give(&a.opt, screen.RegistryFile, c.Files...)
		}
	}
	d := drive(t, a, w, h)
	for a.state == nil {
		d.Send(<-d.late)
	}
	return d
}

// app returns the explorer that is driven.
func (d *driver) app() *App { return d.model.(*App) }

// reload delivers new bytes of a part as a watcher would.
func (d *driver) reload(part screen.File, data string) {
	d.t.Helper()
	a := d.app()
	gen := a.gen
	d.changed(part, watch.File{Name: []string{"registry.json", "config.yaml"}[part], Data: []byte(data)})
	for a.paused == false && (a.gen == gen || a.cancel != nil) {
		d.Send(<-d.late)
	}
}

// changed delivers the files of an input as its watcher does.
func (d *driver) changed(file screen.File, files ...watch.File) {
	d.t.Helper()
	d.Send(thenMsg(func() tea.Cmd { return d.app().changed(file, watch.Change{Files: files}) }))
}

// settle feeds in late messages until no load is running.
func (d *driver) settle() *driver {
	for d.app().cancel != nil {
		d.Send(<-d.late)
	}
	return d
}

// wants fails unless the screen holds every text.
func (d *driver) wants(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if !strings.Contains(d.Screen(), text) {
			d.t.Fatalf("the screen does not show %q:\n%s", text, d.Screen())
		}
	}
	return d
}

// lacks fails when the screen holds a text.
func (d *driver) lacks(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if strings.Contains(d.Screen(), text) {
			d.t.Fatalf("the screen shows %q:\n%s", text, d.Screen())
		}
	}
	return d
}

// Letters that are read at once come as one key, whose name may equal the name of
// another.
func TestLettersReadAtOnce(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	for _, word := range []string{"delete", "up", "end", "tab"} {
		d.Press("ctrl+u").Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(word)})
		if got := d.app().explore.Case().Query; got != word || d.app().explore.Focus() != explore.PaneQuery {
			t.Errorf("%s typed at once gives %q", word, got)
		}
	}
	d.Press("esc", "esc").Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjj")})
	if got, want := d.app().explore.Tool(), d.app().state.Snapshot.ByName()[3]; got != want {
		t.Errorf("jjj goes to %s, not to the fourth row", got.Qualified)
	}
}

// The areas for every size are inside, do not overlap, and are as large
// in sum as the terminal: then it covers it.
func TestArrangeCoversTheTerminal(t *testing.T) {
	t.Parallel()
	for w := 1; w <= 200; w++ {
		for h := 1; h <= 60; h++ {
			l := Arrange(w, h)
			areas := []image.Rectangle{l.Header, l.Tabs, l.Body, l.Footer}
			if l.Message != "" {
				areas = []image.Rectangle{l.Whole}
			}
			area := 0
			for i, r := range areas {
				if !r.In(l.Whole) {
					t.Fatalf("%d×%d: %v is outside", w, h, r)
				}
				for _, o := range areas[:i] {
					if r.Overlaps(o) {
						t.Fatalf("%d×%d: %v and %v overlap", w, h, r, o)
					}
				}
				area += r.Dx() * r.Dy()
			}
			if area != w*h {
				t.Fatalf("%d×%d: %d of %d cells are covered", w, h, area, w*h)
			}
		}
	}
}

func TestArrange(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name               string
		w, h               int
		header, tabs, body int
	}{
		{"large", 120, 36, 3, 1, 31},
		{"large, at least", 120, 30, 3, 1, 25},
		{"wide but low", 160, 24, 2, 1, 20},
		{"medium", 80, 24, 2, 1, 20},
		{"small", 40, 10, 1, 0, 8},
		{"narrow but tall", 60, 50, 1, 0, 48},
	}
	for _, tt := range tests {
		l := Arrange(tt.w, tt.h)
		if l.Header.Dy() != tt.header || l.Tabs.Dy() != tt.tabs || l.Body.Dy() != tt.body || l.Footer.Dy() != 1 {
			t.Errorf("%s: %+v", tt.name, l)
		}
	}
	for _, size := range [][2]int{{20, 6}, {39, 60}, {200, 9}} {
		if l := Arrange(size[0], size[1]); l.Message == "" {
			t.Errorf("%v is not too small", size)
		}
	}
	if got, want := Arrange(20, 6).Message, "terminal 20×6, need 40×10"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

// TestLoadTellsItsPhase looks at a load that takes long: the header tells what
// it is doing and of how much, and is looked at again until it has ended.
func TestLoadTellsItsPhase(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, testOptions(append(demo.Registry(), '\n'), demo.Config()), 120, 36) // not one that is known
	a := d.app()
	if got := workbench.Phase(a.phase.Load()); got != workbench.PhaseIndexing {
		t.Errorf("the last phase of the load was %d", got)
	}
	a.input.Registry = []watch.File{{Name: "registry.json", Data: append(demo.Registry(), strings.Repeat(" ", 45_800_000-len(demo.Registry()))...)}}
	run := a.Load(false) // and does not run it yet
	a.opt.Still = false
	for _, tc := range []struct {
		phase workbench.Phase
		want  string
	}{
		{workbench.PhaseReading, "reading 45.8 MB"},
		{workbench.PhaseParsing, "parsing 45.8 MB"},
		{workbench.PhaseCounting, "counting the tokens of 45.8 MB"},
		{workbench.PhaseIndexing, "indexing 45.8 MB"},
		{workbench.PhaseSelecting, "selecting tools for the message"},
	} {
		a.phase.Store(int32(tc.phase))
		a.picture = "" // no message has changed it
		if a.slow(a.gen) == nil {
			t.Errorf("%s: nobody looks again", tc.want)
		}
		d.wants(tc.want)
	}
	if a.slow(a.gen-1) != nil {
		t.Error("a load that was abandoned is looked at")
	}
	d.Send(run())
	d.lacks("45.8 MB", "selecting tools")
	if a.slow(a.gen) != nil {
		t.Error("a load that has ended is looked at")
	}
}

// TestDurationIsOfReading: how long a load took is said of files that were read.
func TestDurationIsOfReading(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	began := opt.Now()
	var passed atomic.Int64
	opt.Now = func() time.Time { return began.Add(time.Duration(passed.Add(int64(12 * time.Millisecond)))) }
	d := startExplorer(t, opt, 120, 36)
	d.reload(screen.ConfigFile, string(demo.Config())+"\n# comment\n")
	d.wants("config reloaded · in ")
}
