package queries

import (
	"context"
	"reflect"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/reach"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// evaluated is how a state answers its labelled queries.
type evaluated struct {
	state   *workbench.State
	columns []labels.Evaluation // of the ranker in force, then of the others
	splits  []labels.WordSplit  // of splitMetric, by column
	base    *labels.Evaluation  // without knobs and edits; nil while there are none
	before  *labels.Evaluation  // that the line about the trials compares with, see desk.Before; nil with base
	at      string              // when
	better  labels.Better       // the ranker that is proven to find more; zero for none
}

// now returns the evaluation of the ranker in force.
func (e *evaluated) now() *labels.Evaluation { return &e.columns[0] }

// misses counts the queries that the ranker in force misses.
func (e *evaluated) misses() int {
	n := 0
	for _, a := range e.now().Answers {
		if a.Missed {
			n++
		}
	}
	return n
}

// evaluate asks every ranker of a state the labelled queries. The error is ctx's.
func evaluate(ctx context.Context, w *workbench.Workbench, st *workbench.State, at string, progress func(done, total int)) (*evaluated, error) {
	// What a message selects is found without a search: the labelled queries
	// are asked of what can be searched for with none.
	asked := append([]*engine.Snapshot{st.Snapshot}, st.Others()...)
	columns := len(asked)
	if st.Baseline != nil {
		asked = append(asked, st.Baseline.Snapshot)
		if st.OldRanker != nil {
			asked = append(asked, st.OldRanker)
		}
	}
	out := &evaluated{state: st, at: at}
	for i, snapshot := range asked {
		e, err := workbench.Evaluate(ctx, snapshot.Unasked(), st.Queries, func(done, total int) { progress(i*total+done, len(asked)*total) })
		if err != nil {
			return nil, err
		}
		split, _ := e.Split(splitMetric)
		out.columns, out.splits = append(out.columns, e), append(out.splits, split)
	}
	if st.Baseline != nil {
		out.base, out.before = &out.columns[columns], &out.columns[len(asked)-1]
		out.columns = out.columns[:columns:columns]
	}
	var err error
	out.better, err = w.Better(ctx, st.Snapshot, out.columns, progress)
	return out, err
}

// remember keeps the newest evaluation of other files in the same session, to compare with.
func (s *Screen) remember(next *evaluated) {
	prev := s.found.evaluated
	if prev == nil {
		return
	}
	was, now := prev.state.OnDisk(), next.state.OnDisk()
	switch {
	case was.Snapshot.Session.Name != now.Snapshot.Session.Name:
		s.last = nil
	case was.Snapshot.Registry != now.Snapshot.Registry, !workbench.SameQueries(was.Queries, now.Queries),
		!reflect.DeepEqual(was.Snapshot.Config, now.Snapshot.Config):
		onDisk := prev.now()
		if prev.base != nil {
			onDisk = prev.base
		}
		s.last = &evaluated{columns: []labels.Evaluation{*onDisk}, at: prev.at}
	}
}

// against returns what the evaluation on screen is compared with, nil for nothing.
func (s *Screen) against() *labels.Evaluation {
	switch e := s.found.evaluated; {
	case e == nil:
		return nil
	case e.base != nil:
		return e.base
	case s.last != nil:
		return s.last.now()
	}
	return nil
}

// movedFrom counts the queries whose best rank is better, and worse, than in ranks.
func movedFrom(ranks map[string]int, e *labels.Evaluation) (better, worse int) {
	for _, a := range e.Answers {
		before, known := ranks[queryKey(a.Query)]
		switch {
		case !known || before == a.Best:
		case depthOf(a.Best) < depthOf(before):
			better++
		default:
			worse++
		}
	}
	return better, worse
}

// depthOf orders ranks with none last.
func depthOf(rank int) int {
	if rank == 0 {
		return labels.EvaluationDepth + 1
	}
	return rank
}

// queryKey names a labelled query across reloads.
func queryKey(q labels.Query) string { return q.ID + "\x00" + q.Text }

// ranksOf returns the best rank of every query.
func ranksOf(e *labels.Evaluation) map[string]int {
	ranks := make(map[string]int, len(e.Answers))
	for _, a := range e.Answers {
		ranks[queryKey(a.Query)] = a.Best
	}
	return ranks
}

// comparesAgents reports whether other agents are compared, not rankers.
func (s *Screen) comparesAgents() bool {
	return s.state != nil && len(s.state.Queries) > 0 && slices.ContainsFunc(s.state.Rivals, foreign)
}

// foreign reports whether a snapshot is of another agent than the reference agent.
func foreign(s *engine.Snapshot) bool { return s.Host().Generation == "" }

// askAgents begins to ask the agents that are compared the labelled queries, unless that is
// done, or the queries are being evaluated, which goes first.
func (s *Screen) askAgents() tea.Cmd {
	if s.view() != viewQueries || !s.comparesAgents() || s.asking.Begun && s.asking.Of == s.state || s.evaluating.Running || s.waits() {
		return nil
	}
	s.depends = nil
	state := s.state
	agents := ""
	for _, of := range state.Others() {
		agents += of.Config.ToolSearch.Ranker + " "
	}
	question := [...]any{"agents", &state.Queries[0], len(state.Queries), agents}
	return s.asking.Start(s.host.Context(), state, func(ctx context.Context, p ui.Progress) (reach.Depends, error) {
		return engine.Remember(state.Snapshot, question, func() (reach.Depends, error) { return ask(ctx, state, p) })
	})
}

// ask asks the agents that are compared the labelled queries of a state.
func ask(ctx context.Context, state *workbench.State, p ui.Progress) (reach.Depends, error) {
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
}

// agentLines say how the labelled queries fare in all agents that are compared, as caliper hosts does.
func (s *Screen) agentLines(t *ui.Theme, w int) []string {
	switch {
	case !s.comparesAgents() || !s.asking.Begun || s.asking.Of != s.state:
		return nil
	case s.depends == nil:
		return ui.Flow(w, 1, []ui.Phrase{{Style: t.Faint, Text: screen.Progress(s.asking.Status, "asking the agents", w < 60)}})
	}
	lines := []string{ui.DrawHeading(t, w, false, "all agents", "")}
	page := report.HostsOver(*s.depends).Under(t, w, "")
	for i := range page.Count {
		lines = append(lines, page.Line(i))
	}
	return lines
}
