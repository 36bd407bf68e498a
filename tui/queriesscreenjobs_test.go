package tui

import (
	"context"
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// heldBack presses a key without running what it starts, and returns that.
func (d *driver) heldBack(key string) tea.Cmd {
	d.t.Helper()
	_, cmd := d.app().Update(d.key(key))
	d.check()
	return cmd
}

func TestQueriesCancel(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, demoQueries(), 120, 36)
	work := d.heldBack("alt+5")
	d.wants("[5 Queries]", "evaluating")
	s := &d.app().queries
	job := s.jobs[partQueries]
	d.Send(queriesStepMsg{part: partQueries, gen: job.gen, done: 7, total: 80, more: closedSteps()})
	d.wants("evaluating 7 of 80", "esc cancels")
	d.Press("esc").wants("[5 Queries]", "evaluating was cancelled", "enter starts it again", "evaluating cancelled: enter starts it again")
	d.run(work) // it ends, and nobody wants to know
	if s.found.evaluated != nil {
		t.Fatal("what was cancelled has an outcome")
	}
	d.wants("evaluating was cancelled").worked("enter").wants("11 of 80 missed")
}

// closedSteps are the steps of a job that makes no more.
func closedSteps() <-chan [2]int {
	steps := make(chan [2]int)
	close(steps)
	return steps
}

func TestQueriesCancelKeepsWhatWasFound(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36)
	s := &d.app().queries
	work := s.begin(partQueries, true)
	d.Press("/").Type("cardh").Press("enter")
	if s.jobs[partQueries].cancel == nil {
		t.Fatal("typing a filter cancels the work")
	}
	d.Press("/", "esc")
	if s.jobs[partQueries].cancel == nil {
		t.Fatal("leaving a filter cancels the work")
	}
	d.Press("esc").wants("11 of 80 missed", "cancelled, enter starts it", "cardholder", "[5 Queries]")
	d.run(work)
	d.worked("enter").wants("[5 Queries]", "11 of 80 missed").lacks("cancelled, enter").Press("enter").wants("[1 Explore]")
}

func TestQueriesLeavingAbandonsTheWork(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, demoQueries(), 120, 36)
	work := d.heldBack("alt+5")
	s := &d.app().queries
	d.Press("alt+1")
	if s.jobs[partQueries].cancel != nil {
		t.Fatal("it still runs")
	}
	d.run(work)
	if s.found.evaluated != nil {
		t.Fatal("it was not abandoned")
	}
	d.worked("alt+5").wants("11 of 80 missed")
	d.worked("j")
	s.why.answers = nil
	ctx, cancel := context.WithCancel(t.Context())
	s.why.cancel = cancel
	d.Press("alt+1")
	if ctx.Err() == nil {
		t.Error("why not is still worked out")
	}
}

func TestQueriesQuittingAbandonsTheWork(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, demoQueries(), 120, 36)
	d.heldBack("alt+5")
	a := d.app()
	state, bench := a.state, a.loader.bench
	d.Press("ctrl+c")
	if _, err := evaluate(a.ctx, state, "", func(int, int) {}); !errors.Is(err, context.Canceled) || bench == nil || !d.quit {
		t.Errorf("%v", err)
	}
}

func TestQueriesTellFailures(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, demoQueries(), 120, 36)
	d.heldBack("alt+5")
	s := &d.app().queries
	d.Send(queriesDoneMsg{part: partQueries, gen: s.jobs[partQueries].gen, err: errors.New("out of \x1bluck")})
	d.wants("error: evaluating failed: out of", "enter starts it again").worked("enter").wants("11 of 80 missed")
	d.heldBack("v")
	d.Send(queriesDoneMsg{part: partDark, gen: s.jobs[partDark].gen, err: context.Canceled})
	d.wants("surveying was cancelled").worked("enter").wants("0 of 167, 1 partly")
	d.heldBack("v")
	d.Send(queriesDoneMsg{part: partFindings, gen: 0, err: errors.New("an old one")})
	d.lacks("an old one").wants("linting")
	s.begin(partQueries, true)
	s.part = partQueries
	s.why = queryWhy{gen: 9, of: s.list().rows[0].key}
	d.Send(queryWhyMsg{gen: 9, err: errors.New("no reason")})
	d.wants("no reason")
}

func TestQueriesAskBeforeLongWork(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36)
	s := &d.app().queries
	s.found = queriesFound{}
	s.jobs[partQueries] = queriesJob{of: s.state, toobig: true}
	s.changes++
	d.wants("this takes a while with 167 tools", "enter starts it").worked("enter").wants("11 of 80 missed")
}
