package report

import (
	"strings"

	"caliper/engine"
	"caliper/engine/labels"
)

// confidence tells how likely it is that a search answers its query, and what the model
// gets; least is min_confidence.
func confidence(c engine.Confidence, least float64) Text {
	says := Textf("confidence %.2f that a hit fits: it covers %.0f%% of the query's words, %.0f%% of a name, and the first hit leads by %.0f%%",
		c.Value, 100*c.Evidence.Coverage, 100*c.Evidence.Name, 100*c.Evidence.Lead)
	switch {
	case c.Evidence.Named:
		says = Textf("confidence %.2f: the query is the name of a hit", c.Value)
	case c.Evidence.Hits == 0:
		says = Textf("confidence %.2f: there is no hit", c.Value)
	}
	switch {
	case least == 0:
		return append(says, TextOf(".")...)
	case !c.Abstains:
		return append(says, Textf("; min_confidence is %.2f, so the model gets the hits.", least)...)
	}
	says = append(says, Textf("; min_confidence is %.2f, so the model gets no hit and reads that nothing fits", least)...)
	if len(c.Nearest) > 0 {
		says = append(says, Textf("; nearest sources: %s", Name(strings.Join(c.Nearest, ", ")))...)
	}
	return append(says, TextOf(".")...)
}

// Abstentions returns the report of what every min_confidence would do, of several
// rankers.
func Abstentions(all []labels.Abstention) *Report {
	r := new(Report)
	for _, a := range all {
		r.Blank()
		r.Head(Textf("confidence of %s", a.Ranker), "%s, asked with their tools and without", LabelledQueries(a.Queries))
		if a.Queries == 0 {
			r.Say("No tool of the catalog answers any of them.")
			continue
		}
		if a.LeftOut > 0 {
			r.Say("%d more were not asked: no tool of the catalog answers them, or they are more than %d.", a.LeftOut, labels.MaxAbstention)
		}
		best := a.Best()
		r.Say("A query with its tools has more confidence than one without in %.0f%% of the pairs (50%% is chance); Brier score %.3f (0.250 is chance).", 100*a.AUC, a.Brier)
		t := Columns(">min_confidence", ">false hits", ">false abstentions", "")
		for i, p := range a.Points {
			mark := ""
			if p == best {
				mark = "◂ fewest errors together"
			}
			if i%2 == 0 || mark != "" {
				t.Row(Textf("%.2f", p.MinConfidence), Textf("%.1f%%", 100*p.FalseHits), Textf("%.1f%%", 100*p.FalseAbstentions), mark)
			}
		}
		r.Table(t)
		worded := Columns("wording", ">labelled", ">false hits", ">false abstentions")
		for class, part := range a.Worded {
			cells := []any{labels.WordClass(class).String(), part.Queries, "", ""}
			if part.Queries > 0 {
				p := part.At(best.MinConfidence)
				copy(cells[2:], []any{Textf("%.1f%%", 100*p.FalseHits), Textf("%.1f%%", 100*p.FalseAbstentions)})
			}
			worded.Row(cells...)
		}
		r.Blank()
		r.Head(Textf("by wording, at min_confidence %.2f", best.MinConfidence), "how many words of the expected tool's name the query has")
		r.Table(worded)
	}
	r.Blank()
	r.Say("False hits: queries whose tools were deleted that still get hits. False abstentions: queries whose tools are there that get none. caliper help queries says how to choose.")
	return r
}
