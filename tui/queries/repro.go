package queries

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/lint"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/ui"
)

// repro copies a repro of the list that is shown: of the labelled queries
// all, of the others the rows that pass the filter.
func (s *Screen) repro(c report.Case) tea.Cmd {
	if !s.current(s.view()) || s.work(s.view()).Running() || s.waits() {
		return s.host.Notify(ui.LevelInfo, "nothing to copy yet: "+s.view().verb()+" is not done")
	}
	if s.view() == viewQueries && len(s.found.evaluated.now().Answers) == 0 {
		return s.host.Notify(ui.LevelInfo, "nothing to copy: there are no labelled queries")
	}
	what, rows := "repro of Queries, "+s.view().String(), s.rows[s.Tab]
	switch s.view() {
	case viewDark:
		var reach []lint.Reach
		for _, r := range rows {
			reach = append(reach, s.found.reach[r.i])
		}
		return s.host.Clip.CopyReport(what, c.Dark(reach))
	case viewFindings:
		var findings []lint.Finding
		for _, f := range s.found.report.Findings { // folded or not
			if matches(&f, s.filters[viewFindings]) {
				findings = append(findings, f)
			}
		}
		return s.host.Clip.CopyReport(what, c.Findings(findings))
	case viewTuning:
		if s.found.tuned == nil {
			return s.host.Notify(ui.LevelInfo, "nothing to copy: there are no labelled queries")
		}
		return s.host.Clip.CopyReport(what, changes.Tuned{Tuning: *s.found.tuned, Session: s.state.Snapshot.Session.Name}.Issue(c, cmp.Or(s.host.Case().Labels, "queries.jsonl")))
	case viewMap:
		return s.host.Clip.CopyReport(what, c.Issue("caliper map", report.Confusion(s.found.confused), c.Command("map")))
	}
	labelled := report.Labelled{File: cmp.Or(s.host.Case().Labels, "queries.jsonl"), Rankers: s.found.evaluated.columns, Better: s.found.evaluated.better}
	for _, answer := range labelled.Rankers[0].Misses() {
		labelled.Misses = append(labelled.Misses, report.Miss{Answer: answer})
	}
	ctx, state, bench := s.host.Context(), *s.state, s.host.Bench
	return func() tea.Msg {
		for i := range labelled.Misses[:min(len(labelled.Misses), report.MaxMisses)] {
			m := &labelled.Misses[i]
			name, best := m.Answer.Query.Relevant[0], 0
			for _, n := range m.Answer.Query.Relevant {
				bearers := state.Snapshot.Registry.Lookup(n)
				if len(bearers) != 1 {
					continue
				}
				if rank, _, ok := state.Snapshot.Rank(m.Answer.Query.Text, bearers[0]); ok && (best == 0 || rank < best) {
					name, best = n, rank
				}
			}
			why, err := bench.WhyNot(ctx, state, m.Answer.Query.Text, name, 0)
			if err != nil {
				return desk.CopyFailed(what, err)
			}
			m.Why = &why
		}
		return s.host.Clip.CopyReport(what, c.Queries(labelled))()
	}
}
