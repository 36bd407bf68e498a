package replay

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/replay"
	"caliper/tui/ui"
)

// The requests of a session, under each strategy, take more memory than everything else that is
// known of it. They are computed for the one session that is open.

// opened is the session that is open.
type opened struct {
	report *replayed
	key    string
}

// requests are the requests of one session under each strategy, with its calls and chains.
type requests struct {
	of     *replayed // in which its calls and chains count sessions
	report *replay.Report
	calls  map[answerPosition][]int // the indexes in report.Calls that each answer made
}

// answerPosition says where an answer of the model is in its session: in which context, and in which
// entry of it.
type answerPosition struct{ context, entry int }

// replaySession returns the command that computes the requests of the session that is open,
// while it is.
func (s *Screen) replaySession() tea.Cmd {
	if s.view != viewSession || s.report == nil {
		if s.single.Running || s.single.Waits() { // enter begins nothing that is not seen
			s.single.Reset()
		}
		return nil
	}
	i := s.report.numberOf(s.session)
	if i < 0 {
		return nil
	}
	s.session = keyOf(s.report.Sessions[i]) // it stays, though another one is the first later
	of := opened{s.report, s.session}
	if s.single.Begun && s.single.Of == of || s.single.Stopped && s.single.Of.key == of.key { // which enter starts again
		return nil
	}
	return s.single.Start(s.host.Context(), of, func(ctx context.Context, _ ui.Progress) (*requests, error) {
		report, err := replay.Single(ctx, of.report.inputs, i)
		if err != nil {
			return nil, err
		}
		r := &requests{of.report, report, map[answerPosition][]int{}}
		for k, c := range report.Calls {
			by := answerPosition{c.Context, c.Entry}
			r.calls[by] = append(r.calls[by], k)
		}
		return r, nil
	})
}

// toGoal goes to the request that is looked for, once the report has the requests.
func (s *Screen) toGoal() {
	if r := s.current(); s.goal != nil && r != nil && r.of == s.report {
		s.stepTo(*s.goal)
		s.goal = nil
	}
}

// forgetSession has the session that is listed first open, at its beginning.
func (s *Screen) forgetSession() {
	s.session, s.step, s.goal, s.cursors[viewSession] = "", 0, nil, ui.Cursor{}
}

// current returns the requests of the session that is open; nil while they are not known.
func (s *Screen) current() *requests {
	if s.report == nil || s.requests == nil {
		return nil
	}
	if i := s.report.numberOf(s.session); i < 0 || keyOf(s.requests.report.Sessions[0]) != keyOf(s.report.Sessions[i]) {
		return nil
	}
	return s.requests
}

// steps returns the requests of the session that is open under the chosen strategy; none
// while they are not known.
func (s *Screen) steps() []step {
	if r := s.current(); r != nil {
		return r.under(s.strategy).Steps
	}
	return nil
}

// under returns the row of a strategy.
func (r *requests) under(strategy int) (row replay.Row) {
	if list := r.report.Sessions[0].Strategies; strategy < len(list) {
		row = list[strategy]
	}
	return row
}

// openSession opens a session at a place in it; at its beginning where that is nil.
func (s *Screen) openSession(key string, at *answerPosition) {
	if key != s.session {
		s.session, s.step, s.cursors[viewSession] = key, 0, ui.Cursor{}
	}
	s.goal = at
	s.toGoal()
	s.ShowView(int(viewSession))
}

// stepTo goes to the request that an answer of the log is under the strategy, or to the
// next one where the strategy has none for it.
func (s *Screen) stepTo(at answerPosition) {
	if i := slices.IndexFunc(s.steps(), func(x step) bool { return x.Context == at.context && x.Entry >= at.entry }); i >= 0 {
		s.step = i
	}
}

// scrub goes to another request of the session.
func (s *Screen) scrub(by int) {
	s.step = max(0, min(s.step+by, len(s.steps())-1))
}

// turn chooses another strategy. The request that is looked at stays the same
// one of the log.
func (s *Screen) turn(by int) {
	before := s.steps()
	n := len(s.report.Totals.Strategies)
	s.strategy, s.turned = (s.strategy+by+n)%n, true
	if s.step < len(before) {
		s.stepTo(answerPosition{before[s.step].Context, before[s.step].Entry})
	}
	s.step = max(0, min(s.step, len(s.steps())-1))
}
