package queries

import (
	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// views returns the content of the views.
func (s *Screen) views() []ui.ListView {
	views := []ui.ListView{
		viewQueries:  {Columns: s.queryColumns, Above: s.drawMetrics},
		viewDark:     {Columns: s.darkColumns, Above: s.drawReach},
		viewFindings: {Row: s.drawFinding, Above: s.drawSeverities},
		viewTuning:   {Columns: s.pointColumns, Above: s.drawTuning},
		viewMap:      {Columns: s.pairColumns, Above: s.drawMapSummary},
	}
	for v := range viewCount {
		x, above := &views[v], views[v].Above
		x.Name, x.Below, x.Nothing, x.Rows = v.String(), s.details, s.nothing, func() ui.Rows { return s.listed(v) }
		x.Above = func(t *ui.Theme, w, h int, split bool) ([]string, bool) {
			if !split && s.Focused() == ui.AreaBelow {
				return nil, false
			}
			return above(t, w, h, split)
		}
	}
	return views
}

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.Resize(w, h)
	switch {
	case s.state == nil:
		return ui.Centered(t, w, h, "nothing loaded yet")
	case s.view() == viewMap && s.nothing() == nil && s.heatWidth() > 0:
		return s.drawHeatBeside(t, s.DrawView(t, w-s.heatWidth()-2, h, 0))
	}
	return s.DrawView(t, w, h, 0)
}

// nothing returns why there is nothing to draw, nil when there is something.
func (s *Screen) nothing() []string {
	f, st := &s.found, s.work(s.view()).Status()
	have := [viewCount]bool{f.evaluated != nil && len(f.evaluated.now().Answers) > 0, f.surveyed, f.linted || f.partial, f.tuned != nil, f.confused != nil}[s.view()]
	switch {
	case s.needsLabels():
		return s.noQueries()
	case !have && st.Held:
		return []string{"this takes a while with " + ui.Count(len(s.state.Snapshot.Catalog()), "tool"), "enter starts it"}
	case !have && st.Stopped:
		return []string{s.view().verb() + " was cancelled", "enter starts it again"}
	case !have && st.Err != nil:
		return []string{s.view().verb() + " failed: " + safetext.Line(st.Err.Error()), "enter starts it again"}
	case !have && st.Total > 0:
		return []string{s.progress(), "esc cancels"}
	case !have:
		return []string{s.progress()}
	case len(s.rows[s.Tab]) == 0 && s.filters[s.Tab] != "":
		return []string{"no row contains " + safetext.Line(s.filters[s.Tab]), "esc clears the filter"}
	case len(s.rows[s.Tab]) == 0 && s.view() == viewDark:
		return []string{"no unfindable tools:", "name and first sentence find every tool of " + ui.Thousands(len(f.reach))}
	case len(s.rows[s.Tab]) == 0 && s.view() == viewMap:
		return []string{"no twins and no shadows:", "no tool is above another one in half of the queries of that"}
	case len(s.rows[s.Tab]) == 0:
		return []string{"lint finds nothing"}
	}
	return nil
}

// noQueries tells why there are no labelled queries, and how to get some.
func (s *Screen) noQueries() []string {
	switch {
	case s.host.Case().Labels == "":
		return []string{"no labelled queries", workbench.NoLabels, "the other views need none: unfindable tools, findings, map"}
	case len(s.faults) > 0:
		return []string{"no line of the file is a labelled query", s.faults[0].Brief(), "! shows all warnings"}
	}
	return []string{"no labelled queries yet", "a labels a query with the tool that answers it"}
}
