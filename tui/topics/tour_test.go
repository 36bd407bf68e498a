package topics

import (
	"context"
	"errors"
	"testing"

	"caliper/config"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/workbench"
	"caliper/watch"
)

// demoInput returns the demo.
func demoInput() workbench.Input {
	return workbench.Input{OnDemand: true, Registry: []watch.File{{Name: demo.RegistryFile, Data: demo.Registry()}},
		Config: &watch.File{Name: demo.ConfigFile, Data: demo.Config()}}
}

// The demo has what the tour shows: the tool is missed, words bring it back, and
// the labelled queries gain by them.
func TestWalk(t *testing.T) {
	t.Parallel()
	w, err := WalkTour(t.Context(), workbench.New(), demoInput(), nil)
	require.NoError(t, err)
	if len(w.Steps) != 6 || w.WhyNot.Rank == nil || *w.WhyNot.Rank <= w.WhyNot.Limit || w.NewRank < 1 || w.NewRank > w.WhyNot.Limit {
		t.Errorf("%d steps, rank %v of limit %d, then %d", len(w.Steps), w.WhyNot.Rank, w.WhyNot.Limit, w.NewRank)
	}
	if w.Tokens[1] <= w.Tokens[0] || len(w.Found.Hits) == 0 {
		t.Errorf("tokens %v, %d hits", w.Tokens, len(w.Found.Hits))
	}
	if w.MeantAt < 1 || w.MeantAt > w.WhyNot.Limit || w.Unmeant.Rank != nil && *w.Unmeant.Rank <= w.Unmeant.Limit || w.Measured[2].Ranker != config.RankerHybrid {
		t.Errorf("by meaning rank %d, by words %v", w.MeantAt, w.Unmeant.Rank)
	}
	if before, after := len(w.Measured[0].Misses()), len(w.Drafted.Misses()); after >= before {
		t.Errorf("%d labelled queries are missed with the draft, %d without", after, before)
	}
}

// An input without the tool, or one that is broken, is an error and no panic.
func TestWalkElsewhere(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"another registry": `{"tools":[{"type":"function","function":{"name":"x","description":"y","parameters":{"type":"object"}}}]}`,
		"broken":           `{"tools":`,
	} {
		in := demoInput()
		in.Registry[0].Data = []byte(data)
		if _, err := WalkTour(t.Context(), workbench.New(), in, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := WalkTour(ctx, workbench.New(), demoInput(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
