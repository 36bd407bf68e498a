package engine

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/model/require"
)

func TestCurveFlipsWhereItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		auto := config.ToolSearch{Enabled: config.Auto, ThresholdPct: rapid.Float64Range(0, 100).Draw(t, "pct")}
		deferrable := rapid.IntRange(0, 1_000_000).Draw(t, "tokens")
		last := lastActive(auto, deferrable)
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
		s, err := Build(t.Context(), in)
		require.NoError(t, err)
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
		s, err := Build(t.Context(), in)
		require.NoError(t, err)
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
		s, err := Build(t.Context(), in)
		require.NoError(t, err)
		b := s.Budget(false)
		if got := s.BreakEven(DefaultHabits).PerTurn; got != b.SavedTokens {
			t.Errorf("%d tools: a turn saves %d, the budget %d", n, got, b.SavedTokens)
		}
		differ = differ || b.AfterTokens != b.VisibleTokens+b.BridgeTokens
		off := in
		off.Config.ToolSearch.Enabled = config.Off
		if s, err = Build(t.Context(), off); err != nil {
			t.Fatal(err)
		}
		if got := s.BreakEven(DefaultHabits).PerTurn; got != b.SavedTokens {
			t.Errorf("%d tools: a turn would save %d, the budget with search saves %d", n, got, b.SavedTokens)
		}
	}
	if !differ {
		t.Error("the parts never round apart")
	}
}
