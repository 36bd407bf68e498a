package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/demo"
	"caliper/tui/terminal"
)

func TestTrialInTheEditor(t *testing.T) {
	t.Parallel()
	bin := filepath.Join(t.TempDir(), "ed")
	if err := os.WriteFile(bin, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string { return map[string]string{"EDITOR": bin}[name] }
	ready, ok := editDescription(terminal.NewEditedTexts(getenv), "x", "a\nb")().(terminal.EditorReadyMsg)
	if !ok {
		t.Fatal("no editor")
	}
	path := ""
	for _, arg := range ready.Args {
		if strings.Contains(arg, "caliper-description-") {
			path = arg
		}
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "a\nb\n" {
		t.Errorf("%v, the file has %q", err, data)
	}
	if err := os.WriteFile(path, []byte("c\nd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	closed := ready.Closed(nil).(terminal.EditorClosedMsg).Then.(describedMsg)
	if closed.tool != "x" || closed.text != "c\nd" || closed.err != nil {
		t.Errorf("%+v", closed)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("the file stays")
	}
	opt := testOptions(demo.Registry(), demo.Config())
	d := startExplorer(t, opt, 120, 36)
	d.Send(describedMsg{tool: "mcp_wiki_touch", text: "Confirm that the handbook article is still correct."})
	d.settle().wants("WHAT IF")
	d.Send(describedMsg{tool: "nobody", text: "x"}).wants("the registry has no nobody any more")

	d.Press("esc", "esc").Press("t")
	d.app().explore.Draft(d.app().state.Snapshot.Registry.Named("mcp_wiki_touch"), "Touch.")
	d.Send(describedMsg{tool: "mcp_wiki_touch", text: "one\n two"}).settle().wants("┃ one", "┃  two", "keep as trial")
	d.Send(describedMsg{tool: "mcp_wiki_touch", err: os.ErrNotExist}).settle().wants("┃  two")
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
		ready, ok := host{d.app()}.EditText("caliper-stays-*.txt", "a", func(string, error) tea.Msg { return nil })().(terminal.EditorReadyMsg)
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
