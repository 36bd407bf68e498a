package ui

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"
)

// Progress reports how much of the work is done. It never blocks, and may be
// called from any goroutine of the work; one that outlives the work is not heard.
type Progress func(done, total int)

// Status is how far a job is, whatever its question and its result.
type Status struct {
	Begun       bool  // there is a question
	Held        bool  // the work is large, and waits until the user starts it
	Stopped     bool  // the user stopped the work
	Running     bool  // a run is current
	Err         error // why the work failed; nil when it did not
	Done, Total int   // progress of the current run; Total is 0 while it is unknown

	run *run // nil unless Running
}

// Job is the work on a question of type Q with a result of type R. The zero
// value has no question.
type Job[Q, R any] struct {
	Of Q // the current question
	Status
}

// run is one execution of the work, identified by its address.
type run struct {
	cancel context.CancelFunc
	steps  chan [2]int
	over   chan struct{} // closed when the work has returned
}

// ended reports the result of a run.
type ended[R any] struct {
	run    *run
	result R
	err    error
}

// stepped reports the progress of a run.
type stepped struct {
	run         *run
	done, total int
}

// Start cancels the current run and returns the command that runs work for the
// question of. The work should return soon after its context is cancelled.
func (j *Job[Q, R]) Start(ctx context.Context, of Q, work func(context.Context, Progress) (R, error)) tea.Cmd {
	j.Reset()
	j.Of = of
	return j.start(ctx, func(ctx context.Context, r *run) tea.Msg {
		result, err := work(ctx, r.progress)
		return ended[R]{r, result, err}
	})
}

// start returns the command of a run. It is the part of Start that knows neither question nor result,
// so that there is one copy for all jobs.
func (s *Status) start(ctx context.Context, work func(context.Context, *run) tea.Msg) tea.Cmd {
	ctx, cancel := context.WithCancel(ctx)
	r := &run{cancel: cancel, steps: make(chan [2]int, 1), over: make(chan struct{})}
	*s = Status{Begun: true, Running: true, run: r}
	do := func() tea.Msg {
		defer close(r.over)
		return work(ctx, r)
	}
	return tea.Batch(do, r.await)
}

// progress records a step. It keeps only the newest.
func (r *run) progress(done, total int) {
	select {
	case <-r.steps:
	default:
	}
	select {
	case r.steps <- [2]int{done, total}:
	default: // another goroutine of the work recorded a step meanwhile
	}
}

// await waits for the next step, or the end of the work.
func (r *run) await() tea.Msg {
	select {
	case step := <-r.steps:
		return stepped{r, step[0], step[1]}
	case <-r.over:
	}
	select {
	case step := <-r.steps: // both had come
		return stepped{r, step[0], step[1]}
	default:
		return nil
	}
}

// Update handles a message of the job. Mine is false for all other messages.
// Result is not nil when the work succeeded; otherwise Err or Stopped of the
// job is set.
func (j *Job[Q, R]) Update(msg tea.Msg) (result *R, cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case stepped:
		if msg.run != j.run || !j.Running {
			return nil, nil, false
		}
		j.Done, j.Total = msg.done, msg.total
		return nil, j.run.await, true
	case ended[R]:
		if msg.run != j.run || !j.Running {
			return nil, nil, false
		}
		j.run.cancel()
		j.Status = Status{Begun: true}
		switch {
		case errors.Is(msg.err, context.Canceled):
			j.Stopped = true
		case msg.err != nil:
			j.Err = msg.err
		default:
			return &msg.result, nil, true
		}
		return nil, nil, true
	}
	return nil, nil, false
}

// Hold records a question without starting its work, because the work is large:
// the caller starts it with Start when the user asks for it. The current run is
// cancelled.
func (j *Job[Q, R]) Hold(of Q) {
	j.Reset()
	j.Of, j.Begun, j.Held = of, true, true
}

// Waits reports whether the work starts only when the user asks for it: it is
// held, was stopped, or failed.
func (s *Status) Waits() bool { return s.Held || s.Stopped || s.Err != nil }

// Stop cancels the current run on behalf of the user, who can start it again.
// It returns false when nothing runs.
func (s *Status) Stop() bool {
	if !s.Running {
		return false
	}
	s.run.cancel()
	*s = Status{Begun: true, Stopped: true}
	return true
}

// Abandon cancels the current run and forgets its question, because the result
// is not needed now. It does nothing when nothing runs.
func (j *Job[Q, R]) Abandon() {
	if j.Running {
		j.Reset()
	}
}

// Reset cancels the current run and forgets the question.
//
//go:noinline // or each caller has a copy
func (j *Job[Q, R]) Reset() {
	if j.Running {
		j.run.cancel()
	}
	*j = Job[Q, R]{}
}
