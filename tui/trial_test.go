package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/tui/demo"
	"caliper/tui/editor"
)

func TestTrialKeepsLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"one\n two": "one⏎ two", "a": "a", "": "", "a⏎b": "", "a\x1bb": ""} {
		if got := inOneLine(text); got != want {
			t.Errorf("%q is typed as %q, want %q", text, got, want)
		}
	}
	d := explorer(t, 120, 36).Press("alt+5", "v", "t")
	box, ok := d.app().over[len(d.app().over)-1].(*trial)
	if !ok {
		t.Fatal("no trial is open")
	}
	box.field.Set(inOneLine("one\n two"))
	d.Press("home").wants("one⏎ two")
	if got := box.text(); got != "one\n two" {
		t.Errorf("%q", got)
	}
}

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
}
