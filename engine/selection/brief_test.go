package selection

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/require"
)

var ranking = []Strategy{Keyword, Semantic, Hybrid}

// TestBriefIsSelect: a message that is ranked once gives under each strategy what Select
// gives, turn by turn, with any weights, and with an embedder that fails too.
func TestBriefIsSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, set, sim := drawn(t)
		set.Keyword, set.Semantic = float64(rapid.IntRange(0, 1).Draw(t, "keyword")), float64(rapid.IntRange(0, 1).Draw(t, "semantic"))
		if rapid.Bool().Draw(t, "fails") {
			sim.err = errors.New("no")
		}
		all := selector(t, session(t, entries, onlyIn), set, sim)
		histories := map[Strategy][]string{}
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			text := message(t)
			m, err := all.Rank(context.Background(), text, ranking...)
			require.NoError(t, err)
			for _, strategy := range ranking {
				set.Strategy = strategy
				x := all.With(set)
				got, want := x.Brief(m, histories[strategy]), selecting(t, x, text, histories[strategy]...)
				if !reflect.DeepEqual(got.Assembly, want.Assembly) || !reflect.DeepEqual(got.History, want.History()) || !reflect.DeepEqual(got.Notes, want.Notes) {
					t.Fatalf("%s: %+v, want %+v with %v", strategy, got, want, want.History())
				}
				histories[strategy] = got.History
			}
		}
	})
}

// TestRankAsksOnce: an embedder is asked once for all strategies, and not at all for those
// that do not want it.
func TestRankAsksOnce(t *testing.T) {
	for _, c := range []struct {
		of   []Strategy
		want int
	}{{ranking, 1}, {[]Strategy{Keyword}, 0}, {[]Strategy{Eager, Lazy, ToolSearch}, 0}, {Strategies, 1}} {
		asked := 0
		x := selector(t, session(t, office), knobs(Eager), &scripted{asked: func(context.Context) { asked++ }})
		if _, err := x.Rank(t.Context(), "letter", c.of...); err != nil || asked != c.want {
			t.Errorf("%v: asked %d times, want %d; %v", c.of, asked, c.want, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := selector(t, session(t, office), knobs(Hybrid), &scripted{}).Rank(ctx, "letter", Hybrid); !errors.Is(err, context.Canceled) {
		t.Errorf("an error of %v", err)
	}
}
