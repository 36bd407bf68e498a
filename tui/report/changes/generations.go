package changes

import (
	"caliper/engine"
	"caliper/tui/report"
)

// GenerationsMetric is the metric over labelled queries by which generations are
// compared.
const GenerationsMetric = "recall@5"

// Generations returns the report of two generations of the agent on the same registry
// and configuration.
func Generations(x *TwoStates) *report.Report {
	r := new(report.Report)
	r.Head(report.Textf("%s → %s", x.Old, x.New), "session %s, %s", report.Name(x.Diff.New.Session), report.Count(x.Diff.New.Tools, "tool"))
	r.Blank()
	r.Say("%s.", x.Verdict().Text)
	r.Add(x.BudgetView(shownRanks))
	r.Add(x.RanksView(shownRanks))
	for _, b := range []engine.Budget{x.Diff.Old, x.Diff.New} {
		if b.Listing != nil {
			r.Blank()
			r.Say("Under %s the model is shown %s.", b.Generation, report.Listing(*b.Listing))
		}
	}
	return r
}
