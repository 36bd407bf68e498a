package workbench

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
)

// What somebody else writes between the look and the change is not lost.
func TestRewriteBesideSomebodyElse(t *testing.T) {
	t.Parallel()
	const other, label = `{"query": "close an issue", "id": "k", "relevant":["mcp_tracker_close_issue"]}` + "\n", `{"id": "q2", "query": "delete a branch", "relevant": ["mcp_forge_delete_branch"]}` + "\n"
	path := filepath.Join(t.TempDir(), "q.jsonl")
	write := func(text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	has := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%v, the file has %q, want %q", err, got, want)
		}
	}
	write(other)
	asked := 0
	msg := RewriteLabels(path, func(data []byte) ([]byte, string, error) {
		if asked++; asked == 1 {
			write(other + "{}\n")
		}
		return AddLabel(data, "delete a branch", "mcp_forge_delete_branch", "mcp_forge_delete_branch")
	})().(LabelsWrittenMsg)
	if asked != 2 || msg.Err != nil || !strings.Contains(msg.Did, "as q2") {
		t.Errorf("asked %d times: %+v", asked, msg)
	}
	has(other + "{}\n" + label)
	write("{}\n")
	msg = RewriteLabels(path, func(data []byte) ([]byte, string, error) {
		err := os.WriteFile(path, append(data, ' '), 0o600)
		return []byte("lost"), "lost", err
	})().(LabelsWrittenMsg)
	if msg.Err == nil || msg.Err.Error() != "q.jsonl keeps changing" {
		t.Errorf("%+v", msg)
	}
	has("{}\n" + strings.Repeat(" ", 10))
}

func TestRewriteWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "nowhere", "q.jsonl")
	msg := RewriteLabels(path, func([]byte) ([]byte, string, error) { return []byte("x"), "x", nil })().(LabelsWrittenMsg)
	var failed *fs.PathError
	if !errors.As(msg.Err, &failed) || failed.Path != path {
		t.Errorf("%+v", msg)
	}
}
