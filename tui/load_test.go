package tui

import (
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/demo"
	"caliper/tui/screen"
	"caliper/tui/workbench"
	"caliper/watch"
)

// TestLoadTellsItsPhase looks at a load that takes long: the header tells what
// it is doing and of how much, and is looked at again until it has ended.
func TestLoadTellsItsPhase(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := explorer(t, size[0], size[1])
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
			if size[0] == 120 {
				d.wants(tc.want)
			}
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
}

// TestLoadIsLookedAtAfterAWhile: while a load runs, something is bound to look
// at it.
func TestLoadIsLookedAtAfterAWhile(t *testing.T) {
	t.Parallel()
	a := explorer(t, 80, 24).app()
	a.opt.Still = false
	batch, ok := a.Load(false)().(tea.BatchMsg)
	if !ok || len(batch) != 2 {
		t.Fatalf("a load is %d commands", len(batch))
	}
	if progressAfter != 200*time.Millisecond {
		t.Errorf("after %v", progressAfter)
	}
}

// TestDurationIsOfReading: how long a load took is said of files that were
// read, and not of what a key asked for.
func TestDurationIsOfReading(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	now, clock := opt.Now(), &sync.Mutex{}
	opt.Now = func() time.Time {
		clock.Lock()
		defer clock.Unlock()
		now = now.Add(12 * time.Millisecond)
		return now
	}
	d := startExplorer(t, opt, 120, 36)
	d.Press("esc", "s", "down", "enter").wants(" granted").lacks(" · in ")
	d.reload(screen.ConfigFile, string(demo.Config())+"\n# comment\n")
	d.wants("config reloaded · in ")
}
