package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/lint"
)

// open shows the selected row in Explore: its query, with the tool that should
// be found pinned.
func (s *queriesScreen) open() tea.Cmd {
	row, ok := s.row()
	if !ok {
		return nil
	}
	t := s.tool()
	query := ""
	switch s.part {
	case partQueries:
		query = s.found.evaluated.now().Answers[row.i].Query.Text
	case partDark:
		query = firstMissed(s.found.reach[row.i])
	case partFindings:
		if r := s.found.report.Findings[row.i].Remedy; r != nil && r.Query != "" {
			query = r.Query
		} else if t == nil {
			return nil // about no tool, so that Explore has nothing to show
		}
	}
	a := s.app
	a.goTo(ScreenExplore)
	a.history = remember(a.history, a.query.Value())
	a.hits.setFilter("")
	a.query.Set(query)
	a.pin.letGo()
	a.hits.pin("")
	if t != nil && query != "" {
		a.pin.name, a.pin.shown = t.Qualified, t.ShownName
		a.hits.pin(t.Qualified)
		a.mode.Shown = PaneWhy
	}
	a.setFocus(PaneHits)
	a.mode.Shown = PaneHits
	a.arrange()
	a.queryChanged()
	if t != nil {
		a.hits.selectName(t.Qualified)
		a.reselect()
	}
	return a.askPin()
}

// firstMissed returns the first words of a tool that do not find it.
func firstMissed(r lint.Reach) string {
	for _, p := range []lint.Probe{r.Name, r.Sentence, r.Parameters} {
		if p.Query != "" && !p.Found {
			return p.Query
		}
	}
	return r.Name.Query
}

// compare puts the other rankers beside the one in force, or takes them away.
func (a *App) compare() tea.Cmd {
	if a.state == nil {
		return nil
	}
	if len(a.input.Rivals) > 0 {
		a.input.Rivals = nil
	} else {
		a.input.Rivals = rankers
	}
	cmd := a.load()
	a.budget.turned = a.gen // its outcome needs no notice
	return cmd
}
