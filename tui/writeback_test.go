package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/screen"
	"caliper/watch"

	tea "github.com/charmbracelet/bubbletea"
)

// onConfigFile drives an explorer on its knobs, whose config file is really
// there and holds data. Context is the flag's, 0 for none.
func onConfigFile(t *testing.T, data []byte, context int) (*driver, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	opt := testOptions(demo.Registry(), data)
	opt.Config = path
	if context > 0 {
		opt.Flags.Context = &context
	}
	return startExplorer(t, opt, 120, 36).Press("alt+2", "v"), path
}

// reads delivers what a config file holds, as the watcher would.
func (d *driver) reads(path string) *driver {
	d.t.Helper()
	now, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	d.reload(screen.ConfigFile, string(now))
	return d.settle()
}

// A change that was answered stays closed, and one that was made for an older
// file does not replace the picture.
func TestWriteBackThatIsAnsweredStaysClosed(t *testing.T) {
	t.Parallel()
	d, _ := onConfigFile(t, demo.Config(), 0)
	d.Press("right").settle().Press("S").Until("write to config.yaml")
	a := d.app()
	w := *a.confirm
	w.again = true
	a.input.Config = &watch.File{Name: "config.yaml", Data: []byte("# other\n")}
	late := w
	require.NoError(t, late.compute(a.input.Config.Data))
	again := thenMsg(func() tea.Cmd { return a.reproposed(late, nil) })
	d.Press("n").Send(again).lacks("write to config.yaml")
	a.confirm = &w
	a.input.Config = &watch.File{Name: "config.yaml", Data: []byte("# newer\n")}
	d.Send(again)
	if a.confirm != &w {
		t.Error("an outdated change is shown")
	}
}

// The --context that a written one would put aside holds when nothing is
// written, because the file changed meanwhile or is no file any more.
func TestFlagHoldsWhenNothingIsWritten(t *testing.T) {
	t.Parallel()
	config := []byte(strings.Replace(string(demo.Config()), "default: anthropic/claude-sonnet-4.5", "context_length: 200000", 1))
	d, path := onConfigFile(t, config, 50_000)
	d.reads(path).Press("down", "right").settle().wants("was 50k").Press("S").Until("write to config.yaml")
	require.NoError(t, os.WriteFile(path, append([]byte("# mine\n"), config...), 0o600))
	d.Press("y").Until("the file changed meanwhile").Press("n")
	d.reads(path).wants("was 50k", "no knobs")
	d.Press("S").Until("write to config.yaml")
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o700))
	d.Press("y").Until("not saved").Press("0").settle().wants("50k", "no knobs")
}
