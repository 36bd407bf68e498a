package tui

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/muesli/termenv"

	_ "caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/explore"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"

	tea "github.com/charmbracelet/bubbletea"
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
	_, err := w.Load(context.Background(), workbench.Input{Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}}})
	if err != nil {
		panic(err)
	}
	return w
})

// knowsDemo spares an explorer on the demo's registry the work that every test would do again.
func (a *App) knowsDemo(registry []watch.File) {
	if len(registry) == 1 && registry[0].Err == nil && bytes.Equal(registry[0].Data, demo.Registry()) {
		a.bench = demoBench().Aside()
		a.bench.Lookup = a.opt.Lookup
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

// Letters that are read at once come as one key, whose name may equal that of
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
