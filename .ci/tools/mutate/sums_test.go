package main

import (
	"path/filepath"
	"testing"
)

// Small runs that are each too small to judge are judged together, and a run of one seed
// counts once.
func TestRunsAreJudgedTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sums.json")
	r := &report{}
	for seed, enough := range []bool{true, true, false, false} {
		run := day{Seed: uint64(min(seed, 2)), Groups: map[string]*count{"engine": {Tried: 8, Noticed: 6}}}
		sums, err := addRun(path, run)
		if err != nil {
			t.Fatal(err)
		}
		if want := 8 * (min(seed, 2) + 1); sums["engine"].Tried != want {
			t.Errorf("run %d: %d tried, want %d", seed, sums["engine"].Tried, want)
		}
		if got := r.print(sums, 1, 0, nil); got != enough {
			t.Errorf("run %d: enough is %t", seed, got)
		}
	}
}

// What was long ago is forgotten.
func TestOldRunsAreForgotten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sums.json")
	var sums map[string]*count
	for seed := range 2 * remembered {
		var err error
		if sums, err = addRun(path, day{Seed: uint64(seed), Groups: map[string]*count{"gates": {Tried: 1}}}); err != nil {
			t.Fatal(err)
		}
	}
	if sums["gates"].Tried != remembered {
		t.Errorf("%d tried, want %d", sums["gates"].Tried, remembered)
	}
}
