package desk_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// load loads the demo with values that are tried.
func load(t *testing.T, tried ...workbench.Knob) *workbench.State {
	t.Helper()
	st, err := workbench.New().Load(t.Context(), workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}},
		Config:   &watch.File{Name: "config.yaml", Data: demo.Config()},
		Queries:  &watch.File{Name: demo.QueriesFile, Data: demo.Queries()},
		Flags:    workbench.Flags{Knobs: tried},
	})
	require.NoError(t, err)
	return &st
}

// Recall before the trials is the files', and after them the trials'.
func TestMeasureRecall(t *testing.T) {
	t.Parallel()
	st := load(t, workbench.Knob{Key: config.KeyRanker, Value: config.RankerFielded})
	if !desk.Reranked(st) || desk.Reranked(load(t)) || desk.Reranked(load(t, workbench.Knob{Key: config.KeyToolSearch + ".search_default_limit", Value: 7})) {
		t.Error("not the ranker alone, but nothing or the limit changes ranks")
	}
	got, err := desk.MeasureRecall(t.Context(), st, func(int, int) {})
	require.NoError(t, err)
	want := func(of *workbench.State) float64 {
		e, err := labels.Evaluate(t.Context(), of.Snapshot.Unasked(), of.Queries, nil)
		require.NoError(t, err)
		v, _ := e.Metrics.Value(desk.RecallMetric)
		return v
	}
	for i, of := range []*workbench.State{load(t), st} {
		e, err := labels.Evaluate(t.Context(), of.Snapshot.Unasked(), of.Queries, nil)
		require.NoError(t, err)
		if split, _ := e.Split(desk.RecallMetric); got.Worded[i] != split || split[labels.NoWords].Queries == 0 {
			t.Errorf("%v by wording, want %v", got.Worded[i], split)
		}
	}
	if before, after := want(load(t)), want(st); got.Before != before || got.After != after || before == after {
		t.Errorf("%v, want %v before and %v after, which differ", got, before, after)
	}
}

// The line is as wide as asked, and whole from 38 cells on.
func TestRerankFits(t *testing.T) {
	t.Parallel()
	theme := ui.NewTheme(ui.Look{Plain: true})
	r := desk.Rerank{Was: config.RankerBM25, Is: config.RankerFielded, Risen: 2, Fallen: 3, Ranked: true, Recall: &desk.Recall{Before: 0.835, After: 0.848}}
	r.Recall.Worded = [2]labels.WordSplit{{labels.NoWords: {Queries: 8, Recall: 0.25}, labels.AllWords: {Queries: 2, Recall: 1}}, {labels.NoWords: {Queries: 8, Recall: 0.5}, labels.AllWords: {Queries: 2, Recall: 1}}}
	for w := range 130 {
		line := ansi.Strip(r.Draw(theme, w))
		if ui.Width(line) != w {
			t.Errorf("%d cells of %d: %q", ui.Width(line), w, line)
		}
		if w >= 38 && !strings.Contains(line, "83.5% → 84.8%") {
			t.Errorf("recall is cut in %d cells: %q", w, line)
		}
		line = ansi.Strip(r.DrawWorded(theme, w))
		if ui.Width(line) != w || w >= 60 && !strings.Contains(line, "none 25.0% → 50.0%, all 100.0%") && !strings.Contains(line, "none 25.0% → 50.0% of 8, all 100.0% of 2") {
			t.Errorf("%d cells: %q", w, line)
		}
	}
}
