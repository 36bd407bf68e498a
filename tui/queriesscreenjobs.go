package tui

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/lint"
	"caliper/model"
	"caliper/tui/workbench"
)

// queriesJob is the work behind one part.
type queriesJob struct {
	gen    int
	of     *workbench.State // that it works on, or has; nil: nothing was begun
	cancel context.CancelFunc
	steps  [2]int
	toobig bool // it waits to be asked for

	stopped bool  // somebody cancelled it; it waits likewise
	err     error // why it has no outcome; likewise
}

// Work that asks more than this begins when it is asked for: queries times
// tools for an evaluation, tools otherwise.
const (
	evaluateAtOnce = 50_000_000
	surveyAtOnce   = 20_000
	lintAtOnce     = 5_000
)

// queriesDoneMsg tells how a job ended.
type queriesDoneMsg struct {
	part  queriesPart
	gen   int
	found queriesFound // in the field of the part
	err   error
}

// queriesStepMsg tells how far a job is.
type queriesStepMsg struct {
	part        queriesPart
	gen         int
	done, total int
	more        <-chan [2]int
}

// verb says what the work behind a part is.
func (p queriesPart) verb() string {
	return [queriesPartCount]string{"evaluating", "surveying", "linting"}[p]
}

// waits reports whether the job begins when it is asked for.
func (j *queriesJob) waits() bool { return j.toobig || j.stopped || j.err != nil }

// follow begins what the screen needs and has not, while it is on screen, and
// abandons what runs when it is left.
func (s *queriesScreen) follow() tea.Cmd {
	s.finding = s.app.find != nil
	cmds := []tea.Cmd{s.sayFaults(), s.told}
	s.told = nil
	if s.state == nil {
		return tea.Batch(cmds...)
	}
	if drop := s.app.dropSettled(); drop != nil {
		return tea.Batch(append(cmds, drop)...)
	}
	if s.app.mode.Screen != ScreenQueries {
		for p := range s.jobs {
			s.jobs[p].abandon()
		}
		s.why.stop()
		return tea.Batch(cmds...)
	}
	if job := &s.jobs[s.part]; job.of != s.state {
		cmds = append(cmds, s.begin(s.part, false))
	}
	if cmd := s.ask(); cmd != nil {
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// abandon stops a job that runs, so that it begins anew when it is wanted.
func (j *queriesJob) abandon() {
	if j.cancel != nil {
		j.cancel()
		j.cancel, j.of = nil, nil
		j.gen = 0
	}
}

// stop cancels the job of the part that is shown; ok is false when none runs.
// What was found before stays.
func (s *queriesScreen) stop() (ok bool) {
	job := &s.jobs[s.part]
	if job.cancel == nil {
		return false
	}
	job.abandon()
	*job = queriesJob{of: s.state, stopped: true}
	s.changes++
	s.tell(levelInfo, s.part.verb()+" cancelled: enter starts it again")
	return true
}

// tell shows a notice whose time begins to run when the message that is
// handled is through.
func (s *queriesScreen) tell(l level, words string) {
	s.told = tea.Batch(s.told, s.app.notices.show(l, words))
}

// begin begins the job of a part for the state, unless that takes long and
// nobody has asked.
func (s *queriesScreen) begin(part queriesPart, asked bool) tea.Cmd {
	job := &s.jobs[part]
	job.abandon()
	s.changes++
	*job = queriesJob{of: s.state, toobig: !asked && s.large(part)}
	if job.toobig {
		return nil
	}
	s.gen++
	ctx, cancel := context.WithCancel(s.app.ctx)
	job.gen, job.cancel = s.gen, cancel
	gen, state, bench, at := s.gen, s.state, s.app.loader.bench, s.app.opt.Now().Format("15:04:05")
	steps := make(chan [2]int, 1)
	progress := func(done, total int) {
		select {
		case <-steps:
		default:
		}
		steps <- [2]int{done, total}
	}
	run := func() tea.Msg {
		defer close(steps)
		msg := queriesDoneMsg{part: part, gen: gen}
		switch part {
		case partQueries:
			msg.found.evaluated, msg.err = evaluate(ctx, state, at, progress)
		case partDark:
			msg.found.reach, msg.err = lint.Survey(ctx, state.Unasked, progress)
		case partFindings:
			msg.found.report, msg.err = bench.Lint(ctx, *state, lint.Options{Progress: progress})
		}
		return msg
	}
	return tea.Batch(run, awaitQueriesStep(part, gen, steps))
}

// large reports whether the job of a part takes long.
func (s *queriesScreen) large(part queriesPart) bool {
	tools := len(s.state.Snapshot.Catalog())
	switch part {
	case partQueries:
		return tools*len(s.state.Queries)*(1+len(s.state.Rivals)) > evaluateAtOnce
	case partDark:
		return tools > surveyAtOnce
	}
	return tools > lintAtOnce
}

// awaitQueriesStep returns a command that waits for the next step of a job.
func awaitQueriesStep(part queriesPart, gen int, steps <-chan [2]int) tea.Cmd {
	return func() tea.Msg {
		step, ok := <-steps
		if !ok {
			return nil
		}
		return queriesStepMsg{part, gen, step[0], step[1], steps}
	}
}

// stepped takes in how far a job is.
func (s *queriesScreen) stepped(msg queriesStepMsg) tea.Cmd {
	if job := &s.jobs[msg.part]; msg.gen == job.gen {
		job.steps = [2]int{msg.done, msg.total}
		s.changes++
	}
	return awaitQueriesStep(msg.part, msg.gen, msg.more)
}

// finished takes in the outcome of the newest job of a part.
func (s *queriesScreen) finished(msg queriesDoneMsg) {
	job := &s.jobs[msg.part]
	if msg.gen != job.gen {
		return
	}
	job.cancel()
	job.cancel = nil
	s.changes++
	switch {
	case errors.Is(msg.err, context.Canceled):
		job.stopped = true
		return
	case msg.err != nil:
		job.err = msg.err
		s.tell(levelBad, msg.part.verb()+" failed: "+model.Sanitize(msg.err.Error()))
		return
	}
	switch msg.part {
	case partQueries:
		s.remember(msg.found.evaluated)
		s.found.evaluated = msg.found.evaluated
		s.compared()
	case partDark:
		s.found.reach, s.found.surveyed = msg.found.reach, true
	case partFindings:
		s.found.report, s.found.linted = msg.found.report, true
	}
	s.orderPart(msg.part)
}

// progress says how far the work of the part is, empty when it is done.
func (s *queriesScreen) progress() string {
	job := &s.jobs[s.part]
	verb := s.part.verb()
	switch {
	case job.toobig:
		return "enter starts it"
	case job.stopped:
		return "cancelled, enter starts it"
	case job.err != nil:
		return "failed, enter starts it"
	case job.cancel == nil:
		return s.since()
	case job.steps[1] > 0 && s.w >= 60:
		return verb + " " + thousands(job.steps[0]) + " of " + thousands(job.steps[1])
	case job.steps[1] > 0:
		return thousands(job.steps[0]) + "/" + thousands(job.steps[1])
	}
	return verb
}
