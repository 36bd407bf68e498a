package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/tui/cli/runner"
)

// evil is what names and texts of a hostile log hold, as JSON has it: a sequence that
// clears the screen, one that sets its title, a control character of eight bits, marks
// that turn the direction of a line, one that nobody sees, and a line break.
const evil = `evil\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\u2066\u200b\r\n`

// hostileLogs has a log in each format that is text, with evil in whatever it names.
var hostileLogs = map[string]string{
	"claude.jsonl": `{"type":"user","uuid":"u1","sessionId":"c%","timestamp":"2026-09-01T08:00:00Z","message":{"role":"user","content":"open % change"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"c%","message":{"id":"m%","model":"m%","content":[{"type":"tool_use","id":"t%","name":"ToolSearch","input":{"query":"%"}}],"usage":{"input_tokens":9}}}
{"type":"assistant","uuid":"u3","parentUuid":"u2","sessionId":"c%","message":{"id":"n%","model":"m%","content":[{"type":"tool_use","id":"v%","name":"mcp__%__%","input":{}}],"usage":{"input_tokens":9}}}
{"type":"kind%","sessionId":"c%"}
{"type":"system","subtype":"sub%","uuid":"u4","sessionId":"c%"}
`,
	"codex.jsonl": `{"timestamp":"2026-09-15T11:57:45Z","type":"session_meta","payload":{"id":"x%"}}
{"timestamp":"2026-09-15T11:57:45Z","type":"turn_context","payload":{"model":"m%"}}
{"timestamp":"2026-09-15T11:57:46Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello %"}]}}
{"timestamp":"2026-09-15T11:57:46Z","type":"event_msg","payload":{"type":"user_message","message":"hello %"}}
{"timestamp":"2026-09-15T11:57:47Z","type":"response_item","payload":{"type":"function_call","call_id":"k%","namespace":"mcp__%","name":"tool%","arguments":"{}"}}
{"timestamp":"2026-09-15T11:57:47Z","type":"kind%","payload":{}}
`,
	"export.json": `{"id":"h%","model":"m%","system_prompt":"%","started_at":1788000000,"messages":[{"role":"user","content":"hello %"},{"role":"assistant","content":"%","tool_calls":[{"id":"1","function":{"name":"tool%","arguments":"{}"}}]}]}
`,
	"gateway.jsonl": `{"role":"session_meta","model":"m%","tools":[{"type":"function","function":{"name":"tool%"}}]}
{"role":"user","content":"hello %"}
{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"tool%","arguments":"{}"}}]}
`,
	"requests.jsonl": `{"request":{"model":"m%","messages":[{"role":"user","content":"hello %"}],"tools":[{"type":"function","function":{"name":"tool%"}}]},"response":{"id":"r%","model":"m%","choices":[{"message":{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"tool%","arguments":"{}"}}]}}]}}
`,
	"record.jsonl": `{"v":1,"time":"2026-09-20T10:00:00Z","seq":1,"session":"s%","connection":"c%","kind":"search","request":{"query":"%"},"hits":[{"name":"%","rank":1}]}
{"v":1,"time":"2026-09-20T10:00:01Z","seq":2,"session":"s%","connection":"c%","kind":"call","request":{"name":"tool%"},"error":"%"}
{"v":1,"time":"2026-09-20T10:00:02Z","seq":3,"session":"s%","connection":"c%","kind":"kind%"}
`,
	// A name of a file that cannot be a log is named among what is left out.
	"evil\x1b[2J\u202e.json": "{}",
}

// Nothing that a log holds acts on the terminal of whoever reads the report, in text or
// in JSON, whichever format it has.
func TestReplayOfHostileLogs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range hostileLogs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "%", evil)), 0o600); err != nil {
			t.Skip(err) // a file system that refuses the name
		}
	}
	if code, out, complaints := commandIn(t, runner.Env{}, "", "replay", dir, "--calls", "--texts"); code != 0 || strings.ContainsFunc(out+complaints, hostile) {
		t.Errorf("with the tools that they define: exit code %d, %q", code, out+complaints)
	}
	for _, more := range [][]string{{"--calls", "--texts"}, {"--calls", "--texts", "--json"}, {"--queries-out", filepath.Join(t.TempDir(), "q.jsonl")}} {
		code, out, complaints := commandIn(t, runner.Env{}, "", append([]string{"replay", dir, "--demo"}, more...)...)
		if code != 0 {
			t.Fatalf("%q: exit code %d: %s", more, code, complaints)
		}
		if at := strings.IndexFunc(out+complaints, hostile); at >= 0 {
			t.Errorf("%q: the output has %.20q", more, (out + complaints)[at:])
		}
		if more[len(more)-1] != "--json" {
			continue
		}
		var got struct {
			Sessions []struct{ Agent string }
			Skipped  []struct {
				File, What  string
				Line, Count int
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &got))
		if len(got.Sessions) != 6 {
			t.Errorf("%d sessions of 6 logs: %+v", len(got.Sessions), got)
		}
		if len(got.Skipped) == 0 {
			t.Error("nothing is left out")
		}
	}
}
