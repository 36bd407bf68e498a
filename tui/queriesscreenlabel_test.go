package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/tui/demo"
	"caliper/tui/workbench"
)

// onFile drives an explorer whose labelled queries are a file with a content,
// none when it is empty.
func onFile(t *testing.T, content string) (*driver, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), demo.QueriesFile)
	if content != "" {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opt := testOptions(demo.Registry(), demo.Config())
	changes := make(chan Change, 1)
	data, err := os.ReadFile(path)
	changes <- Change{Files: []workbench.File{{Name: path, Data: data, Err: err}}}
	close(changes)
	opt.QueriesName, opt.Changes[QueriesPart] = path, changes
	return startExplorer(t, opt, 120, 36), path
}

// watched delivers what a file has, as its watcher would.
func (d *driver) watched(path string) *driver {
	d.t.Helper()
	data, err := os.ReadFile(path)
	d.Send(changedMsg{part: QueriesPart, more: true, change: Change{Files: []workbench.File{{Name: path, Data: data, Err: err}}}})
	return d.worked()
}

// has fails unless a file has a content.
func has(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%v, the file has\n%q, want\n%q", err, got, want)
	}
}

const (
	keptLine    = `  {"note": "é", "query": "close an issue", "id": "k", "relevant":["mcp_tracker_close_issue"]}  `
	newLabel    = `{"id": "q2", "query": "delete a branch", "relevant": ["mcp_forge_delete_branch"]}`
	brokenLabel = `{"id": `
)

func TestLabelMakesTheFile(t *testing.T) {
	t.Parallel()
	d, path := onFile(t, "")
	d.worked("alt+5").wants("no labelled queries yet", "a labels the query").worked("alt+1")
	d.Press("shift+tab", "a").wants("type a query first").Press("tab").Type("delete a branch").Press("shift+tab", "a").wants("q1 labelled: it wants mcp_forge_delete_branch")
	line := `{"id": "q1", "query": "delete a branch", "relevant": ["mcp_forge_delete_branch"]}` + "\n"
	has(t, path, line)
	d.watched(path).wants("q1 labelled: it wants mcp_forge_delete_branch")
	d.worked("alt+5").wants("0 of 1 missed", "delete a branch")
	d.Press("a").wants("nothing to write: the labelled queries say so already")
	has(t, path, line)
	d.Press("d").wants("d again takes away: delete a branch").Press("k").lacks("d again").Press("d", "d").wants("q1 taken away: delete a branch")
	has(t, path, "")
	d.watched(path).wants("no labelled queries yet", "q1 taken away").Press("d").wants("no labelled query is selected")
}

func TestLabelKeepsOtherBytes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, after string }{
		{"final newline", keptLine + "\n", keptLine + "\n" + newLabel + "\n"},
		{"no final newline", keptLine, keptLine + "\n" + newLabel + "\n"},
		{"CR LF and a mark", "\uFEFF" + keptLine + "\r\n\r\n", "\uFEFF" + keptLine + "\r\n\r\n" + newLabel + "\r\n"},
		{"broken lines", brokenLabel + "\n" + keptLine, brokenLabel + "\n" + keptLine + "\n" + newLabel + "\n"},
	}
	for _, tt := range tests {
		d, path := onFile(t, tt.before)
		d.Type("delete a branch").Press("shift+tab", "a")
		has(t, path, tt.after)
		d.watched(path).worked("alt+5").Press("/").Type("delete a branch").Press("enter", "d", "d")
		has(t, path, strings.Replace(tt.after, newLabel+lineEndOf(tt.after), "", 1))
	}
	const grouped = keptLine + "\r\n" + `{"query":"delete  a branch","relevant":["x"],"groups":[["x"]]}`
	d, path := onFile(t, grouped)
	d.Type("delete a branch").Press("shift+tab", "a").wants("line 2 wants mcp_forge_delete_branch too")
	has(t, path, keptLine+"\r\n"+`{"query":"delete  a branch","relevant":["x", "mcp_forge_delete_branch"],"groups":[["x"], ["mcp_forge_delete_branch"]]}`)
}

// lineEndOf is how the lines of a text end.
func lineEndOf(text string) string {
	if strings.HasSuffix(text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// What somebody else writes between the look and the change is not lost.
func TestLabelBesideSomebodyElse(t *testing.T) {
	t.Parallel()
	d, path := onFile(t, keptLine+"\n")
	d.Type("delete a branch")
	asked := 0
	msg := d.app().rewriteLabels(func(data []byte) ([]byte, string, error) {
		if asked++; asked == 1 {
			if err := os.WriteFile(path, []byte(keptLine+"\n{}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return labelQuery(data, "delete a branch", "mcp_forge_delete_branch", "mcp_forge_delete_branch")
	})()
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	d.Send(msg).wants("q2 labelled")
	has(t, path, keptLine+"\n{}\n"+newLabel+"\n")
	d.watched(path).worked("alt+5")
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Press("d", "d").wants("error: not written: ", "is not in the file any more")
	has(t, path, "{}\n")
	asked = 0
	d.Send(d.app().rewriteLabels(func(data []byte) ([]byte, string, error) {
		asked++
		err := os.WriteFile(path, append(data, ' '), 0o600)
		return []byte("lost"), "lost", err
	})()).wants("keeps changing")
	has(t, path, "{}\n   ")
}

func TestLabelSaysWhatCannotBeWritten(t *testing.T) {
	t.Parallel()
	d, path := onFile(t, "")
	d.app().opt.QueriesName = filepath.Join(path+"-nowhere", "q.jsonl")
	d.Type("delete a branch").Press("shift+tab", "a").wants("error: not written: q.jsonl: no")
}
