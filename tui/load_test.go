package tui

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"caliper/tui/demo"
	"caliper/tui/screen"
	"caliper/tui/workbench"
	"caliper/watch"
)

// TestLoadTellsItsPhase looks at a load that takes long: the header tells what
// it is doing and of how much, and is looked at again until it has ended.
func TestLoadTellsItsPhase(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
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
