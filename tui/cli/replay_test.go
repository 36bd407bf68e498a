package cli

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/workbench"
)

// The explorer takes another list of prices and calibrated tokenizers.
func TestExplorerReplays(t *testing.T) {
	t.Parallel()
	prices := write(t, "prices.yaml", "models: {sable: {input: 1, cache_read: 0, cache_write: 0, output: 1}}\n")
	var got tui.Options
	env := runner.Env{StdinTerminal: true, StdoutTerminal: true, Explore: func(_ context.Context, o tui.Options) error { got = o; return nil }}
	if code, _, complaints := commandIn(t, env, "", "--demo", "--replay", "log.jsonl", "--prices", prices, "--tokenizer", "calibrated:sable"); code != 0 {
		t.Fatal(complaints)
	}
	if _, priced := got.Prices.Find("sable"); !priced || got.Calibrated != "calibrated:sable" {
		t.Errorf("priced %v, calibrated %q", priced, got.Calibrated)
	}
}

// TestReplayKeepsWhatItRead: with the index, filled and then read, a replay prints what
// it prints without; --no-cache and the sessions of the demo leave nothing in the cache.
func TestReplayKeepsWhatItRead(t *testing.T) {
	t.Parallel()
	env := runner.Env{Embedding: workbench.Embedding{Cache: t.TempDir(), Build: "b1"}}
	log := write(t, "log.jsonl", `{"type":"user","uuid":"u1","sessionId":"s1","message":{"content":"open a change"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s1","message":{"id":"m1","model":"x","content":[{"type":"text","text":"secret"},{"type":"tool_use","id":"t1","name":"mcp_forge_open_change","input":{"hidden":1}}],"usage":{"input_tokens":900,"output_tokens":2}}}
`)
	hourAgo := time.Now().Add(-time.Hour) // a log that was just written may change again
	require.NoError(t, os.Chtimes(log, hourAgo, hourAgo))
	args := []string{"replay", log, "--demo", "--calls", "--texts", "--json"}
	kept := func() []string {
		files, err := filepath.Glob(filepath.Join(env.Embedding.Cache, "computed", "*"))
		require.NoError(t, err)
		return files
	}
	code, want, complaints := commandIn(t, env, "", append(slices.Clone(args), "--no-cache")...)
	if code != 0 {
		t.Fatal(complaints)
	}
	if code, _, complaints := commandIn(t, env, "", "replay", "sessions", "--demo"); code != 0 || len(kept()) > 0 {
		t.Errorf("%s; kept %q", complaints, kept())
	}
	for _, how := range []string{"first", "second"} {
		if _, got, complaints := commandIn(t, env, "", args...); got != want {
			t.Errorf("%s: %s%s, want %s", how, got, complaints, want)
		}
	}
	if len(kept()) != 1 {
		t.Fatalf("kept %q", kept())
	}
	data, err := os.ReadFile(kept()[0])
	require.NoError(t, err)
	for _, text := range []string{"secret", "hidden", "log.jsonl"} {
		if strings.Contains(string(data), text) {
			t.Errorf("%q is kept", text)
		}
	}
}

// TestFoundSessions: the folders of agents are found where their variables say, else at
// home, and only those that exist.
func TestFoundSessions(t *testing.T) {
	t.Parallel()
	home, other := t.TempDir(), t.TempDir()
	for _, folder := range []string{".claude/projects", ".codex/sessions", ".codex/archived_sessions", ".copilot/session-state", ".hermes"} {
		require.NoError(t, os.MkdirAll(filepath.Join(home, folder), 0o700))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(other, "archived_sessions"), 0o700))
	for _, c := range []struct {
		codex string
		want  []string
	}{
		{"", []string{filepath.Join(home, ".claude", "projects"), filepath.Join(home, ".codex", "sessions"), filepath.Join(home, ".codex", "archived_sessions"), filepath.Join(home, ".copilot", "session-state"), filepath.Join(home, ".hermes")}},
		{other, []string{filepath.Join(home, ".claude", "projects"), filepath.Join(other, "archived_sessions"), filepath.Join(home, ".copilot", "session-state"), filepath.Join(home, ".hermes")}},
	} {
		r := &run{Run: &runner.Run{Env: runner.Env{Home: home, Lookup: func(name string) (string, bool) { return c.codex, name == "CODEX_HOME" && c.codex != "" }}}}
		if got := r.foundSessions(""); !reflect.DeepEqual(got, c.want) {
			t.Errorf("found %q, want %q", got, c.want)
		}
	}
}

// TestRoom: small logs change nothing, large ones bound the memory, larger ones get more,
// never more than the user allows, and in the end all is as before.
func TestRoom(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	before := limit()
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for _, c := range []struct {
		users int64
		bytes int
		want  int64
	}{
		{math.MaxInt64, memoryStep - 1, math.MaxInt64},
		{math.MaxInt64, memoryStep, leastMemory},
		{math.MaxInt64, 500 << 20, leastMemory},
		{math.MaxInt64, 3 << 30, (3 << 30) / memoryShare},
		{100 << 20, 500 << 20, 100 << 20},
	} {
		debug.SetMemoryLimit(c.users)
		var r memoryBound
		r.read(c.bytes / 2)
		r.read(c.bytes)
		if got := limit(); got != c.want {
			t.Errorf("%d bytes: %d, want %d", c.bytes, got, c.want)
		}
		if r.end(); limit() != c.users {
			t.Errorf("%d bytes: in the end %d, want %d", c.bytes, limit(), c.users)
		}
	}
}
