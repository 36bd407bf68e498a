package replay

import (
	"reflect"
	"testing"

	"caliper/engine/selection"
)

// A registry is foreign to sessions when it has none of the tools that they called.
func TestForeign(t *testing.T) {
	t.Parallel()
	for counts, want := range map[Counts]bool{
		{}:                        false, // nothing was called
		{Calls: 3, Unknown: 3}:    true,
		{Calls: 3, Unknown: 2}:    false,
		{Calls: 3}:                false,
		{Requests: 2, Unknown: 0}: false,
	} {
		if got := verdict(&Report{Totals: Totals{Counts: counts}}).Foreign; got != want {
			t.Errorf("%+v: foreign %v", counts, got)
		}
	}
}

// What strategies come to: the cheapest, of equals the first, and whether search is worth
// it, by money where some is known.
func TestVerdictCompares(t *testing.T) {
	t.Parallel()
	cost := func(of float64) *float64 { return &of }
	row := func(s selection.Strategy, input int, of *float64) Row {
		return Row{Strategy: s, Requests: 1, Tokens: Tokens{Input: input}, Cost: of}
	}
	const eager, search, other = selection.Eager, selection.ToolSearch, selection.Keyword
	for name, c := range map[string]struct {
		rows []Row
		want Verdict
	}{
		"the first of three": {[]Row{row(eager, 5, nil), row(search, 7, nil), row(other, 5, nil)}, Verdict{Cheapest: eager, Least: 5, Compared: ByTokens, Eager: 5, Search: 7}},
		"the last":           {[]Row{row(eager, 5, nil), row(search, 4, nil), row(other, 3, nil)}, Verdict{Cheapest: other, Least: 3, Compared: ByTokens, Eager: 5, Search: 4, Worth: true}},
		"equal":              {[]Row{row(search, 5, nil), row(eager, 5, nil)}, Verdict{Cheapest: search, Least: 5, Compared: ByTokens, Eager: 5, Search: 5}},
		"money":              {[]Row{row(eager, 5, cost(0.5)), row(search, 7, cost(0.25))}, Verdict{Cheapest: search, Least: 0.25, Compared: ByMoney, Eager: 0.5, Search: 0.25, Worth: true}},
		"without a search":   {[]Row{row(eager, 5, nil), row(other, 6, nil)}, Verdict{Cheapest: eager, Least: 5}},
		"no request":         {[]Row{row(eager, 5, nil), {Strategy: search}}, Verdict{}},
		"nothing":            {},
	} {
		c.want.Keep = []string{}
		if got := verdict(&Report{Totals: Totals{Strategies: c.rows}}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
