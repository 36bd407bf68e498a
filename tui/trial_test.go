package tui

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/terminal"
)

// A description that cannot be edited in Explore is edited in the editor, and then tried; one
// that can goes on there.
func TestTrialInTheEditor(t *testing.T) {
	t.Parallel()
	bin := filepath.Join(t.TempDir(), "ed")
	require.NoError(t, os.WriteFile(bin, nil, 0o700))
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Lookup = func(name string) (string, bool) { return bin, name == "EDITOR" }
	d := startExplorer(t, opt, 120, 36)
	edit := func(tool, left string, failed error) *driver {
		ready, ok := d.app().explore.Draft(&model.Tool{Qualified: tool}, "a\n\tb")().(terminal.EditorReadyMsg)
		if !ok {
			t.Fatal("no editor")
		}
		path := ready.Args[len(ready.Args)-1]
		if data, err := os.ReadFile(path); err != nil || string(data) != "a\n\tb\n" {
			t.Errorf("%v, the file has %q", err, data)
		}
		require.NoError(t, os.WriteFile(path, []byte(left+"\n"), 0o600))
		closed := ready.Closed(failed)
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Error("the file stays")
		}
		d.Send(closed)
		return d
	}
	edit("mcp_wiki_touch", "Confirm that the handbook article is still correct.", nil).settle().wants("WHAT IF")
	edit("nobody", "x", nil).wants("the registry has no nobody any more")

	d.Press("esc", "esc").Press("t")
	d.app().explore.Draft(d.app().state.Snapshot.Registry.Named("mcp_wiki_touch"), "Touch.")
	edit("mcp_wiki_touch", "one\n two", nil).settle().wants("┃ one", "┃  two", "keep as trial")
	edit("mcp_wiki_touch", "three", os.ErrNotExist).settle().wants("┃  two")
}

// What the editor was to edit goes with the explorer, quit or not, although the editor
// has not run or not closed.
func TestNoTextStaysBehind(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*driver){
		"quit":             func(d *driver) { d.Press("ctrl+c") },
		"the context ends": func(d *driver) { d.app().stop() },
	} {
		opt := testOptions(demo.Registry(), demo.Config())
		opt.Lookup = func(name string) (string, bool) { return "mine", name == "EDITOR" }
		d := startExplorer(t, opt, 120, 36)
		ready, ok := d.app().texts.Edit("caliper-stays-*.txt", "a", func(string, error) tea.Msg { return nil })().(terminal.EditorReadyMsg)
		if !ok {
			t.Fatal("no editor")
		}
		path := ready.Args[len(ready.Args)-1]
		if _, err := os.Stat(path); err != nil {
			t.Fatal(err)
		}
		end(d)
		there := func() bool { _, err := os.Stat(path); return !os.IsNotExist(err) }
		for range 100 { // the end of a context is told beside
			if !there() {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if there() {
			t.Errorf("%s: %s stays", name, path)
		}
	}
}
