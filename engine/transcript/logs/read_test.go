package logs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/newfile"
	"caliper/model/require"
)

// Lines of logs, as short as a reader takes them.
const (
	claudeHello = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"%","message":{"role":"user","content":"hello"}}` + "\n"
	claudeReply = `{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"%","message":{"id":"m1","role":"assistant","model":"claude-x","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":9,"output_tokens":2}}}` + "\n"
	// What a request sends, twice, and the answer to it.
	claudeOffers = `{"type":"attachment","uuid":"o1","parentUuid":"u1","sessionId":"%","attachment":{"type":"deferred_tools_delta","addedNames":["one","two"]}}` + "\n" +
		`{"type":"api-request-shape","sessionId":"%","shapeHash":"h1","shape":{"tools":[{"name":"one","defer_loading":true},{"name":"Bash"}]},"timestamp":"2026-09-15T11:57:45Z"}` + "\n" +
		`{"type":"api-request-shape","sessionId":"%","shapeHash":"h2","shape":{"tools":[{"name":"Bash"},{"name":"one","defer_loading":true}]},"timestamp":"2026-09-15T11:57:45Z"}` + "\n" +
		`{"type":"api-request","sessionId":"%","id":"q1","shapeHash":"h2","timestamp":"2026-09-15T11:57:45Z"}` + "\n" +
		`{"type":"assistant","uuid":"o2","parentUuid":"u1","sessionId":"%","requestRef":"q1","message":{"id":"m2","role":"assistant","model":"claude-x","content":[]}}` + "\n" +
		`{"type":"system","subtype":"compact_boundary","uuid":"o3","sessionId":"%","compactMetadata":{"preCompactDiscoveredTools":["one"]}}` + "\n"
	codexLines = `{"timestamp":"2026-09-15T11:57:45Z","type":"session_meta","payload":{"id":"%"}}` + "\n" +
		`{"timestamp":"2026-09-15T11:57:46Z","type":"event_msg","payload":{"type":"user_message","message":"hello"}}` + "\n" +
		`{"timestamp":"2026-09-15T11:57:46Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}}` + "\n" +
		`{"timestamp":"2026-09-15T11:57:47Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}}` + "\n"
	hermesExport = `{"id":"%","model":"m","messages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]}` + "\n"
	chatLog      = `{"request":{"model":"m","messages":[{"role":"user","content":"hello"}]},"response":{"model":"m","choices":[{"message":{"role":"assistant","content":"hi"}}],"usage":{"prompt_tokens":9,"completion_tokens":2}}}` + "\n"
)

func of(line, id string) string { return strings.ReplaceAll(line, "%", id) }

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// ids returns the ids of the sessions of a log with their agents.
func ids(log transcript.Log) (out []string) {
	for _, s := range log.Sessions {
		out = append(out, string(s.Agent)+" "+filepath.Base(s.ID))
	}
	return out
}

// skipped returns what a log left out, by the names of the files.
func skipped(log transcript.Log) map[string]string {
	out := map[string]string{}
	for _, s := range log.Skipped {
		out[filepath.Base(s.File)] = s.What
	}
	return out
}

// TestRead: logs of every agent are found in one folder, told apart by what they hold,
// and their sessions are in the order of the paths.
func TestRead(t *testing.T) {
	dir := folder(t, map[string]string{
		"b/two.jsonl":                  of(codexLines, "0199a2c4-7c1e-7d10-9b2a-000000000002"),
		"a/one.jsonl":                  of(claudeHello+claudeReply, "s1"),
		"c/export.json":                of(hermesExport, "s3"),
		"d/chat.log":                   chatLog,
		"e/notes.json":                 `{"x":1}`,
		"e/empty.jsonl":                "",
		"e/torn.jsonl":                 `{"type":"us`,
		"e/readme.txt":                 of(claudeHello, "s9"),
		"e/.git/log.jsonl":             of(claudeHello, "s9"),
		"a/one/subagents/x.meta.json":  `{}`,
		"a/one/subagents/agent-h.json": of(strings.ReplaceAll(claudeHello, "u1", "u3"), "s1"),
	})
	log, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, newfile.CacheFolder{})
	require.NoError(t, err)
	want := []string{"claude s1", "codex 0199a2c4-7c1e-7d10-9b2a-000000000002", "hermes s3", "openai chat.log"}
	if got := ids(log); !reflect.DeepEqual(got, want) {
		t.Errorf("sessions %q, want %q", got, want)
	}
	if got, want := skipped(log), map[string]string{"notes.json": noLog, "empty.jsonl": noLog, "torn.jsonl": noLog}; !reflect.DeepEqual(got, want) {
		t.Errorf("left out %q, want %q", got, want)
	}
	again, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, newfile.CacheFolder{})
	if err != nil || !reflect.DeepEqual(again, log) {
		t.Errorf("read again it is another log: %v", err)
	}
}

// TestNamedFile: a file that is named is read whatever it is called, and once.
func TestNamedFile(t *testing.T) {
	dir := folder(t, map[string]string{"readme.txt": of(claudeHello+claudeReply, "s1")})
	path := filepath.Join(dir, "readme.txt")
	link := filepath.Join(dir, "link.jsonl")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	log, err := Read(t.Context(), []string{path, path, link}, "", transcript.Options{}, newfile.CacheFolder{})
	if err != nil || !reflect.DeepEqual(ids(log), []string{"claude s1"}) || len(log.Skipped) > 0 {
		t.Errorf("%q, left out %v, %v", ids(log), log.Skipped, err)
	}
}

// TestAgentOverrides: who wrote the logs decides when the user says it.
func TestAgentOverrides(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": of(claudeHello+claudeReply, "s1")})
	log, err := Read(t.Context(), []string{dir}, transcript.Codex, transcript.Options{}, newfile.CacheFolder{})
	if err != nil || len(log.Sessions) > 0 || len(log.Skipped) == 0 {
		t.Errorf("%q, left out %v, %v", ids(log), log.Skipped, err)
	}
}

// TestWhatCannotBeRead: links that lead in a circle or nowhere, pipes, and files without
// permission are counted and stop nothing.
func TestWhatCannotBeRead(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": of(claudeHello+claudeReply, "s1"), "closed.jsonl": of(claudeHello, "s2")})
	for link, to := range map[string]string{"loop": dir, "lost.jsonl": filepath.Join(dir, "nowhere")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	want := map[string]string{"lost.jsonl": unreadable}
	if os.Geteuid() != 0 {
		require.NoError(t, os.Chmod(filepath.Join(dir, "closed.jsonl"), 0))
		want["closed.jsonl"] = unreadable
	}
	log, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, newfile.CacheFolder{})
	if err != nil || ids(log)[0] != "claude s1" || !reflect.DeepEqual(skipped(log), want) {
		t.Errorf("%q, left out %q, %v", ids(log), skipped(log), err)
	}
}

// TestWhatIsGone: a file that is gone when its turn comes, and one that is a folder by then, are told of.
func TestWhatIsGone(t *testing.T) {
	for name, path := range map[string]string{"gone": filepath.Join(t.TempDir(), "a.jsonl"), "a folder": t.TempDir()} {
		r := readers{formats: map[format]reader{}}
		if err := r.read(t.Context(), path); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestNoPath: a path that is not there is named.
func TestNoPath(t *testing.T) {
	_, err := Read(t.Context(), []string{filepath.Join(t.TempDir(), "nowhere")}, "", transcript.Options{}, newfile.CacheFolder{})
	var missing *fs.PathError
	if !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) || filepath.Base(missing.Path) != "nowhere" {
		t.Errorf("error %v", err)
	}
}

// TestCancelled: the end of the context ends a read.
func TestCancelled(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": of(claudeHello, "s1")})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, []string{dir}, "", transcript.Options{}, newfile.CacheFolder{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestNothingIsLeft: a read changes nothing where the logs lie.
func TestNothingIsLeft(t *testing.T) {
	shared := "../../../../shared/transcripts"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared transcripts are not here")
	}
	dir := t.TempDir()
	for _, name := range []string{"hermes", "claude", "codex", "requests"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(shared, name))))
	}
	list := func() (out []string) {
		if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil {
				info, e := e.Info()
				if err = e; err == nil {
					out = append(out, path, info.ModTime().String(), info.Mode().String())
				}
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	before := list()
	log, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, newfile.CacheFolder{})
	if err != nil || len(log.Sessions) != 41 {
		t.Errorf("%d sessions, want 41: %v", len(log.Sessions), err)
	}
	if after := list(); !reflect.DeepEqual(after, before) {
		t.Errorf("the folder was\n%q, and is\n%q", before, after)
	}
}

func TestRecognise(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       format
	}{
		{"claude", of(claudeHello, "s"), claudeFormat},
		{"claude, a snapshot first", `{"type":"file-history-snapshot","messageId":"m","snapshot":{}}` + "\n" + of(claudeHello, "s"), claudeFormat},
		{"claude, a summary", `{"type":"summary","summary":"x","leafUuid":"u"}`, claudeFormat},
		{"claude, cut in its first line", of(claudeHello, "s")[:80], claudeFormat},
		{"claude behind a torn line", `{"type":` + "\n" + of(claudeHello, "s"), claudeFormat},
		{"copilot", `{"type":"session.start","data":{},"id":"1","timestamp":"2026-01-01T00:00:00Z","parentId":null}`, copilotFormat},
		{"gemini, lines", `{"sessionId":"s","projectHash":"p","kind":"main"}`, geminiFormat},
		{"gemini, an object", `{"sessionId":"s","projectHash":"p","messages":[]}`, geminiFormat},
		{"gemini, its list of what was asked", `[{"sessionId":"s","messageId":0,"type":"user","message":"hi"}]`, geminiFormat},
		{"opencode, an export", `{"info":{"id":"ses_1"},"messages":[]}`, openCodeFormat},
		{"opencode, a message", `{"id":"msg_1","sessionID":"ses_1","role":"user"}`, openCodeFormat},
		{"vs code", `{"kind":0,"v":{"version":3}}`, vsCodeFormat},
		{"vs code, an object", `{"version":3,"responderUsername":"x","requests":[]}`, vsCodeFormat},
		{"spans, as Python prints them", `{"name":"chat","context":{"trace_id":"0x1","span_id":"0x2"},"kind":"x","parent_id":null,"attributes":{}}`, spansFormat},
		{"spans", `{"resourceSpans":[]}`, spansFormat},
		{"bedrock", `{"schemaType":"ModelInvocationLog","operation":"Converse","input":{}}`, bedrockFormat},
		{"an archive", `{"log":{"version":"1.2","entries":[]}}`, archiveFormat},
		{"codex exec --json", `{"type":"thread.started","thread_id":"t"}`, codexFormat},
		{"codex exec --json without its first lines", `{"type":"turn.started"}` + "\n" + `{"type":"item.completed","item":{"id":"item_0","type":"agent_message"}}`, codexFormat},
		{"claude, a stream", `{"type":"system","subtype":"init","session_id":"s","tools":[]}`, claudeFormat},
		{"claude, a stream without its first line", `{"type":"assistant","message":{"id":"m"},"session_id":"s"}`, claudeFormat},
		{"claude with a byte order mark", "\xef\xbb\xbf" + of(claudeHello, "s"), claudeFormat},
		{"codex", codexLines, codexFormat},
		{"codex, the oldest", `{"id":"x","timestamp":"2025-05-07T17:24:21Z","instructions":null}`, codexFormat},
		{"export", hermesExport, hermesFormat},
		{"gateway", `{"role":"session_meta","tools":[]}`, hermesFormat},
		{"dump", `{"session_id":"x","messages":[]}`, hermesFormat},
		{"database", "SQLite format 3\x00 and more", databaseFormat},
		{"opencode, a database", "SQLite format 3\x00CREATE TABLE `part` (`id` text", openCodeFormat},
		{"opencode, a database without quotes", "SQLite format 3\x00CREATE TABLE part(id text", openCodeFormat},
		{"database of parts of something else", "SQLite format 3\x00CREATE TABLE partners(id text", databaseFormat},
		{"requests", chatLog, requestsFormat},
		{"requests in an array", "[\n" + chatLog + "]", requestsFormat},
		{"request alone", `{"model":"m","messages":[]}`, requestsFormat},
		{"request of responses", `{"model":"m","input":"x"}`, requestsFormat},
		{"response of Anthropic", `{"id":"x","type":"message","role":"assistant","content":[]}`, requestsFormat},
		{"record", `{"v":1,"time":"2026-11-02T14:03:41Z","kind":"search"}`, recordFormat},
		{"registry", `{"tools":[{"type":"function"}]}`, unknownFormat},
		{"text", "the first line\nthe second", unknownFormat},
		{"numbers", "1 2 3\n[4]", unknownFormat},
		{"nothing", "", unknownFormat},
	} {
		if got := recognise([]byte(c.head)); got != c.want && !strings.HasPrefix(c.head, "SQLite") || formatOf([]byte(c.head), "") != c.want {
			t.Errorf("%s: format %d, want %d", c.name, got, c.want)
		}
	}
}

// FuzzRecognise: no beginning of a file fails, and it is read in bounded time.
func FuzzRecognise(f *testing.F) {
	for _, s := range []string{claudeHello, codexLines, hermesExport, chatLog, "[[[[{", "{\"a\":", "\xff{}\n{}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		if recognise(head) == databaseFormat {
			t.Error("a database is told by its first bytes alone")
		}
	})
}

// TestRotation: the parts of a log that was rotated are read from the oldest on.
func TestRotation(t *testing.T) {
	event := func(connection, query string) string {
		return `{"v":1,"time":"2026-11-02T14:03:41Z","seq":1,"session":"s","connection":"` + connection + `","kind":"search","request":{"query":"` + query + `"},"hits":[]}` + "\n"
	}
	dir := folder(t, map[string]string{"r.jsonl": event("c", "third"), "r.jsonl.1": event("c", "second"), "r.jsonl.10": event("c", "first")})
	files, _, err := find(t.Context(), []string{dir})
	require.NoError(t, err)
	var names []string
	for _, path := range files {
		names = append(names, filepath.Base(path))
	}
	if want := []string{"r.jsonl.10", "r.jsonl.1", "r.jsonl"}; !reflect.DeepEqual(names, want) {
		t.Errorf("order %q, want %q", names, want)
	}
}

// TestArray: a stream of Claude Code that is kept as one array is read as its lines are,
// with a cache and without; what is behind a tear is a torn line.
func TestArray(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"type":"system","subtype":"init","session_id":"s","tools":["ToolSearch","mcp__a__b"],"uuid":"1"}`,
		`{"type":"stream_event","event":{"type":"content_block_delta"},"session_id":"s","uuid":"9"}`,
		`{"type":"assistant","message":{"id":"m1","model":"x","content":[{"type":"tool_use","id":"t","name":"ToolSearch","input":{"query":"boats [1]\u00e9"}}],"usage":{"input_tokens":3,"output_tokens":1}},"session_id":"s","uuid":"2"}`,
		`{"type":"assistant","message":{"id":"m2","model":"x","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":4,"output_tokens":1}},"session_id":"s","uuid":"5"}`,
	}
	indented := "[\n  " + strings.ReplaceAll(strings.Join(lines, ",\n  "), `,"`, ",\n   \"") + "\n]\n"
	read := func(text string, cache newfile.CacheFolder) transcript.Log {
		path := filepath.Join(t.TempDir(), "run.json")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		log, err := Read(t.Context(), []string{path}, "", transcript.Options{}, cache)
		require.NoError(t, err)
		for i := range log.Skipped {
			log.Skipped[i].File, log.Skipped[i].Line = "", 0
		}
		for i := range log.Sessions {
			log.Sessions[i].File = ""
		}
		return log
	}
	want := read(strings.Join(lines, "\n"), newfile.CacheFolder{})
	if len(want.Sessions) != 1 || len(requests(want.Sessions[0])) != 2 {
		t.Fatalf("the lines are %+v", want)
	}
	for _, s := range want.Skipped {
		if !s.Known {
			t.Errorf("%q is an unknown kind", s.What)
		}
	}
	for name, text := range map[string]string{
		"on one line":              "[" + strings.Join(lines, ",") + "]",
		"indented":                 indented,
		"behind a byte order mark": "\ufeff" + indented,
		"torn":                     indented[:len(indented)-8],
	} {
		for _, cache := range []newfile.CacheFolder{{}, {Path: t.TempDir()}} {
			got := read(text, cache)
			if name == "torn" {
				if n := len(requests(got.Sessions[0])); n != 1 || len(got.Skipped) != len(want.Skipped)+1 {
					t.Errorf("torn: %d requests, left out %v", n, got.Skipped)
				}
				continue
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, want)
			}
		}
	}
}

// requestLine is a log of one request.
const requestLine = `{"time":"2026-09-20T10:00:00Z","request":{"model":"m","tools":[{"type":"function","function":{"name":"t"}}],"messages":[{"role":"user","content":"hello"}]},"response":{"id":"r1","model":"m","choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"tool_search","arguments":"{\"query\":\"boats\"}"}}]}}],"usage":{"prompt_tokens":10,"completion_tokens":2}}}` + "\n"

// TestCopyThatGoesOn: exchanges that two logs have count in the one that ends first, whatever
// the logs are called; the other goes on from copies of them.
func TestCopyThatGoesOn(t *testing.T) {
	call := `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"tool_search","arguments":"{\"query\":\"boats\"}"}}]}`
	later2 := strings.NewReplacer("10:00:00Z", "11:00:00Z", `"r1"`, `"r2"`, `{"role":"user","content":"hello"}`, `{"role":"user","content":"hello"},`+call+`,{"role":"user","content":"and"}`).Replace(requestLine)
	for name, c := range map[string]struct {
		logs map[string]string
		want string
	}{
		"the copy is first":             {map[string]string{"a.jsonl": requestLine + later2, "z.jsonl": requestLine}, "a.jsonl 1 of 2, z.jsonl 1 of 1"},
		"the copy is last":              {map[string]string{"a.jsonl": requestLine, "z.jsonl": requestLine + later2}, "a.jsonl 1 of 1, z.jsonl 1 of 2"},
		"a copy alone":                  {map[string]string{"a.jsonl": requestLine, "z.jsonl": requestLine}, "a.jsonl 1 of 1"},
		"nothing is copied":             {map[string]string{"a.jsonl": later2, "z.jsonl": requestLine}, "a.jsonl 1 of 2, z.jsonl 1 of 1"},
		"a copy alone, and one goes on": {map[string]string{"a.jsonl": requestLine + later2, "b.jsonl": requestLine, "z.jsonl": requestLine}, "a.jsonl 1 of 2, b.jsonl 1 of 1"},
	} {
		dir := folder(t, c.logs)
		var got []string
		for _, s := range readAll(t, dir, transcript.Options{}, newfile.CacheFolder{}, name).Sessions {
			own, all := 0, 0
			for _, e := range s.Contexts[0].Entries {
				if e.Request != nil {
					if all++; !e.Copy {
						own++
					}
				}
			}
			got = append(got, fmt.Sprintf("%s %d of %d", filepath.Base(s.File), own, all))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// TestProgressIsOfAll: the progress ends at the announced sum, the bytes of all
// files on disk, whether a log is packed, a database, left out, damaged or known already;
// and of a database more than once on the way.
func TestProgressIsOfAll(t *testing.T) {
	logs := everyFormat(t)
	logs["damaged.db"] = "SQLite format 3\x00" + strings.Repeat("x", 5000)
	dir, cache, want := folder(t, logs), later(t.TempDir()), int64(0)
	for name, text := range logs {
		hide(t, filepath.Join(dir, name), text)
		if !strings.HasSuffix(name, ".meta.json") { // is never looked at
			want += int64(len(text))
		}
	}
	for _, run := range []string{"first", "second"} {
		var told, announced int64
		o := transcript.Options{Found: func(_ int, bytes int64) { announced += bytes }, Progress: func(n int) {
			told += int64(n)
		}}
		if _, err := Read(t.Context(), []string{dir}, "", o, cache); err != nil || told != want || announced != want {
			t.Errorf("%s: told of %d bytes of %d, want %d: %v", run, told, announced, want, err)
		}
	}
	database, ok := logs["hermes/state.db"]
	if !ok {
		t.Skip("no shared database")
	}
	steps, size := 0, len(database)+len(logs["hermes/state.db-wal"])
	o := transcript.Options{Progress: func(n int) {
		if steps++; n > size*2/3 {
			t.Errorf("%d of %d bytes in one step", n, size)
		}
	}}
	if _, err := Read(t.Context(), []string{filepath.Join(dir, "hermes/state.db")}, "", o, newfile.CacheFolder{}); err != nil || steps < 10 {
		t.Errorf("%d steps, %v", steps, err)
	}
}
