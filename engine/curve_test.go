package engine

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine/tokens"
)

func TestCurveFlipsWhereItSays(t *testing.T) {
	wide := snapshotOf(t, "wide")
	rapid.Check(t, func(t *rapid.T) {
		s := *wide
		s.Config.ToolSearch.ThresholdPct = rapid.Float64Range(0, 100).Draw(t, "pct")
		auto := s.Config.ToolSearch
		auto.Enabled = config.Auto
		deferrable, last := s.Curve().Deferrable, s.Curve().LastActive
		active := func(context int) bool { return Activate(auto, &context, deferrable).Active }
		switch {
		case last == 0:
			if active(1) && deferrable > 0 {
				t.Fatalf("active at 1 of %d tokens at %g %%", deferrable, auto.ThresholdPct)
			}
		case last < 0:
			if !active(1 << 40) {
				t.Fatal("not active at any length")
			}
		case !active(last) || active(last+1):
			t.Fatalf("%d tokens at %g %%: %d is not where it turns", deferrable, auto.ThresholdPct, last)
		}
	})
}

func TestCurveToFlip(t *testing.T) {
	in := gateInputs(t, "wide")
	context := 1000
	in.Config.ContextLength = &context
	for _, pct := range []float64{0, 1, 10, 50, 100} {
		in.Config.ToolSearch.ThresholdPct = pct
		s := built(t, in)
		c := s.Curve()
		auto := in.Config.ToolSearch
		auto.Enabled = config.Auto
		was := Activate(auto, &context, c.Deferrable).Active
		if now := Activate(auto, &context, c.Deferrable+c.ToFlip).Active; now == was {
			t.Errorf("%g %%: %d tokens and %d more do not turn %t over", pct, c.Deferrable, c.ToFlip, was)
		}
		step := 1
		if c.ToFlip < 0 {
			step = -1
		}
		if near := Activate(auto, &context, c.Deferrable+c.ToFlip-step).Active; near != was {
			t.Errorf("%g %%: fewer than %d tokens turn it over", pct, c.ToFlip)
		}
		if (c.ToFlip < 0) != (c.ToolsToFlip < 0) && c.ToolsToFlip != 0 {
			t.Errorf("%d tokens are %d tools", c.ToFlip, c.ToolsToFlip)
		}
	}
}

func TestBreakEven(t *testing.T) {
	s := snapshotOf(t, "wide")
	b := s.BreakEven(Habits{})
	if b.Eager != 0 || b.Search != 0 || b.Saved != 0 {
		t.Errorf("no turns cost %+v", b)
	}
	// Seven small tools: the bridge costs more than it hides.
	b = s.BreakEven(Habits{Turns: 10, ToolsUsed: 2, ResultTokens: 100})
	if b.Saved != b.Eager-b.Search || b.Saved >= 0 || b.ExtraTurn != 4 {
		t.Errorf("%+v", b)
	}
	if got := 10*b.PerTurn - b.Overhead; got != b.Saved {
		t.Errorf("per turn and overhead give %d, saved is %d", got, b.Saved)
	}
}

// What some tools more or fewer make is told by their average itself, not by
// that rounded down.
func TestAveragesAreNotCut(t *testing.T) {
	cutAverages, cutFlips := 0, 0
	for n := 5; n < 200; n += 5 {
		in := fleetInputs(t, n)
		context := 1_000
		in.Config.ContextLength = &context
		s := built(t, in)
		c, tools := s.Curve(), len(s.Catalog())
		exact, toFlip := float64(c.Deferrable)/float64(tools), math.Abs(float64(c.ToFlip))
		if want := int(math.Round(exact)); c.Average != want {
			t.Errorf("%d tools: average %d of %.3f", tools, c.Average, exact)
		}
		want := int(math.Ceil(toFlip / exact))
		if got := max(c.ToolsToFlip, -c.ToolsToFlip); got != want {
			t.Errorf("%d tools: %d to flip %d tokens, want %d", tools, got, c.ToFlip, want)
		}
		if c.Average > c.Deferrable/tools {
			cutAverages++
		}
		if want != int(math.Ceil(toFlip/math.Floor(exact))) {
			cutFlips++
		}
		h := Habits{Turns: 20, ToolsUsed: 40, ResultTokens: 300}
		worth := s.BreakEven(h)
		kept := worth.Overhead - worth.ExtraTurn*(s.Budget(false).EagerTokens-worth.PerTurn)
		if want := int(math.Round(40 * (300 + exact) * 100 / 2)); kept != want {
			t.Errorf("%d tools: %d tokens kept, want %d", tools, kept, want)
		}
	}
	if cutAverages == 0 || cutFlips == 0 {
		t.Errorf("cutting would change %d averages and %d flips", cutAverages, cutFlips)
	}
}

// A turn saves as much as the budget saves, however the parts round.
func TestBreakEvenSavesWhatTheBudgetSaves(t *testing.T) {
	differ := false
	for n := range 40 {
		in := fleetInputs(t, 40+n)
		in.Config.Core = []string{"ship_00", fmt.Sprintf("ship_%02d", 1+n), "zz_beam"}[:1+n%3]
		s := built(t, in)
		b := s.Budget(false)
		if got := s.BreakEven(DefaultHabits).PerTurn; got != b.SavedTokens {
			t.Errorf("%d tools: a turn saves %d, the budget %d", n, got, b.SavedTokens)
		}
		differ = differ || b.AfterTokens != b.VisibleTokens+b.BridgeTokens
		off := in
		off.Config.ToolSearch.Enabled = config.Off
		s = built(t, off)
		if got := s.BreakEven(DefaultHabits).PerTurn; got != b.SavedTokens {
			t.Errorf("%d tools: a turn would save %d, the budget with search saves %d", n, got, b.SavedTokens)
		}
	}
	if !differ {
		t.Error("the parts never round apart")
	}
}

// At the context that a form needs, the snapshot of that context lists in that form, and
// one token of context less does not.
func TestListCurveTurnsWhereItSays(t *testing.T) {
	in := gateInputs(t, "wide")
	in.Config.ToolSearch.Generation = config.September2026
	in.Config.ToolSearch.ThresholdPct = 5
	in.Config.ToolSearch.Listing, in.Config.ToolSearch.ListingMost = config.Auto, 60_000
	at := func(context int) *Snapshot {
		in.Config.ContextLength = &context
		return built(t, in)
	}
	formAt := func(context int) tokens.ListForm { return at(context).Budget(false).Listing.Form }
	c := at(12_345).ListCurve()
	if len(c.Needs) < 2 || len(c.Points) != len(ContextLengths)+1 || c.Off || slices.ContainsFunc(ContextLengths, func(n int) bool { return n%1_000 != 0 }) {
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
