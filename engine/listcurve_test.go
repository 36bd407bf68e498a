package engine

import (
	"testing"

	"caliper/config"
	"caliper/engine/tokens"
	"caliper/model/require"
)

// At the context that a form needs, the snapshot of that context lists in that form, and
// one token of context less does not.
func TestListCurveTurnsWhereItSays(t *testing.T) {
	in := gateInputs(t, "wide")
	in.Config.ToolSearch.Generation = config.September2026
	in.Config.ToolSearch.ThresholdPct = 5
	in.Config.ToolSearch.Listing, in.Config.ToolSearch.ListingMost = config.Auto, 60_000
	at := func(context int) *Snapshot {
		in.Config.ContextLength = &context
		s, err := Build(t.Context(), in)
		require.NoError(t, err)
		return s
	}
	formAt := func(context int) tokens.ListForm { return at(context).Budget(false).Listing.Form }
	c := at(12_345).ListCurve()
	if len(c.Needs) < 2 || len(c.Points) != len(ContextLengths)+1 || c.Off {
		t.Fatalf("%+v", c)
	}
	for i, p := range c.Points {
		share := at(p.Context).Budget(false).Listing
		if p.Form != share.Form || p.Limit != share.Limit || i > 0 && p.Context <= c.Points[i-1].Context {
			t.Errorf("at %d the curve has %s in %d, and the budget %s in %d", p.Context, p.Form, p.Limit, share.Form, share.Limit)
		}
	}
	for _, n := range c.Needs {
		if got, under := formAt(n.Context), formAt(n.Context-1); got != n.Form || under == n.Form {
			t.Errorf("%s from a context of %d; that has %s, and one less %s", n.Form, n.Context, got, under)
		}
	}

	in.Config.ToolSearch.ListingMost = c.Needs[0].Tokens - 1
	if c := at(200_000).ListCurve(); c.Needs[0].Context != -1 || c.Needs[1].Context < 1 {
		t.Errorf("with one token too few: %+v", c.Needs)
	}
	in.Config.ToolSearch.Listing = config.Off
	if c := at(200_000).ListCurve(); !c.Off || c.Points[0].Limit == 0 {
		t.Errorf("off: %+v", c)
	}
	in.Config.ToolSearch.Generation = config.June2026
	if c := at(200_000).ListCurve(); c.Points != nil {
		t.Errorf("june: %+v", c)
	}
}
