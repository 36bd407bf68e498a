package ui

import (
	"context"
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// messages runs a command, and its batch's, and returns what they report.
func messages(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var out []tea.Msg
		for _, c := range msg {
			out = append(out, messages(c)...)
		}
		return out
	default:
		return []tea.Msg{msg}
	}
}

func double(n int) func(context.Context, Progress) (int, error) {
	return func(_ context.Context, progress Progress) (int, error) {
		progress(1, 2)
		return 2 * n, nil
	}
}

func TestOutcome(t *testing.T) {
	var j Job[int, int]
	msgs := messages(j.Start(t.Context(), 21, double(21)))
	if !j.Running {
		t.Error("not running before its end was taken in")
	}
	for _, msg := range msgs {
		if _, ok := msg.(stepped); !ok {
			continue
		}
		if _, _, mine := j.Update(msg); !mine {
			t.Error("its step is not taken in")
		}
		if j.Done != 1 || j.Total != 2 {
			t.Errorf("%d of %d done, want 1 of 2", j.Done, j.Total)
		}
	}
	var results []int
	for _, msg := range msgs {
		if result, _, _ := j.Update(msg); result != nil {
			results = append(results, *result)
		}
	}
	if len(results) != 1 || results[0] != 42 || j.Running || j.Of != 21 || !j.Begun || j.Waits() {
		t.Errorf("results %v, job %+v", results, j)
	}
}

// What replaced or stopped work reports changes nothing, and its context is
// cancelled.
func TestStale(t *testing.T) {
	tests := []struct {
		name  string
		leave func(*Job[int, int])
		want  Job[int, int]
	}{
		{"replaced", func(j *Job[int, int]) { j.Start(t.Context(), 2, double(2)) }, Job[int, int]{2, Status{Begun: true}}},
		{"stopped", func(j *Job[int, int]) { j.Stop() }, Job[int, int]{1, Status{Begun: true, Stopped: true}}},
		{"abandoned", func(j *Job[int, int]) { j.Abandon() }, Job[int, int]{}},
		{"held", func(j *Job[int, int]) { j.Hold(3) }, Job[int, int]{3, Status{Begun: true, Held: true}}},
	}
	for _, tt := range tests {
		var j Job[int, int]
		var inner context.Context
		cmd := j.Start(t.Context(), 1, func(ctx context.Context, p Progress) (int, error) {
			inner = ctx
			return double(1)(ctx, p)
		})
		old := messages(cmd)
		tt.leave(&j)
		if inner.Err() == nil {
			t.Errorf("%s: the context of the work goes on", tt.name)
		}
		for _, msg := range old {
			if result, next, mine := j.Update(msg); result != nil || next != nil || mine {
				t.Errorf("%s: %T is taken in", tt.name, msg)
			}
		}
		j.Running, j.run = false, nil
		if j != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, j, tt.want)
		}
	}
}

func TestFailure(t *testing.T) {
	full := errors.New("disk full")
	tests := []struct {
		name    string
		err     error
		want    error
		stopped bool
	}{
		{"failed", full, full, false},
		{"cancelled", context.Canceled, nil, true},
	}
	for _, tt := range tests {
		var j Job[string, int]
		for _, msg := range messages(j.Start(t.Context(), "q", func(context.Context, Progress) (int, error) { return 0, tt.err })) {
			if result, _, _ := j.Update(msg); result != nil {
				t.Errorf("%s: has a result", tt.name)
			}
		}
		if !errors.Is(j.Err, tt.want) || j.Stopped != tt.stopped || j.Running || !j.Waits() {
			t.Errorf("%s: %+v", tt.name, j)
		}
	}
}

// Progress never waits, whatever the number of steps that nobody reads.
func TestProgressNeverWaits(t *testing.T) {
	var j Job[int, int]
	cmd := j.Start(t.Context(), 1, func(_ context.Context, progress Progress) (int, error) {
		for i := range 1000 {
			progress(i, 1000)
		}
		return 1, nil
	})
	if got := messages(cmd); len(got) == 0 {
		t.Error("no message")
	}
}

// A goroutine that outlives the work reports to nobody, and breaks nothing.
func TestProgressAfterTheEnd(t *testing.T) {
	var j Job[int, int]
	var late Progress
	cmd := j.Start(t.Context(), 1, func(_ context.Context, progress Progress) (int, error) {
		late = progress
		return 1, nil
	})
	for _, msg := range messages(cmd) {
		j.Update(msg)
	}
	late(1, 2)
	late(2, 2)
	if j.Running {
		t.Error("still running")
	}
}
