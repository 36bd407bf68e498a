package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model/require"
	"caliper/tui/cli/runner"
)

// loading is a session whose second request has a tool that the first had not, and so reads
// nothing of the 9,000 tokens that the first wrote.
func loading(when time.Time) transcript.Session {
	tool := func(name string) []byte {
		return []byte(`{"name":"` + name + `","description":"` + name + `","input_schema":{"type":"object"}}`)
	}
	entry := func(parent, tools int, u transcript.Usage) []transcript.Entry {
		when = when.Add(time.Minute)
		return []transcript.Entry{{Parent: parent, Kind: transcript.User, Time: when, Words: "go on"},
			{Parent: parent + 1, Kind: transcript.Answer, Time: when, Request: &transcript.Request{Model: "claude-opus-5", Tools: tools, Usage: &u}}}
	}
	return transcript.Session{ID: "s2", Agent: transcript.Anthropic, Model: "claude-opus-5", File: "b.jsonl",
		Arrays:   []transcript.ToolArray{{Definitions: [][]byte{tool("mcp__forge__open_change")}}, {Definitions: [][]byte{tool("mcp__new__x"), tool("mcp__forge__open_change")}}},
		Contexts: []transcript.Context{{Entries: append(entry(transcript.None, 0, transcript.Usage{Input: 3, CacheWrite: 9000}), entry(1, 1, transcript.Usage{Input: 3, CacheWrite: 9400})...)}}}
}

// TestReplayCache: JSON has the break with its server, and what the beta for changes of tools would
// have saved; the report says the same in words.
func TestReplayCache(t *testing.T) {
	t.Parallel()
	sessions := []transcript.Session{loading(time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC))}
	_, out, _ := replayIn(t, sessions, "--json", "--strategy", "eager,tool_search")
	var got struct {
		Cache struct {
			Could    int `json:"could_read"`
			Again    int `json:"billed_again"`
			Breaks   []map[string]any
			Servers  []struct{ Server string }
			Remedies []struct {
				Remedy string
				Breaks int
				Cost   float64
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	c := got.Cache
	if len(c.Breaks) != 1 || c.Breaks[0]["cause"] != "tool_loaded" || c.Breaks[0]["tool"] != "mcp__new__x" || c.Breaks[0]["request"] != 2.0 || c.Could != 9000 || c.Again != 9000 || len(c.Servers) != 1 || c.Servers[0].Server != "mcp-new" {
		t.Errorf("%+v", c)
	}
	costs := map[string]float64{}
	for _, m := range c.Remedies {
		costs[m.Remedy] = m.Cost
	}
	if saved := costs["as_logged"] - costs["tool_changes"]; saved < 0.0517 || saved > 0.0518 || costs["stable_bridge"] != costs["as_logged"] {
		t.Errorf("%v saved of %v; want 9,000 tokens at 6.25 - 0.50 a million", saved, costs)
	}
	_, out, _ = replayIn(t, sessions, "--strategy", "eager,tool_search")
	for _, want := range []string{"1 request lost the cached prefix, because a tool was loaded: mcp__new__x; 9,000 tokens billed again, $0.0517", "Cost under each remedy", "tool changes in the conversation (beta)"} {
		if !strings.Contains(strings.ReplaceAll(out, "\n", " "), want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
}

// TestReplayUnused: --unused has the evidence for what was never called, and the change of a client's
// file that leaves it out, which stays as it is; --max unused=N is a bar.
func TestReplayUnused(t *testing.T) {
	t.Parallel()
	sessions := []transcript.Session{loading(time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC))}
	file := filepath.Join(t.TempDir(), ".mcp.json")
	const servers = `{"mcpServers":{"forge":{"command":"forge"}}}`
	require.NoError(t, os.WriteFile(file, []byte(servers), 0o600))
	code, out, complaints := replayIn(t, sessions, "--unused", "--mcp-config", file, "--strategy", "eager,tool_search", "--max", "unused=0")
	for _, want := range []string{"1 tool never called", "2 requests of 1 session on 1 day, 2026-09-01", "none of 18 tools was called", "disabledMcpjsonServers", "in claude-code; nothing is written"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
	if code != 1 || !strings.Contains(complaints, "1 tool never called though there, more than 0") {
		t.Errorf("exit code %d, %s", code, complaints)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != servers {
		t.Errorf("the file of the client was changed: %s, %v", data, err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(left) > 1 {
		t.Errorf("files were written: %v", left)
	}
	_, out, _ = replayIn(t, sessions, "--eager", "--mcp-config", file, "--strategy", "eager,tool_search")
	if !strings.Contains(out, "0 tools to keep eager") || strings.Contains(out, "never called") {
		t.Errorf("the report of --eager is:\n%s", out)
	}
	_, out, _ = replayIn(t, sessions, "--unused", "--json", "--strategy", "eager,tool_search")
	var got struct {
		Unused []struct {
			Server   string
			Observed bool
			ATurn    *int `json:"tokens_a_turn"`
			Never    []struct {
				Tool     string
				Observed bool
			} `json:"never_called"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	if first := got.Unused[0]; first.Server != "mcp-forge" || !first.Observed || first.ATurn == nil || !first.Never[0].Observed || first.Never[1].Observed {
		t.Errorf("%+v", first)
	}
	if last := got.Unused[len(got.Unused)-1]; last.Observed || last.ATurn != nil {
		t.Errorf("%+v", last)
	}
}

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
		{math.MaxInt64, roomStep - 1, math.MaxInt64},
		{math.MaxInt64, roomStep, leastRoom},
		{math.MaxInt64, 500 << 20, leastRoom},
		{math.MaxInt64, 3 << 30, (3 << 30) / roomShare},
		{100 << 20, 500 << 20, 100 << 20},
	} {
		debug.SetMemoryLimit(c.users)
		var r room
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
