package cli

import (
	"caliper/model/require"
	"caliper/tui/cli/runner"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestFoundSessions: the folders of agents are found where their variables say, else at
// home, and only those that exist.
func TestFoundSessions(t *testing.T) {
	t.Parallel()
	home, other := t.TempDir(), t.TempDir()
	for _, folder := range []string{".claude/projects", ".codex/sessions", ".codex/archived_sessions", ".hermes"} {
		require.NoError(t, os.MkdirAll(filepath.Join(home, folder), 0o700))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(other, "archived_sessions"), 0o700))
	for _, c := range []struct {
		codex string
		want  []string
	}{
		{"", []string{filepath.Join(home, ".claude", "projects"), filepath.Join(home, ".codex", "sessions"), filepath.Join(home, ".codex", "archived_sessions"), filepath.Join(home, ".hermes")}},
		{other, []string{filepath.Join(home, ".claude", "projects"), filepath.Join(other, "archived_sessions"), filepath.Join(home, ".hermes")}},
	} {
		r := &run{Run: &runner.Run{Env: runner.Env{Home: home, Lookup: func(name string) (string, bool) { return c.codex, name == "CODEX_HOME" && c.codex != "" }}}}
		if got := r.foundSessions(""); !reflect.DeepEqual(got, c.want) {
			t.Errorf("found %q, want %q", got, c.want)
		}
	}
}
