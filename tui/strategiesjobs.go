package tui

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/selection"
	"caliper/model"
)

// strategiesWork is one of the jobs that measure.
type strategiesWork int

const (
	workLabelled strategiesWork = iota
	workPareto
	workConversation
	strategiesJobCount
)

// verb says what the work is.
func (k strategiesWork) verb() string {
	return [strategiesJobCount]string{"measuring", "measuring every K", "selecting"}[k]
}

// strategiesJob is the work behind a part.
type strategiesJob struct {
	gen    int
	of     *selection.Selector // that it works with, or has
	turns  []string            // likewise, of the conversation
	cancel context.CancelFunc
	steps  [2]int
	toobig bool // it waits to be asked for

	stopped bool  // somebody cancelled it; it waits likewise
	err     error // why it has no outcome; likewise
}

// strategiesDoneMsg tells how a job ended.
type strategiesDoneMsg struct {
	work    strategiesWork
	gen     int
	rows    []selection.Row
	points  []selection.Point
	threads []selection.Thread
	err     error
}

// strategiesStepMsg tells how far a job is.
type strategiesStepMsg struct {
	work        strategiesWork
	gen         int
	done, total int
	more        <-chan [2]int
}

// job returns the work behind the part that is shown; ok is false when it has
// none.
func (s *strategiesScreen) job() (work strategiesWork, ok bool) {
	switch s.part {
	case partLabelled:
		return workLabelled, true
	case partPareto:
		return workPareto, true
	case partConversation:
		return workConversation, true
	}
	return 0, false
}

// waits reports whether the job of the part begins when it is asked for.
func (s *strategiesScreen) waits() bool {
	work, ok := s.job()
	j := &s.jobs[work]
	return ok && s.material(work) > 0 && s.selector.made != nil && (j.toobig || j.stopped || j.err != nil)
}

// material returns of how many messages the work is made.
func (s *strategiesScreen) material(work strategiesWork) int {
	if work == workConversation {
		return len(s.messages)
	}
	return len(s.state.Queries)
}

// abandon stops a job that runs, so that it begins anew when it is wanted.
func (j *strategiesJob) abandon() {
	if j.cancel != nil {
		j.cancel()
		*j = strategiesJob{}
	}
}

// work begins the job of the part that is shown, once the index is made, so
// that nothing is measured twice.
func (s *strategiesScreen) work() tea.Cmd {
	work, ok := s.job()
	j := &s.jobs[work]
	if !ok || !s.shown() || s.leg.cancel != nil || s.selector.of != s.state || s.material(work) == 0 {
		return nil
	}
	if j.of == s.selector.made && slices.Equal(j.turns, s.turnsOf(work)) {
		return nil
	}
	return s.begin(work, false)
}

// turnsOf returns the turns that a job is about.
func (s *strategiesScreen) turnsOf(work strategiesWork) []string {
	if work == workConversation {
		return s.messages
	}
	return nil
}

// begin begins a job, unless that takes long and nobody has asked.
func (s *strategiesScreen) begin(work strategiesWork, asked bool) tea.Cmd {
	j := &s.jobs[work]
	j.abandon()
	s.changes++
	x := s.selector.made
	turns := slices.Clone(s.turnsOf(work))
	*j = strategiesJob{of: x, turns: turns, toobig: !asked && len(x.Candidates())*s.material(work) > evaluateAtOnce}
	if j.toobig {
		return nil
	}
	s.gen++
	ctx, cancel := context.WithCancel(s.app.ctx)
	j.gen, j.cancel = s.gen, cancel
	gen, queries := s.gen, s.state.Queries
	steps, progress := progressChannel()
	run := func() tea.Msg {
		defer close(steps)
		msg := strategiesDoneMsg{work: work, gen: gen}
		switch work {
		case workLabelled:
			msg.rows, msg.err = x.Compare(ctx, queries, progress)
		case workPareto:
			msg.points, msg.err = x.Pareto(ctx, queries, progress)
		case workConversation:
			msg.threads, msg.err = x.Converse(ctx, turns, progress)
		}
		return msg
	}
	return tea.Batch(run, awaitStrategiesStep(work, gen, steps))
}

// awaitStrategiesStep returns a command that waits for the next step of a job.
func awaitStrategiesStep(work strategiesWork, gen int, steps <-chan [2]int) tea.Cmd {
	return func() tea.Msg {
		step, ok := <-steps
		if !ok {
			return nil
		}
		return strategiesStepMsg{work, gen, step[0], step[1], steps}
	}
}

// stepped takes in how far a job is.
func (s *strategiesScreen) stepped(msg strategiesStepMsg) tea.Cmd {
	if j := &s.jobs[msg.work]; msg.gen == j.gen {
		j.steps = [2]int{msg.done, msg.total}
		s.changes++
	}
	return awaitStrategiesStep(msg.work, msg.gen, msg.more)
}

// finished takes in the outcome of the newest job.
func (s *strategiesScreen) finished(msg strategiesDoneMsg) {
	j := &s.jobs[msg.work]
	if msg.gen != j.gen || j.cancel == nil {
		return
	}
	j.cancel()
	j.cancel = nil
	s.changes++
	switch {
	case errors.Is(msg.err, context.Canceled):
		j.stopped = true
		return
	case msg.err != nil:
		j.err = msg.err
		s.tell(levelBad, msg.work.verb()+" failed: "+model.Sanitize(msg.err.Error()))
		return
	}
	switch msg.work {
	case workLabelled:
		s.rows = msg.rows
	case workPareto:
		s.points = msg.points
	case workConversation:
		s.threads = msg.threads
	}
}

// stop cancels the job of the part that is shown, else the making of the
// index; ok is false when neither runs. What was found before stays.
func (s *strategiesScreen) stop() (ok bool) {
	if work, has := s.job(); has && s.jobs[work].cancel != nil {
		j := &s.jobs[work]
		of, turns := j.of, j.turns
		j.abandon()
		*j = strategiesJob{of: of, turns: turns, stopped: true}
		s.changes++
		s.tell(levelInfo, work.verb()+" cancelled: enter starts it again")
		return true
	}
	return s.stopLeg()
}

// progress says how far the work is, empty when it is done.
func (s *strategiesScreen) progress() string {
	work, ok := s.job()
	j := &s.jobs[work]
	counted := func(verb string, steps [2]int) string {
		if s.w < 60 && steps[1] > 0 {
			return thousands(steps[0]) + "/" + thousands(steps[1])
		}
		if steps[1] > 0 {
			verb += " " + thousands(steps[0]) + " of " + thousands(steps[1])
		}
		return verb
	}
	switch {
	case s.leg.silent:
		return "no answer yet"
	case s.leg.cancel != nil:
		return counted("indexing", s.leg.steps)
	case !ok || s.material(work) == 0:
		return ""
	case j.toobig:
		return "enter starts it"
	case j.stopped:
		return "cancelled, enter starts it"
	case j.err != nil:
		return "failed, enter starts it"
	case j.cancel != nil:
		return counted(work.verb(), j.steps)
	}
	return ""
}
