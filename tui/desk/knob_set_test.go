package desk

import (
	"testing"

	"caliper/engine"
	"caliper/tui/workbench"
)

// tried returns what a load is given.
func (s *KnobSet) tried() ([]workbench.Knob, []workbench.Edit) {
	var f workbench.Flags
	s.Try(&f)
	return f.Knobs, f.Edits
}

func TestSetGoesBack(t *testing.T) {
	t.Parallel()
	s := NewKnobs()
	s.Show(load(t, ""))
	threshold, turns, k1 := labelled("threshold"), labelled("turns"), labelled("k1")
	if s.Undo() || s.Reset() {
		t.Error("there is something to undo before the first turn")
	}
	for range 3 {
		if changed, load := s.Turn(threshold, 1); !changed || !load {
			t.Error("a turn changes nothing")
		}
	}
	if changed, load := s.Turn(turns, 1); !changed || load {
		t.Errorf("a habit is loaded: %t", load)
	}
	s.Turn(k1, -1)
	s.Edit([]workbench.Edit{{Tool: "a", Description: "b"}})
	s.Turn(k1, -1) // which the edit has made another thing to undo
	if knobs, edits := s.tried(); len(knobs) != 2 || knobs[0].Value != 13.0 || len(edits) != 1 || s.CountTurned() != 2 || s.Habits().Turns != 25 {
		t.Errorf("%v, %v, %v", knobs, edits, s.Habits())
	}
	if got, left := s.ToWrite(), s.Left(); len(got) != 1 || got[0].Key != threshold.Key || len(left) != 1 || left[0].Label != "k1" {
		t.Errorf("to write: %v, left: %v", got, left)
	}
	if !s.Reset() || s.CountTurned() > 0 || s.Habits() != engine.DefaultHabits {
		t.Errorf("reset leaves %d and %v", s.CountTurned(), s.Habits())
	}
	for i, want := range []struct {
		threshold, k1 any
		turns         int
		edits         int
	}{{13.0, 1.3, 25, 1}, {13.0, 1.4, 25, 1}, {13.0, 1.4, 25, 0}, {13.0, 1.5, 25, 0}, {13.0, 1.5, 20, 0}, {10.0, 1.5, 20, 0}} {
		if !s.Undo() {
			t.Fatalf("undo %d does nothing", i)
		}
		if _, edits := s.tried(); s.Value(threshold) != want.threshold || s.Value(k1) != want.k1 || s.Habits().Turns != want.turns || len(edits) != want.edits {
			t.Errorf("undo %d: %v, %v, %v, %v", i, s.Value(threshold), s.Value(k1), s.Habits(), edits)
		}
	}
	if knobs, edits := s.tried(); s.CanUndo() || knobs != nil || edits != nil {
		t.Errorf("%v and %v are left", knobs, edits)
	}
}

// A turn after a pause is one thing more to undo, and a turn back to the value
// on disk tries nothing.
func TestSetPauses(t *testing.T) {
	t.Parallel()
	s := NewKnobs()
	s.Show(load(t, ""))
	threshold := labelled("threshold")
	s.Turn(threshold, 1)
	s.Pause()
	s.Turn(threshold, 1)
	if s.Undo(); s.Value(threshold) != 11.0 {
		t.Errorf("undo leads to %v", s.Value(threshold))
	}
	s.Turn(threshold, -1)
	if knobs, _ := s.tried(); knobs != nil || s.Turned(threshold) {
		t.Errorf("%v is tried", knobs)
	}
}

// What the files say by now is tried no more, and undo passes over it.
func TestSetDropsWhatTheFilesSay(t *testing.T) {
	t.Parallel()
	s := NewKnobs()
	s.Show(load(t, ""))
	threshold := labelled("threshold")
	s.Put(threshold, 12.0)
	s.Show(load(t, "tools: {tool_search: {threshold_pct: 12}}"))
	if len(s.Drop()) != 1 || len(s.Drop()) > 0 || s.CountTurned() > 0 {
		t.Errorf("%d are turned", s.CountTurned())
	}
	s.Put(threshold, 14.0)
	s.Forget(threshold.Key)
	if s.Value(threshold) != 12.0 {
		t.Errorf("%v is not forgotten", s.Value(threshold))
	}
	s = NewKnobs()
	s.Show(load(t, ""))
	s.Put(threshold, 11.0)
	s.Pause()
	s.Put(threshold, 12.0)
	s.Show(load(t, "tools: {tool_search: {threshold_pct: 11}}"))
	s.Put(threshold, 11.0)
	s.Drop()
	if s.Undo(); s.Value(threshold) != 12.0 {
		t.Errorf("undo leads to %v, not over the value of the file", s.Value(threshold))
	}
	if !s.Undo() || s.Value(threshold) != 11.0 {
		t.Errorf("undo leads to %v, not back to the value of the file", s.Value(threshold))
	}
	if s.Undo() {
		t.Error("undo changes nothing: the file has the value that was tried")
	}
}
