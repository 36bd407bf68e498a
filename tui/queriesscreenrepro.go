package tui

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/lint"
	"caliper/tui/repro"
)

// copyRepro copies a repro of the list that is shown: of the labelled queries
// all, of the others the rows that pass the filter.
func (s *queriesScreen) copyRepro(c repro.Case) tea.Cmd {
	a := s.app
	if job := &s.jobs[s.part]; job.of != s.state || job.cancel != nil || job.waits() {
		return a.notices.show(levelInfo, "nothing to copy yet: "+s.part.verb()+" is not done")
	}
	if s.part == partQueries && len(s.found.evaluated.now().Answers) == 0 {
		return a.notices.show(levelInfo, "nothing to copy: there are no labelled queries")
	}
	what, rows := "repro of Queries, "+s.part.String(), s.list().rows
	switch s.part {
	case partDark:
		var reach []lint.Reach
		for _, r := range rows {
			reach = append(reach, s.found.reach[r.i])
		}
		return a.clip.copyRepro(what, c, repro.Dark(c, reach))
	case partFindings:
		var findings []lint.Finding
		for _, r := range rows {
			findings = append(findings, s.found.report.Findings[r.i])
		}
		return a.clip.copyRepro(what, c, repro.Findings(c, findings))
	}
	labelled := repro.Labelled{File: cmp.Or(a.opt.QueriesName, "queries.jsonl"), Rankers: s.found.evaluated.columns}
	for _, answer := range labelled.Rankers[0].Misses() {
		labelled.Misses = append(labelled.Misses, repro.Miss{Answer: answer})
	}
	ctx, state, bench, copied := a.ctx, *s.state, a.loader.bench, a.clip
	return func() tea.Msg {
		for i := range labelled.Misses[:min(len(labelled.Misses), repro.MaxMisses)] {
			m := &labelled.Misses[i]
			why, err := bench.WhyNot(ctx, state, m.Answer.Query.Text, nearest(state.Snapshot, m.Answer.Query), 0)
			if err != nil {
				return copiedMsg{what: what, err: err}
			}
			m.Why = &why
		}
		return copied.copyRepro(what, c, repro.Queries(c, labelled))()
	}
}

// nearest returns the relevant name whose tool ranks highest, the first when
// none ranks at all.
func nearest(s *engine.Snapshot, q engine.Query) string {
	name, best := q.Relevant[0], 0
	for _, n := range q.Relevant {
		bearers := s.Registry.Lookup(n)
		if len(bearers) != 1 {
			continue
		}
		if rank, _, ok := s.Rank(q.Text, bearers[0]); ok && (best == 0 || rank < best) {
			name, best = n, rank
		}
	}
	return name
}
