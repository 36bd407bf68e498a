package explore

import (
	"strconv"
	"strings"
	"testing"

	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/model"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/watch"
)

// The overview has the figures of the screens that its keys lead to, and leaves out what
// is not known yet.
func TestOverview(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 120, 36)
	d.input.Queries = &watch.File{Name: demo.QueriesFile, Data: demo.Queries()}
	d.load()
	text := func() string { return strings.Join(d.s.drawOverview(dark, 200, 99, false), "\n") }
	if got := text(); !strings.Contains(got, "labelled queries: counting") || strings.Contains(got, "error") {
		t.Errorf("before anything is counted:\n%s", got)
	}
	d.run(nil)
	e, err := labels.Evaluate(t.Context(), d.state.Snapshot.Unasked(), d.state.Queries, nil)
	require.NoError(t, err)
	report, err := lint.Run(t.Context(), d.state.Snapshot, lint.Options{})
	require.NoError(t, err)
	tools := map[*model.Tool]bool{}
	for _, f := range report.Findings {
		if f.Severity == lint.Error {
			tools[f.Tool] = true
		}
	}
	errors := len(tools)
	for _, want := range []string{
		strconv.Itoa(len(e.Misses())) + " of " + strconv.Itoa(len(d.state.Queries)) + " labelled queries miss",
		strconv.Itoa(errors) + " tools have errors in their definitions",
	} {
		if !strings.Contains(text(), want) || len(e.Misses()) == 0 || errors == 0 {
			t.Errorf("nothing says %q:\n%s", want, text())
		}
	}
	d.s.overview.missing.Hold(d.state)
	if got := text(); !strings.Contains(got, "enter counts") {
		t.Errorf("what is too much to count unasked:\n%s", got)
	}
	if d.s.Start(false); d.s.overview.missing.Running {
		t.Error("it is counted although the screen is hidden")
	}
}
