package queries

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/reach"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// comparesAgents reports whether other agents are compared, not rankers.
func (s *Screen) comparesAgents() bool {
	return s.state != nil && len(s.state.Queries) > 0 && slices.ContainsFunc(s.state.Rivals, foreign)
}

// foreign reports whether a snapshot is of another agent than the reference agent.
func foreign(s *engine.Snapshot) bool { return s.Host().Generation == "" }

// askAgents begins to ask the agents that are compared the labelled queries, unless that is
// done, or the queries are being evaluated, which goes first.
func (s *Screen) askAgents() tea.Cmd {
	if s.view() != viewQueries || !s.comparesAgents() || s.asking.Begun && s.asking.Of == s.state || s.evaluating.Running() || s.waits() {
		return nil
	}
	s.depends = nil
	state := s.state
	return s.asking.Start(s.host.Context(), state, func(ctx context.Context, p ui.Progress) (reach.Depends, error) {
		// The reference agent is one of them under a ranker of its own.
		var agents []reach.Agent
		for _, of := range append(state.Others(), state.Snapshot) {
			a := reach.Agent{Snapshot: of.Unasked()}
			if own := []string{config.RankerBM25, config.RankerGated}; foreign(of) || slices.Contains(own, of.Config.ToolSearch.Ranker) {
				a.Host = of.Host()
			}
			if err := a.Snapshot.Prepare(ctx, engine.WorkIndexing); err != nil {
				return reach.Depends{}, err
			}
			agents = append(agents, a)
		}
		searchers, tools := reach.Searchers(agents), reach.GrantedTools(state.Snapshot)
		d, err := reach.Compare(ctx, searchers, state.Snapshot.Registry, tools, state.Queries, p)
		if err == nil {
			err = reach.Reword(ctx, searchers, tools, state.Queries, d.Lost, report.ShownUnseen, p)
		}
		return d, err
	})
}

// agentLines say how the labelled queries fare in all agents that are compared, as caliper hosts does.
func (s *Screen) agentLines(t *ui.Theme, w int) []string {
	switch {
	case !s.comparesAgents() || !s.asking.Begun || s.asking.Of != s.state:
		return nil
	case s.depends == nil:
		return ui.Flow(w, 1, []ui.Phrase{{Style: t.Faint, Text: screen.Progress(s.asking.Status(), "asking the agents", w < 60)}})
	}
	lines := []string{ui.DrawHeading(t, w, false, "all agents", "")}
	page := report.HostsOver(*s.depends).Under(t, w, "")
	for i := range page.Count {
		lines = append(lines, page.Line(i))
	}
	return lines
}
