package explore

import (
	"strings"
	"testing"

	"caliper/tui/demo"
	"caliper/watch"
)

// The overview leaves out what is not known yet, and counts nothing that is not seen.
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
	if got := text(); strings.Contains(got, "counting") || !strings.Contains(got, "tools have errors in their definitions") {
		t.Errorf("when all is counted:\n%s", got)
	}
	d.s.overview.missing.Hold(d.state)
	if got := text(); !strings.Contains(got, "enter counts") {
		t.Errorf("what is too much to count unasked:\n%s", got)
	}
	if d.s.Start(false); d.s.overview.missing.Running {
		t.Error("it is counted although the screen is hidden")
	}
}
