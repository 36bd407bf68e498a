package sides

import (
	"math"

	"caliper/tui/report"
	"caliper/tui/report/changes"
)

// fill makes the lines of the view.
func (s *Screen) fill() {
	if s.two != nil {
		s.pane().Show(s.shown(), s.drawn.box.Inner.Dx())
	}
}

// pane returns what shows the view.
func (s *Screen) pane() *report.Pane { return &s.panes[s.view] }

// shown returns the view as a report.
func (s *Screen) shown() *report.Report {
	switch x := &s.two.TwoStates; {
	case s.view == budgetView:
		r := x.ChangedBudget(math.MaxInt)
		x.SaySame(r)
		return r
	case s.view == ranksView:
		r := x.ChangedRanks(math.MaxInt)
		if x.Query == "" {
			r.Say("There is no query in Explore; type one there to compare its hits.")
		}
		if len(x.Evaluated[0].Answers) == 0 {
			r.Say("No labelled queries are open.")
		}
		return r
	case s.view == scopeView && x.Audited:
		return x.ScopeView(math.MaxInt)
	case s.view == verdictView && x.Gate != nil:
		old, now := s.two.Old, s.two.New
		return changes.ChangeView(x.Gate, report.Name(old), report.Name(now), math.MaxInt)
	}
	return new(report.Report)
}
