package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/tui/demo"
	"caliper/tui/editor"
)

func TestTrialInTheEditor(t *testing.T) {
	t.Parallel()
	bin := filepath.Join(t.TempDir(), "ed")
	if err := os.WriteFile(bin, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string { return map[string]string{"EDITOR": bin}[name] }
	ready, ok := editDescription(getenv, "x", "a\nb")().(editor.ReadyMsg)
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
	closed := ready.Closed(nil).(editor.ClosedMsg).Then.(describedMsg)
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
	d.Send(describedMsg{tool: "mcp_wiki_touch", text: "one\n two"}).settle().wants("│ one", "│  two", "keep as trial")
	d.Send(describedMsg{tool: "mcp_wiki_touch", err: os.ErrNotExist}).settle().wants("│  two")
}
