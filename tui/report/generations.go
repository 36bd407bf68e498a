package report

import "caliper/engine"

// GenerationsMetric is the metric over labelled queries by which generations are
// compared.
const GenerationsMetric = "recall@5"

// Generations returns the report of two generations of the agent on the same registry
// and configuration.
func Generations(x *TwoStates) *Report {
	r := new(Report)
	r.Head(Textf("%s → %s", x.Old, x.New), "session %s, %s", Name(x.Diff.New.Session), Count(x.Diff.New.Tools, "tool"))
	r.Blank()
	r.Say("%s.", x.Verdict().Text)
	r.Add(x.BudgetView(shownRanks))
	r.Add(x.RanksView(shownRanks))
	for _, b := range []engine.Budget{x.Diff.Old, x.Diff.New} {
		if b.Listing != nil {
			r.Blank()
			r.Say("Under %s the model is shown %s.", b.Generation, Listing(*b.Listing))
		}
	}
	return r
}
