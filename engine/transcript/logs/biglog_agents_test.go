package logs_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"caliper/model/jsontree"
)

// claude writes one session of Claude Code.
func (w *writer) claude() {
	session, parent, at, read := w.uuid(), "null", 0, 20_000
	line := func(kind, rest string) {
		uuid := w.uuid()
		at++
		w.line(`{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/srv/house/alpha","sessionId":"%s","version":"2.1.216","gitBranch":"main","type":"%s",%s,"uuid":"%s","timestamp":"%s"}`,
			parent, session, kind, rest, uuid, w.time(at))
		parent = `"` + uuid + `"`
	}
	answer := func(id, block string, wrote int) {
		line("assistant", fmt.Sprintf(`"message":{"model":"claude-sable-5","id":"%s","type":"message","role":"assistant","content":[%s],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation":{"ephemeral_5m_input_tokens":%d,"ephemeral_1h_input_tokens":0},"output_tokens":%d,"service_tier":"standard"}},"requestId":"req_%s"`,
			id, block, wrote, read, wrote, 5+wrote/10, id))
	}
	for w.more() {
		name := tool(w.rand.IntN(toolCount))
		line("user", fmt.Sprintf(`"message":{"role":"user","content":"%s"}`, w.asks(name)))
		steps := w.steps()
		for step := range steps {
			id, call, wrote := "msg_"+w.id(), "toolu_"+w.id(), 400+w.rand.IntN(2000)
			read = 20_000 + (read+wrote)%150_000
			if step == 0 {
				answer(id, fmt.Sprintf(`{"type":"thinking","thinking":"%s","signature":"%s"}`, w.words(w.length(100, 2000)), strings.Repeat(w.id(), 12)), wrote)
			}
			answer(id, fmt.Sprintf(`{"type":"text","text":"%s"}`, w.words(w.length(50, 1000))), wrote)
			if step > 1 {
				name = "Read"
			}
			answer(id, fmt.Sprintf(`{"type":"tool_use","id":"%s","name":"%s","input":%s}`, call, name, w.arguments()), wrote)
			out := w.output()
			line("user", fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"%s","type":"tool_result","content":"%s"}]},"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false}`, call, out, out))
			if step == 1 {
				line("progress", fmt.Sprintf(`"data":{"type":"hook_progress","hookEvent":"PostToolUse","command":"callback"},"toolUseID":"%s"`, call))
			}
		}
	}
}

// codex writes one rollout.
func (w *writer) codex() {
	at, total, id := 0, 0, w.uuid()
	line := func(kind, payload string) {
		at++
		w.line(`{"timestamp":"%s","type":"%s","payload":%s}`, w.time(at), kind, payload)
	}
	line("session_meta", fmt.Sprintf(`{"id":"%s","timestamp":"%s","cwd":"/srv/house","originator":"codex-tui","cli_version":"0.158.0","source":"cli","model_provider":"openai","base_instructions":{"text":"%s"}}`, id, w.time(0), w.words(12_000)))
	line("turn_context", `{"cwd":"/srv/house","approval_policy":"on-request","sandbox_policy":{"type":"workspace-write"},"model":"gpt-6-lumen","effort":"medium","summary":"auto"}`)
	for w.more() {
		name := tool(w.rand.IntN(toolCount))
		words := w.asks(name)
		line("response_item", fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":"%s"}]}`, words))
		line("event_msg", fmt.Sprintf(`{"type":"user_message","message":"%s","images":[]}`, words))
		for range w.steps() {
			call, used := "call_"+w.id(), 8000+w.rand.IntN(60_000)
			total += used
			line("response_item", fmt.Sprintf(`{"type":"reasoning","id":"rs_%s","summary":[],"encrypted_content":"%s"}`, w.id(), strings.Repeat(w.id(), w.length(20, 160))))
			says := w.words(w.length(50, 600))
			line("event_msg", fmt.Sprintf(`{"type":"agent_message","message":"%s","phase":"commentary"}`, says))
			line("response_item", fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"%s"}]}`, says))
			args, out := w.arguments(), w.output()
			server, function, _ := strings.Cut(name[5:], "__")
			line("response_item", fmt.Sprintf(`{"type":"function_call","id":"fc_%s","name":"%s","namespace":"mcp__%s","arguments":"%s","call_id":"%s"}`, w.id(), function, server, quoted(args), call))
			line("event_msg", fmt.Sprintf(`{"type":"mcp_tool_call_end","call_id":"%s","invocation":{"server":"%s","tool":"%s","arguments":%s},"duration":{"secs":0,"nanos":4100000},"result":{"Ok":{"content":[{"type":"text","text":"%s"}],"isError":false}}}`, call, server, function, args, out))
			line("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"%s","output":"%s"}`, call, out))
			line("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":%d,"total_tokens":%d},"last_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":%d,"total_tokens":%d},"model_context_window":258400},"rate_limits":{"primary":{"used_percent":3.0,"window_minutes":10080}}}`,
				total, total/2, total/50, total, used, used/2, used/50, used))
		}
	}
}

// export writes sessions of Hermes, one a line, as it exports them.
func (w *writer) export() {
	for n := 0; w.more(); n++ {
		system := w.words(4000)
		var b strings.Builder
		rows := 0
		w.hermes(n, func(role, content, calls, of string, at int) {
			if rows++; rows > 1 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, `{"id": %d, "session_id": "s%d", "role": "%s", "content": "%s", "tool_call_id": %s, "tool_calls": %s, "tool_name": null, "timestamp": %d.25, "token_count": null, "finish_reason": "stop"}`,
				rows, n, role, content, orNull(`"`+of+`"`, of), orNull(calls, calls), 1789801098+at)
		})
		w.line(`{"id": "s%d", "source": "cli", "user_id": null, "model": "qwen-drift-4", "system_prompt": "%s", "parent_session_id": null, "started_at": %d.5, "ended_at": null, "message_count": %d, "input_tokens": %d, "output_tokens": %d, "cache_read_tokens": %d, "cache_write_tokens": 0, "messages": [%s]}`,
			n, system, 1789801098+1000*n, rows, 20_000*rows, 100*rows, 10_000*rows, b.String())
	}
}

// orNull returns a value, null where what decides is empty.
func orNull(value, decides string) string {
	if decides == "" {
		return "null"
	}
	return value
}

// hermes makes the rows of one session of Hermes. Contents are as they stand inside of a
// JSON string.
func (w *writer) hermes(n int, row func(role, content, calls, of string, at int)) {
	for turn := range 6 {
		name := tool(w.rand.IntN(toolCount))
		at := 1000*n + 100*turn
		row("user", w.asks(name), "", "", at)
		for step := range w.steps() {
			call := "call_" + w.id()
			row("assistant", w.words(w.length(30, 600)), fmt.Sprintf(`[{"id": "%s", "call_id": "%s", "type": "function", "function": {"name": "%s", "arguments": "%s"}}]`, call, call, name, quoted(w.arguments())), "", at+10*step+1)
			row("tool", w.output(), "", call, at+10*step+2)
		}
		row("assistant", w.words(w.length(100, 2000)), "", "", at+90)
	}
}

// record writes the events of caliper's own record.
func (w *writer) record() {
	for seq := 1; w.more(); {
		name := tool(w.rand.IntN(toolCount))
		event := func(kind, rest string) {
			w.line(`{"v":1,"time":"%s","seq":%d,"session":"work-%d","client":{"name":"assistant","version":"2.1"},"connection":"c%d","kind":"%s",%s}`, w.time(seq), seq, w.number, seq/400, kind, rest)
			seq++
		}
		var hits []string
		for n := range 5 {
			hits = append(hits, fmt.Sprintf(`{"name":"%s","rank":%d,"score":%d.25}`, tool((n+seq)%toolCount), n+1, 9-n))
		}
		event("search", fmt.Sprintf(`"request":{"query":"%s"},"hits":[%s],"tokens":{"request":21,"response":640,"schemas":0},"total_ms":1.25`, w.words(30), strings.Join(hits, ",")))
		event("describe", fmt.Sprintf(`"request":{"name":"%s"},"real_name":"%s","tokens":{"request":14,"response":190,"schemas":180},"total_ms":0.5`, name, name))
		event("call", fmt.Sprintf(`"request":{"name":"%s","arguments":%s},"real_name":"%s","trace":[{"gate":"known","verdict":"pass"},{"gate":"granted","verdict":"pass"},{"gate":"arguments","verdict":"pass"},{"gate":"result","verdict":"pass"}],"verdict":"ok","code":"ok","tokens":{"request":40,"response":900,"schemas":0},"upstream_ms":41.5,"total_ms":42.25,"result":{"chars":%d,"tokens":900,"rescued":false}`,
			name, w.arguments(), name, w.length(200, 20_000)))
	}
}

// turns is how many requests a conversation of a request log has. Each repeats the tools
// and all messages of those before it.
const turns = 12

// chat writes conversations in the format of OpenAI chat.
func (w *writer) chat() {
	tools := definitions(`{"type":"function","function":{"name":"%s","description":"%s","parameters":%s}}`)
	for n := 0; w.more(); n++ {
		history := fmt.Sprintf(`{"role":"system","content":"%s"}`, w.words(3000))
		for turn := range turns {
			name := tool(w.rand.IntN(toolCount))
			call := "call_" + w.id()
			if turn%2 == 0 {
				history += fmt.Sprintf(`,{"role":"user","content":"%s"}`, w.asks(name))
			}
			answer := fmt.Sprintf(`{"role":"assistant","content":"%s","tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}]}`, w.words(w.length(30, 600)), call, name, quoted(w.arguments()))
			used := 12_000 + 2500*turn
			w.line(`{"timestamp":"%s","request":{"model":"gpt-6-lumen","temperature":0.2,"messages":[%s],"tools":%s},"response":{"id":"chatcmpl-%s","object":"chat.completion","created":1789931537,"model":"gpt-6-lumen","choices":[{"index":0,"message":%s,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":%d,"completion_tokens":57,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}}}`,
				w.time(1000*n+turn), history, tools, w.id(), answer, used, used+57, used/2)
			history += "," + answer + fmt.Sprintf(`,{"role":"tool","tool_call_id":"%s","content":"%s"}`, call, w.output())
		}
	}
}

// small writes requests of 3.4 kB, each of which begins a session.
func (w *writer) small() {
	tools := `[{"type":"function","function":{"name":"` + tool(0) + `","description":"Answers with the berth as it then is.","parameters":` + schema() + `}}]`
	for n := 0; w.more(); n++ {
		used := 500 + w.rand.IntN(300)
		w.line(`{"timestamp":"%s","request":{"model":"gpt-6-lumen","messages":[{"role":"system","content":"%s"},{"role":"user","content":"%s %d"}],"tools":%s},"response":{"id":"chatcmpl-%s","object":"chat.completion","created":1789931537,"model":"gpt-6-lumen","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_%s","type":"function","function":{"name":"%s","arguments":"%s"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":%d,"completion_tokens":57,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}}}`,
			w.time(n), w.words(1500), w.asks(tool(0)), n, tools, w.id(), w.id(), tool(0), quoted(w.arguments()), used, used+57, used/4)
	}
}

// database writes the database of Hermes.
func (w *writer) database() error {
	d, err := sql.Open("sqlite", filepath.Join(w.folder, "state.db")+"?_pragma=synchronous(off)&_pragma=journal_mode(off)")
	if err != nil {
		return err
	}
	defer d.Close()
	d.SetMaxOpenConns(1)
	run := func(statement string, args ...any) {
		if err == nil {
			_, err = d.Exec(statement, args...)
		}
	}
	run(`CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, system_prompt TEXT, parent_session_id TEXT, started_at REAL,
		input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER)`)
	run(`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, tool_calls TEXT, tool_call_id TEXT,
		timestamp REAL, active INTEGER DEFAULT 1, compacted INTEGER DEFAULT 0)`)
	run(`CREATE INDEX of_session ON messages (session_id, timestamp)`)
	for n := 0; w.left > 0 && err == nil; n++ {
		run(`BEGIN`)
		rows, system := 0, w.words(4000)
		w.hermes(n, func(role, content, calls, of string, at int) {
			rows++
			text := string(jsontree.AppendUnescaped(nil, []byte(content)))
			run(`INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, timestamp) VALUES (?, ?, ?, ?, ?, ?)`,
				n, role, text, sql.NullString{String: calls, Valid: calls != ""}, sql.NullString{String: of, Valid: of != ""}, 1789801098+float64(at))
			w.left -= int64(len(text) + len(calls) + 100)
		})
		run(`INSERT INTO sessions VALUES (?, 'cli', 'qwen-drift-4', ?, NULL, ?, ?, ?, ?, 0)`, n, system, 1789801098+1000*n, 20_000*rows, 100*rows, 10_000*rows)
		w.left -= int64(len(system))
		run(`COMMIT`)
	}
	return err
}
