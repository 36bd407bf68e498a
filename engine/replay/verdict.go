package replay

import (
	"cmp"
	"slices"

	"caliper/engine/selection"
)

// Verdict is the conclusion of the report, as facts: is tool search worth it for
// these sessions, what should stay eager, what was not found, and where did
// the agent loop.
type Verdict struct {
	// Compared says by what the strategies are compared.
	Compared Measure
	// Eager and Search are the amounts of both strategies, in the measure;
	// meaningless when Compared is NothingCompared.
	Eager, Search float64
	// Cheapest is the strategy with the least amount, of equals the first; Least is that amount.
	Cheapest selection.Strategy
	Least    float64
	// Worth: tool search costs less than sending every tool.
	Worth bool
	// Foreign: every call is of a tool that is in no registry, so that the
	// registry does not belong to these sessions and proves nothing about them.
	Foreign bool
	// Keep are the names of the tools that should be sent with every request.
	Keep []string
	// Missed are numbers of calls, from 0: calls that the first ranker would
	// not have found. Below the limit, no score, out of scope, in that order. Calls before
	// which nothing was asked are not among them.
	Missed []int
	// Loops are indexes in Report.Chains, those that burnt most first.
	Loops []int
}

// Measure is the unit in which costs are compared.
type Measure int

const (
	// NothingCompared: there is no request, or one of the two rows is missing.
	NothingCompared Measure = iota
	// ByMoney compares the sessions that have a price.
	ByMoney
	// ByTokens compares tokens of input, because no session has a price.
	ByTokens
)

// verdict returns the verdict of a report whose other parts are set.
func verdict(rep *Report) Verdict {
	v := Verdict{Keep: rep.Eager.Names(), Foreign: rep.Totals.Calls > 0 && rep.Totals.Unknown == rep.Totals.Calls}
	missing := map[Status][]int{}
	for i, c := range rep.Calls {
		if missed(c) {
			missing[c.Status] = append(missing[c.Status], i)
		}
	}
	for _, s := range misses {
		v.Missed = append(v.Missed, missing[s]...)
	}
	for i, c := range rep.Chains {
		if c.Loop() {
			v.Loops = append(v.Loops, i)
		}
	}
	slices.SortStableFunc(v.Loops, func(a, b int) int {
		x, y := rep.Chains[a], rep.Chains[b]
		return cmp.Or(y.Burnt-x.Burnt, len(y.Searches)-len(x.Searches))
	})
	var eager, search *Row
	rows, money := rep.Totals.Strategies, false
	for i := range rows {
		if rows[i].Requests == 0 {
			return v
		}
		money = money || rows[i].Cost != nil
		switch rows[i].Strategy {
		case selection.Eager:
			eager = &rows[i]
		case selection.ToolSearch:
			search = &rows[i]
		}
	}
	amount := func(r Row) float64 {
		if money && r.Cost != nil {
			return *r.Cost
		}
		return float64(r.Tokens.Input)
	}
	for i, r := range rows {
		if i == 0 || amount(r) < v.Least {
			v.Cheapest, v.Least = r.Strategy, amount(r)
		}
	}
	if eager == nil || search == nil {
		return v
	}
	v.Compared = ByTokens
	if money {
		v.Compared = ByMoney
	}
	v.Eager, v.Search = amount(*eager), amount(*search)
	v.Worth = v.Search < v.Eager
	return v
}

// missed reports whether search would not have led to a call, though something was asked.
func missed(c Call) bool {
	unasked := c.Status == NoMatch && c.Query == ""
	return slices.Contains(misses, c.Status) && !unasked
}

// misses are the statuses of calls that search would not have led to.
var misses = []Status{Below, NoMatch, OutOfScope}
