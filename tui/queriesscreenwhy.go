package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
)

// queryWhy is why the relevant tools of the selected query are not found.
type queryWhy struct {
	gen     int
	of      string // key of the query; empty: none was asked
	cancel  context.CancelFunc
	answers []engine.WhyNot // in the order of the relevant names
	err     error           // why there are none
}

// stop abandons what runs, so that it begins anew when it is wanted.
func (w *queryWhy) stop() {
	if w.cancel != nil {
		w.cancel()
	}
	if w.answers == nil {
		*w = queryWhy{gen: w.gen + 1}
	}
}

// queryWhyMsg is the outcome.
type queryWhyMsg struct {
	gen     int
	answers []engine.WhyNot
	err     error
}

// maxWhys bounds how many relevant tools of one query are explained.
const maxWhys = 8

// ask explains the selected query, in the background, unless it is explained.
func (s *queriesScreen) ask() tea.Cmd {
	row, ok := s.row()
	if s.part != partQueries || !ok || s.why.of == row.key || s.jobs[partQueries].cancel != nil {
		return nil // or the query has not been evaluated yet, which goes first
	}
	if s.why.cancel != nil {
		s.why.cancel()
	}
	ctx, cancel := context.WithCancel(s.app.ctx)
	s.why = queryWhy{gen: s.why.gen + 1, of: row.key, cancel: cancel}
	s.changes++
	gen, state, bench := s.why.gen, *s.state, s.app.loader.bench
	query := s.found.evaluated.now().Answers[row.i].Query
	names := query.Relevant[:min(len(query.Relevant), maxWhys)]
	return func() tea.Msg {
		defer cancel()
		msg := queryWhyMsg{gen: gen}
		for _, name := range names {
			why, err := bench.WhyNot(ctx, state, query.Text, name, 0)
			if err != nil {
				return queryWhyMsg{gen: gen, err: err}
			}
			msg.answers = append(msg.answers, why)
		}
		return msg
	}
}

// answered takes in the newest explanation.
func (s *queriesScreen) answered(msg queryWhyMsg) {
	if msg.gen == s.why.gen {
		s.why.answers, s.why.err = msg.answers, msg.err
		s.changes++
	}
}
