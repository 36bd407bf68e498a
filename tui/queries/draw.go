package queries

import (
	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.Resize(w, h)
	switch {
	case s.state == nil:
		return ui.Centered(t, w, h, "nothing loaded yet")
	case s.view() == viewMap && s.nothing() == nil && s.heatWidth() > 0:
		lines := s.DrawView(t, w-s.heatWidth()-2, h, 0)
		columns := s.heatWidth()
		for i := range lines {
			l := ui.StartLine(columns+2, 2)
			switch i {
			case 0:
				l.Text(t.Faint, ui.Longest(columns, "a row: what a tool's queries find", "what its queries find"))
			case 1:
				ui.DrawHeatKey(&l, t, "confusion", "selected")
			default:
				s.drawHeatLine(&l, t, i-2, len(lines)-2, columns)
			}
			lines[i] += l.End()
		}
		return lines
	}
	return s.DrawView(t, w, h, 0)
}

// nothing returns why there is nothing to draw, nil when there is something.
func (s *Screen) nothing() []string {
	f, st := &s.found, s.work(s.view()).Status()
	have := [viewCount]bool{f.evaluated != nil && len(f.evaluated.now().Answers) > 0, f.surveyed, f.linted, f.tuned != nil, f.confused != nil}[s.view()]
	switch {
	case s.needsLabels():
		switch {
		case s.host.Case().Labels == "":
			return []string{"no labelled queries", workbench.NoLabels, "the other views need none: unfindable tools, findings, map"}
		case len(s.faults) > 0:
			return []string{"no line of the file is a labelled query", s.faults[0].Brief(), "! shows all warnings"}
		}
		return []string{"no labelled queries yet", "a labels a query with the tool that answers it"}
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
