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
	r.Blank()
	t := Columns("", ">"+x.Old, ">"+x.New, ">change")
	t.Row("every tool in full", x.Diff.Old.EagerTokens, x.Diff.New.EagerTokens, "")
	for _, f := range x.Budget() {
		if f.Change != "" {
			t.Row(f.Name, f.Old, f.New, f.Change)
		}
	}
	for _, f := range x.Metrics() {
		t.Row(f.Name, f.Old, f.New, f.Change)
	}
	r.Table(t)
	if len(x.Sessions) > 0 {
		r.Blank()
		s := Columns("session", ">"+x.Old, ">"+x.New, ">change")
		for _, c := range x.Sessions {
			s.Row(Name(c.Name), SessionSide(c.Old), SessionSide(c.New), SessionChange(c))
		}
		r.Table(s)
	}
	if t, more := x.crossed(shownRanks); !t.Empty() {
		r.Blank()
		r.Table(t)
		if more > 0 {
			r.Say("and %d more; --json has all of them.", more)
		}
	}
	for _, b := range []engine.Budget{x.Diff.Old, x.Diff.New} {
		if b.Listing != nil {
			r.Blank()
			r.Say("Under %s the model is shown %s.", b.Generation, Listing(*b.Listing))
		}
	}
	return r
}
