package tui

import (
	"io/fs"
	"path/filepath"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/demo"
	"caliper/tui/screen"
	"caliper/tui/workbench"
	"caliper/watch"
)

// hold presses keys and runs nothing of what they begin; the function that it returns does.
func (d *driver) hold(keys ...string) (run func()) {
	d.t.Helper()
	var begun []tea.Cmd
	for _, key := range keys {
		_, cmd := d.model.Update(d.key(key))
		begun = append(begun, cmd)
	}
	d.check()
	return func() { d.run(tea.Batch(begun...)) }
}

// onQueries returns an explorer with the demo's labelled queries, on another screen.
func onQueries(t *testing.T) *driver {
	t.Helper()
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Queries = demo.QueriesFile
	give(&opt, screen.QueriesFile, watch.File{Name: demo.QueriesFile, Data: demo.Queries()})
	return startExplorer(t, opt, 120, 36).Press("esc", "esc")
}

// Esc stops the work of a screen, and leaving it abandons the work: what comes of it is not
// shown. Enter, or a look at the screen, begins it again.
func TestWorkStops(t *testing.T) {
	t.Parallel()
	t.Run("evaluating", func(t *testing.T) {
		d := onQueries(t)
		run := d.hold("alt+5")
		d.wants("evaluating")
		d.Press("esc").wants("[5 Queries]", "evaluating was cancelled", "evaluating cancelled: enter starts it again")
		run()
		d.wants("evaluating was cancelled").Press("enter").wants("11 of 80 missed")
	})
	t.Run("evaluating anew", func(t *testing.T) {
		d := onQueries(t).Press("alt+5").wants("11 of 80 missed")
		a := d.app()
		a.input.Config = &watch.File{Name: "config.yaml", Data: append(demo.Config(), "\n# another\n"...)}
		_, run := a.Update(a.Load(false)()) // whose evaluation is not run yet
		d.hold("/", "c", "a", "esc")
		d.wants("evaluating", "cardholder").lacks("cancelled")
		d.hold("esc")
		d.wants("11 of 80 missed", "cancelled, enter starts it", "cardholder")
		d.run(run)
		d.Press("enter").wants("11 of 80 missed").lacks("cancelled, enter").Press("enter").wants("[1 Explore]")
	})
	t.Run("evaluating, left", func(t *testing.T) {
		d := onQueries(t)
		run := d.hold("alt+5")
		d.Press("alt+2")
		run()
		d.hold("alt+5")
		d.wants("evaluating").lacks("missed")
	})
	t.Run("why not, left", func(t *testing.T) {
		d := onQueries(t).Press("alt+5").wants("proof ≈ evidence")
		run := d.hold("down")
		d.lacks("proof ≈ evidence", "rank with").Press("alt+2")
		run()
		d.hold("alt+5")
		d.lacks("rank with", "in its description")
	})
	t.Run("reading a result", func(t *testing.T) {
		d := onResults(t, 120, 36, "")
		run := d.hold("right")
		d.wants("reading")
		d.hold("esc")
		d.wants("cancelled, enter starts it", "reading was cancelled")
		run()
		d.wants("reading was cancelled")
		d.hold("enter")
		d.wants("reading").lacks("cancelled, enter")
		d.Press("alt+1", "alt+6").wants("2 of 4 results", "RESCUED")
	})
	t.Run("keeping a result", func(t *testing.T) {
		d := onResults(t, 120, 36, filepath.Join(t.TempDir(), "kept"))
		run := d.hold("K")
		d.wants("keeping it")
		d.hold("esc")
		run()
		d.wants("cancelled: nothing was kept").lacks("keeping it").Press("v", "v", "v").lacks("1 blob")
	})
}

// Before anything is loaded a screen says so, whatever its keys need.
func TestNothingIsLoadedYet(t *testing.T) {
	t.Parallel()
	a := NewApp(t.Context(), testOptions(demo.Registry(), demo.Config()))
	t.Cleanup(a.stop)
	d := &driver{t: t, model: a, w: 120, h: 36}
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	d.hold("alt+6", "o")
	d.wants("nothing is loaded yet")
}

// The folders of a file would take the room of its fault.
func TestLabelIsNotWritten(t *testing.T) {
	t.Parallel()
	d := onQueries(t).Press("alt+5")
	d.Send(workbench.LabelsWrittenMsg{Err: &fs.PathError{Op: "open", Path: "/far/away/q.jsonl", Err: fs.ErrPermission}})
	d.wants("not written: q.jsonl: permission denied").lacks("/far/away")
}

// A comparison that ends after a newer one was chosen is not shown. Closing the screen drops both.
func TestLateComparisonIsDropped(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	a := d.app()
	late := a.compare("session:support-desk", "")
	now := a.compare("session:forge-dev", "")
	d.run(late)
	d.wants("the two states are being compared").lacks("support-desk")
	d.run(now)
	d.wants("default → forge-dev").Press("esc").lacks("two states compared")
	d.run(a.compare("session:support-desk", ""))
	late = a.compare("session:forge-dev", "")
	d.Press("esc")
	d.run(late)
	d.lacks("two states compared")
}
