package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/shapes"
	"caliper/tui/internal/bulk"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// TestFirstFrameWaitsForNoFile draws the first frame when no file was read, so that it
// takes as long with any registry, and heeds keys.
func TestFirstFrameWaitsForNoFile(t *testing.T) {
	t.Parallel()
	opt := testOptions(nil, nil)
	opt.Watch = func(screen.File, []string) (<-chan watch.Change, func()) {
		return make(chan watch.Change), nil // on which nothing comes
	}
	a := NewApp(t.Context(), opt)
	loads := 0
	a.prepare = append(a.prepare, func(*workbench.Input) { loads++ })
	a.Init() // whose commands wait for the files
	d := &driver{t: t, model: a, w: 120, h: 36}
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	d.check()
	d.wants("Explore]", "reading registry.json")
	press(a, 'x')
	d.check()
	d.wants("> x")
	if loads > 0 || a.state != nil {
		t.Errorf("%d loads before the first frame", loads)
	}
}

// TestRowsComeBeforeTheLoadEnds holds a first load after its first part: rows and
// progress are drawn, and keys are heeded. When it goes on, the screen is the one
// of a load that nobody looked at.
func TestRowsComeBeforeTheLoadEnds(t *testing.T) {
	t.Parallel()
	dump := bulk.Dump(4_000)
	files := []watch.File{{Name: "registry.json", Data: dump}}
	read, goOn := make(chan shapes.Part, 100), make(chan struct{})
	opt := testOptions(nil, nil)
	a := NewApp(t.Context(), opt)
	a.prepare = append(a.prepare, func(in *workbench.Input) {
		put, first := in.Part, true
		in.Part = func(p shapes.Part) {
			put(p)
			read <- p
			if first {
				first = false
				<-goOn
			}
		}
	})
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	d := &driver{t: t, model: a, w: 120, h: 36, late: make(chan tea.Msg, 1)}
	for file := range a.arrived {
		a.arrived[file] = screen.File(file) != screen.RegistryFile
	}
	d.wants("reading registry.json")
	run := a.accept(screen.RegistryFile, watch.Change{Files: files})
	loaded := make(chan tea.Msg, 1)
	go func() { loaded <- run() }()
	first := <-read
	if len(first.Tools) == 0 || first.Read >= first.Size {
		t.Fatalf("the first part has %d tools and %d of %d bytes", len(first.Tools), first.Read, first.Size)
	}
	reading := a.reading
	a.Update(reading.wait()().(arrivedMsg))
	d.check()
	d.wants("parsing 1.0 MB of 2.9 MB", "tools  "+ui.Thousands(len(first.Tools))+" so far", first.Tools[0].Name, first.Tools[20].Name)
	const waits = "ranked when all are read"
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x")})
	d.wants(waits)
	a.Update(tea.KeyMsg{Type: tea.KeyBackspace})
	if strings.Contains(d.Screen(), waits) {
		t.Errorf("an empty query waits:\n%s", d.Screen())
	}
	for _, k := range []tea.KeyMsg{{Type: tea.KeyTab}, {Type: tea.KeyEnd}} {
		a.Update(k)
	}
	d.wants(first.Tools[len(first.Tools)-1].Name)
	a.Update(tea.KeyMsg{Type: tea.KeyHome})
	a.Update(tea.KeyMsg{Type: tea.KeyDown})
	select {
	case <-loaded:
		t.Fatal("the load does not wait")
	default:
	}
	close(goOn)
	d.Send(<-loaded)
	if got := a.explore.Tool().Name; got != first.Tools[1].Name {
		t.Errorf("%s was selected, now %s is", first.Tools[1].Name, got)
	}
	if a.reading != nil || a.toolsArrived(arrivedMsg{reading}) != nil {
		t.Error("somebody still waits for tools")
	}
	d.Press("home", "shift+tab")
	d.Resize(140, 36) // where the borders are does not depend on what was selected before
	d.Resize(120, 36)
	opt = testOptions(dump, nil)
	if want := startExplorer(t, opt, 120, 36).Press("tab", "shift+tab"); d.Styled() != want.Styled() {
		t.Errorf("the screen is\n%s\nwant\n%s", d.Screen(), want.Screen())
	}
}

// TestArrivalsOfAFileThatIsReadAnew holds that what comes twice replaces what came
// before, and that a screen keeps what it was given.
func TestArrivalsOfAFileThatIsReadAnew(t *testing.T) {
	t.Parallel()
	r := newArrivals()
	tools := func(names string) (all []shapes.Heading) {
		for _, name := range strings.Fields(names) {
			all = append(all, shapes.Heading{Name: name})
		}
		return all
	}
	names := func(sources [][]shapes.Heading) string {
		text := ""
		for _, source := range sources {
			text += "|"
			for _, t := range source {
				text += t.Name
			}
		}
		return text
	}
	r.put(shapes.Part{Tools: tools("a b"), Read: 2, Size: 9})
	r.put(shapes.Part{First: 2, Tools: tools("c d"), Read: 4, Size: 9})
	before, _ := r.soFar()
	r.put(shapes.Part{First: 1, Tools: tools("x"), Read: 3, Size: 9})
	r.put(shapes.Part{Source: 1, Tools: tools("y z"), Read: 5, Size: 5})
	now, read := r.soFar()
	if got := names(now); got != "|ax|yz" || read != 8 {
		t.Errorf("%s, %d bytes", got, read)
	}
	if got := names(before); got != "|abcd" {
		t.Errorf("what was handed out is now %s", got)
	}
	close(r.over)
	if r.wait()() != nil {
		t.Error("after the load, somebody waits")
	}
}
