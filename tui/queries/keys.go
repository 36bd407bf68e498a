package queries

import (
	"cmp"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/lint"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// The actions of the screen alone.
const (
	Unlabel ui.Action = "delete a labelled query"
	Unfold  ui.Action = "unfold findings"
	Fold    ui.Action = "fold findings"
	FoldAll ui.Action = "fold all findings"
)

// openOrBegin begins work that waits, else shows the selected row in Explore.
func (s *Screen) openOrBegin() tea.Cmd {
	s.sure = ""
	if s.waits() {
		return s.begin(s.view(), true)
	}
	if s.view() == viewTuning {
		selected, found := s.row()
		if !found {
			return nil
		}
		point := s.found.tuned.Frontier[selected.i]
		var values []workbench.Knob
		for _, x := range point.Settings {
			values = append(values, workbench.Knob(x))
		}
		if !s.host.Knobs.PutAll(values) {
			return s.host.Notify(ui.LevelInfo, "these settings are active already")
		}
		return tea.Batch(s.host.Notify(ui.LevelInfo, "tried: "+changes.TunedSettings(*s.found.tuned, point.Settings).String()), s.host.Load(true))
	}
	row, ok := s.row()
	if !ok {
		return nil
	}
	if g, header, _ := s.selectedGroup(); header {
		if s.noGroup() == "" {
			s.fold(!s.isFolded(g.kind))
		}
		return nil
	}
	t, query := s.Tool(), s.question(row)
	if query == "" && t == nil {
		return nil // Explore has nothing to show
	}
	return s.host.Send(screen.Visit{Query: query, Tool: t})
}

// opens tells what enter does here; empty where the footer tells it anyway.
func (s *Screen) opens() string {
	g, header, ok := s.selectedGroup()
	switch {
	case s.waits() && !s.needsLabels():
		return "start"
	case s.view() == viewTuning:
		return "try these settings"
	case !ok || !header || s.noGroup() != "":
		return ""
	case s.isFolded(g.kind):
		return "unfold"
	}
	return "fold"
}

// needsLabels reports whether the view is about labelled queries, and there are none.
func (s *Screen) needsLabels() bool {
	return (s.view() == viewQueries || s.view() == viewTuning) && (s.state == nil || len(s.state.Queries) == 0)
}

// unlabel takes the selected query away, when it is asked for twice.
func (s *Screen) unlabel() tea.Cmd {
	row, _ := s.row()
	switch {
	case s.host.Case().Labels == "":
		return s.host.Notify(ui.LevelWarn, workbench.NoLabels)
	case s.sure != row.key:
		s.sure = row.key
		return nil
	}
	s.sure = ""
	q := s.found.evaluated.now().Answers[row.i].Query
	return workbench.RewriteLabels(s.host.Case().Labels, func(data []byte) ([]byte, string, error) { return workbench.RemoveLabel(data, q) })
}

// question returns the query that a row is about, empty for none.
func (s *Screen) question(row row) string {
	switch s.view() {
	case viewQueries:
		return s.found.evaluated.now().Answers[row.i].Query.Text
	case viewDark:
		r := s.found.reach[row.i]
		for _, p := range []lint.Probe{r.Name, r.Sentence, r.Parameters} {
			if p.Query != "" && !p.Found {
				return p.Query
			}
		}
		return r.Name.Query
	case viewFindings:
		if r := s.found.report.Findings[row.i].Remedy; r != nil {
			return r.Query
		}
	case viewMap:
		if t := s.state.Snapshot.Registry.Named(s.mapTool(row.i)); t != nil {
			return lint.NameQuery(t)
		}
		return ""
	}
	return ""
}

// proposed returns where a trial starts: the remedy's description, else the tool's own.
func (s *Screen) proposed(t *model.Tool) string {
	row, ok := s.row()
	if s.view() != viewFindings || !ok || row.header {
		return t.Description
	}
	r := s.found.report.Findings[row.i].Remedy
	if r == nil {
		return t.Description
	}
	for _, e := range r.Edits {
		if e.Description != nil && e.Tool.Qualified == t.Qualified && e.Tool.Description == t.Description {
			return *e.Description
		}
	}
	return t.Description
}

// repro copies a repro of the view: all labelled queries, or the rows that pass the filter.
func (s *Screen) repro(c report.Case) tea.Cmd {
	if !s.current(s.view()) || s.work(s.view()).Running || s.waits() {
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
		return s.host.Clip.CopyReport(what, c.Issue("caliper tune", changes.Tuning(*s.found.tuned, s.state.Snapshot.Session.Name, 0), c.Command("tune", "--queries", filepath.Base(cmp.Or(s.host.Case().Labels, "queries.jsonl")))))
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
			why, err := whatif.WhyNot(ctx, bench.Builder, state.Snapshot, m.Answer.Query.Text, name, 0)
			if err != nil {
				return desk.CopyFailed(what, err)
			}
			m.Why = &why
		}
		return s.host.Clip.CopyReport(what, c.Queries(labelled))()
	}
}
