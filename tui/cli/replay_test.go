package cli

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/engine/labels"
	"caliper/engine/transcript"
	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/report/replays"
	"caliper/tui/workbench"
)

// talk is a session in which the agent searches three times for a tool of the
// demo, calls it, and calls one that nobody has. Its texts are hostile.
func talk(model string, when time.Time) transcript.Session {
	size := func(text string, c transcript.Class) transcript.Size { return transcript.Measure(text, c, nil) }
	const words = "open a change for mira@boats.example\x1b[31m\u202e"
	entries := []transcript.Entry{{Parent: transcript.None, Kind: transcript.User, Time: when, Words: words, Size: size(words, transcript.Prose)}}
	answer := func(total int, calls ...transcript.Call) {
		entries = append(entries, transcript.Entry{Parent: len(entries) - 1, Kind: transcript.Answer, Time: when, Size: size("Let me see.", transcript.Prose),
			Request: &transcript.Request{Model: model, Tools: transcript.None, Calls: calls, Usage: &transcript.Usage{Input: total, Output: 5}}})
	}
	for i, q := range []string{"change", "change", "open a change"} {
		answer(9000+20*i, transcript.Call{Kind: transcript.Search, Tool: "ToolSearch", Lookup: &transcript.Lookup{Queries: []string{q}, Hits: []string{"mcp_forge_open_change"}}, Answered: true})
	}
	answer(9100, transcript.Call{Tool: "mcp_forge_open_change", Answered: true}, transcript.Call{Tool: "no\x1b[2Jbody", Answered: true})
	return transcript.Session{ID: "s1", Agent: transcript.Claude, Model: model, Started: when, File: "a.jsonl",
		Contexts: []transcript.Context{{Entries: entries}}}
}

// replayIn runs replay on sessions that are already read.
func replayIn(t *testing.T, sessions []transcript.Session, args ...string) (code int, out, complaints string) {
	t.Helper()
	env := runner.Env{ReadSessions: func(_ context.Context, paths []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error) {
		if o.Progress != nil {
			o.Progress(5 << 20)
		}
		return transcript.Log{Sessions: slices.Clone(sessions), Skipped: []transcript.Skipped{{File: paths[0], Line: 3, What: "torn", Count: 1}}}, nil
	}}
	return commandIn(t, env, "", append([]string{"replay", "log.jsonl", "--demo"}, args...)...)
}

// keysOf returns the keys of an object in their order.
func keysOf(t *testing.T, data json.RawMessage) string {
	t.Helper()
	object, err := jsontree.Parse(data, jsontree.Strict)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(runner.Array(object.Children, func(c jsontree.Child) string { return c.Name }), " ")
}

func TestReplayJSON(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	code, out, _ := replayIn(t, []transcript.Session{talk("claude-opus-5", when)}, "--calls", "--json", "--strategy", "eager,tool_search", "--ranker", "bm25,fielded")
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	var got struct {
		Sessions []json.RawMessage
		Calls    []json.RawMessage
		Totals   struct{ Requests, Loops, Unknown int }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	for _, c := range []struct{ got, want string }{
		{keysOf(t, json.RawMessage(out)), "sessions totals calls eager searches cache unused sessions_without_tools unknown_tools calibration skipped prices"},
		{keysOf(t, got.Sessions[0]), "id agent model started requests calls deferrable_calls found below no_match out_of_scope unknown loops logged used sent recomputed error_pct tokenizer strategies"},
		{keysOf(t, got.Calls[0]), "session request tool query searched ranks status own_search"},
	} {
		if c.got != c.want {
			t.Errorf("keys %q, want %q", c.got, c.want)
		}
	}
	if got.Totals.Requests != 4 || got.Totals.Loops != 1 || got.Totals.Unknown != 1 {
		t.Errorf("%+v", got.Totals)
	}
	if strings.Contains(out, "mira") || strings.ContainsAny(out, "\x1b\u202e") {
		t.Error("a text of the log is in the output")
	}
}

// With "calibrated" every session is counted by the tokenizer of its own model, and by
// chars4 where none could be fitted; the text says from how many requests it is.
func TestReplayCalibrated(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	silent := talk("silent", when)
	for i := range silent.Contexts[0].Entries {
		if r := silent.Contexts[0].Entries[i].Request; r != nil {
			r.Usage = nil
		}
	}
	sessions := []transcript.Session{talk("claude-opus-5", when), silent}
	_, out, _ := replayIn(t, sessions, "--tokenizer", "calibrated", "--json")
	var got struct{ Sessions []struct{ Tokenizer string } }
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Sessions) != 2 {
		t.Fatal(err, out)
	}
	if got.Sessions[0].Tokenizer != "calibrated:claude-opus-5" || got.Sessions[1].Tokenizer != "chars4" {
		t.Errorf("%+v", got.Sessions)
	}
	for _, tokenizer := range []string{"calibrated", "calibrated:claude-opus-5"} {
		if _, out, _ := replayIn(t, sessions, "--tokenizer", tokenizer); !strings.Contains(strings.Join(strings.Fields(out), " "), "fitted to 4 requests, too few to hold any out, so that their error is unknown") {
			t.Errorf("%s:\n%s", tokenizer, out)
		}
	}
	if code, _, complaints := replayIn(t, []transcript.Session{silent}, "--tokenizer", "calibrated"); code != 2 || !strings.Contains(complaints, "no model has requests") {
		t.Errorf("exit code %d, %s", code, complaints)
	}
}

// The explorer takes another list of prices and calibrated tokenizers, and refuses both
// where they are wrong.
func TestExplorerReplays(t *testing.T) {
	t.Parallel()
	prices := write(t, "prices.yaml", "models: {sable: {input: 1, cache_read: 0, cache_write: 0, output: 1}}\n")
	bad := write(t, "bad.yaml", "models: {sable: {input: -1}}\n")
	var got tui.Options
	env := runner.Env{StdinTerminal: true, StdoutTerminal: true, Explore: func(_ context.Context, o tui.Options) error { got = o; return nil }}
	if code, _, complaints := commandIn(t, env, "", "--demo", "--replay", "log.jsonl", "--prices", prices, "--tokenizer", "calibrated:sable"); code != 0 {
		t.Fatal(complaints)
	}
	if _, priced := got.Prices.Find("sable"); !priced || got.Calibrated != "calibrated:sable" {
		t.Errorf("priced %v, calibrated %q", priced, got.Calibrated)
	}
	if code, _, complaints := commandIn(t, env, "", "--demo", "--prices", bad); code != 2 || complaints == "" {
		t.Errorf("exit code %d, %s", code, complaints)
	}
}

func TestReplayText(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	const rendered = "tokens by rendered:anthropic, which counts definitions of tools as the provider writes them, and all other text by chars4"
	for _, model := range []string{"claude-opus-5", "nobody-knows-it"} {
		code, out, _ := replayIn(t, []transcript.Session{talk(model, when)}, "--texts", "--calls", "--tokenizer", "rendered:anthropic")
		text := strings.Join(strings.Fields(out), " ")
		if code != 0 || !strings.Contains(text, replays.ReplayBoundary) || !strings.Contains(text, rendered) || strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("%s: exit code %d\n%s", model, code, out)
		}
		if priced := strings.Contains(out, "$"); priced != (model == "claude-opus-5") {
			t.Errorf("%s: priced %v", model, priced)
		}
		if !strings.Contains(out, "1 loop") {
			t.Errorf("%s: no loop in\n%s", model, out)
		}
	}
}

func TestReplayExitCodes(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	one := []transcript.Session{talk("claude-opus-5", when)}
	broken := []transcript.Session{loading(when)}
	bad := write(t, "prices.yaml", "models: {a: {input: -1}}\n")
	for _, c := range []struct {
		name     string
		sessions []transcript.Session
		args     []string
		code     int
		says     string
	}{
		{"all is well", one, nil, 0, ""},
		{"a bar that is met", one, []string{"--min", "found=0", "--max", "loops=1"}, 0, ""},
		{"too many loops", one, []string{"--max", "loops=0"}, 1, "1 loop, more than 0"},
		{"no break", one, []string{"--max", "breaks=0"}, 0, ""},
		{"a break that is allowed", broken, []string{"--max", "breaks=1"}, 0, ""},
		{"too many breaks", broken, []string{"--max", "breaks=0"}, 1, "1 request lost the cached prefix to a change, more than 0"},
		{"nothing to read", nil, nil, 2, "no session"},
		{"prices that are wrong", one, []string{"--prices", bad}, 2, "prices.yaml"},
		{"a time after the end", one, []string{"--since", "2026-10-01"}, 0, "--since leaves out 1 of 1 session, which ended before 2026-10-01\n"},
		{"a time before the end", one, []string{"--since", "2026-08-01"}, 0, ""},
		{"a model without requests", one, []string{"--tokenizer", "calibrated:nobody"}, 2, "no session has requests"},
		{"a model that was fitted", one, []string{"--tokenizer", "calibrated:claude-opus-5"}, 0, ""},
	} {
		code, _, complaints := replayIn(t, c.sessions, append(c.args, "--json")...)
		if code != c.code || !strings.Contains(complaints, c.says) {
			t.Errorf("%s: exit code %d, want %d; %s", c.name, code, c.code, complaints)
		}
	}
}

func TestReplayQueriesOut(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	file := filepath.Join(t.TempDir(), "out.jsonl")
	for range 2 { // the second time they are there already
		if code, _, complaints := replayIn(t, []transcript.Session{talk("m", when)}, "--queries-out", file); code != 0 {
			t.Fatal(complaints)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if err := os.Chmod(file, 0o644); err != nil { // the second time it is closed to others again
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	queries, faults := labels.Parse(file, data)
	if len(faults) > 0 || len(queries) != 1 || queries[0].Text != "open a change" || !slices.Equal(queries[0].Relevant, []string{"mcp_forge_open_change"}) {
		t.Errorf("%+v, %v", queries, faults)
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

// Without a registry the tools are those that the logs define, and the figures equal a
// registry with these.
func TestReplayWithoutRegistry(t *testing.T) {
	t.Parallel()
	definition := func(name string) []byte {
		return []byte(`{"name":"` + name + `","description":"Open a change","input_schema":{"type":"object","properties":{"title":{"type":"string"}}},"defer_loading":true}`)
	}
	s := talk("claude-opus-5", time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC))
	s.Listed = []transcript.Listed{{Name: "mcp_forge_open_change", Definition: definition("mcp_forge_open_change")}, {Name: "mcp_forge_\x1b[2J"}}
	s.Arrays = []transcript.ToolArray{{Definitions: [][]byte{[]byte(`{"name":"Bash","input_schema":{}}`), definition("mcp_forge_open_change")}}}
	dir := t.TempDir()
	named := filepath.Join(dir, "tools.json")
	require.NoError(t, os.WriteFile(named, []byte("["+string(definition("mcp_forge_open_change"))+`,{"name":"mcp_forge_\u001b[2J","input_schema":{"type":"object"},"defer_loading":true}]`), 0o600))
	config := filepath.Join(dir, "c.yaml")
	require.NoError(t, os.WriteFile(config, []byte("tools: {core: [mcp_forge_open_change]}\n"), 0o600))
	run := func(args ...string) (int, string, string) {
		env := runner.Env{ReadSessions: func(context.Context, []string, transcript.Agent, transcript.Options) (transcript.Log, error) {
			return transcript.Log{Sessions: []transcript.Session{s}}, nil
		}}
		return commandIn(t, env, "", append([]string{"replay", "log.jsonl", "--calls", "--json"}, args...)...)
	}
	const note = "caliper: without --registry the tools are those that the logs define, and 1 tool of which they have the name alone"
	for _, more := range [][]string{nil, {"--config", config}} {
		code, out, complaints := run(more...)
		_, want, _ := run(append(more, "--registry", named)...)
		if code != 0 || out != want || !strings.Contains(complaints, note) {
			t.Errorf("%q: exit code %d, %q\n%s\nwith the same registry\n%s", more, code, complaints, out, want)
		}
	}
}

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
