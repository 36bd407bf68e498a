package workbench

import (
	"slices"
	"testing"
)

func TestLoadTellsItsPhases(t *testing.T) {
	w := New()
	var phases []Phase
	load := func(in Input) []Phase {
		phases = nil
		in.Progress = func(p Phase) { phases = append(phases, p) }
		if _, err := w.Load(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		return phases
	}
	in := input(good, conf)
	asked := in
	asked.Flags.Message = "the first"
	for _, step := range []struct {
		name string
		in   Input
		want []Phase
	}{
		{"all is new", in, []Phase{PhaseParsing, PhaseCounting, PhaseIndexing}},
		{"nothing is new", in, nil},
		{"a message", asked, []Phase{PhaseSelecting}},
		{"another configuration", Input{Registry: in.Registry, Config: input("", conf+"# other\n").Config}, []Phase{PhaseCounting, PhaseIndexing}},
		{"a broken registry", input(broken, conf), []Phase{PhaseParsing, PhaseCounting, PhaseIndexing}},
	} {
		if got := load(step.in); !slices.Equal(got, step.want) {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
	}
	st, err := w.Load(t.Context(), in)
	if err != nil || st.Snapshot.Inputs().Began != nil {
		t.Errorf("a snapshot holds who was told of its build: %v", err)
	}
}
