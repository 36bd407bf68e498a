package logs_test

import (
	"bufio"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/engine/transcript/logs"
	"caliper/model/jsontree"
	"caliper/model/newfile"
	"caliper/model/require"
)

var (
	bigFolder  = flag.String("dir", "", "absolute path of a folder that big logs are written to")
	bigSize    = flag.Int64("mb", 500, "size of each of these logs in megabytes")
	bigFormats = flag.String("formats", "", "formats of these logs, with commas; all by default")
)

// TestWriteLogs writes big logs into folders that are named after their formats, and the
// registry that belongs to them, for measurements of the whole command:
//
//	go test ./engine/transcript/logs -run WriteLogs -timeout 0 -dir /tmp/logs -mb 500
//
// Without a folder small ones are written, which are read without leaving anything out. The
// texts are made up: results of tools have 200 bytes to 20 kB, with a uniform logarithm, and a
// user's message is followed by 2 to 20 calls. Equal arguments write equal bytes.
func TestWriteLogs(t *testing.T) {
	for name, f := range bigLogs {
		if *bigFormats != "" && !slices.Contains(strings.Split(*bigFormats, ","), name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			w := &bigLog{left: 300_000, most: f.most, rand: rand.New(rand.NewPCG(1, 2))}
			if *bigFolder != "" {
				w.folder, w.left = filepath.Join(*bigFolder, name), *bigSize*1_000_000
				require.NoError(t, os.MkdirAll(w.folder, 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(*bigFolder, "registry.json"), []byte(bigTools(`{"name":"%s","description":"%s","parameters":%s}`)), 0o644))
			} else {
				w.folder = t.TempDir()
			}
			for ; w.left > 0; w.number++ {
				file, err := os.Create(filepath.Join(w.folder, fmt.Sprintf(f.name, w.number)))
				require.NoError(t, err)
				w.out, w.size = bufio.NewWriterSize(file, 1<<20), 0
				f.write(w)
				require.NoError(t, errors.Join(w.err, w.out.Flush(), file.Close()))
			}
			if *bigFolder != "" {
				return
			}
			log, err := logs.Read(t.Context(), []string{w.folder}, "", transcript.Options{Pack: true}, newfile.CacheFolder{})
			if err != nil || len(log.Sessions) == 0 || len(log.Skipped) > 0 {
				t.Errorf("%d sessions, left out %+v, %v", len(log.Sessions), log.Skipped, err)
			}
		})
	}
}

// bigLogs write a file of each format, of some bytes at most. chat-small is a log of requests
// that all begin a session.
var bigLogs = map[string]struct {
	name  string
	most  int64
	write func(*bigLog)
}{
	"claude":          {"%04d.jsonl", 1 << 20, (*bigLog).claude},
	"codex":           {"rollout-%04d.jsonl", 1 << 20, (*bigLog).codex},
	"hermes-export":   {"export-%04d.jsonl", math.MaxInt64, (*bigLog).export},
	"hermes-database": {"state-%d.db", math.MaxInt64, (*bigLog).database},
	"chat":            {"%04d.jsonl", 32 << 20, (*bigLog).chat},
	"chat-small":      {"%04d.jsonl", math.MaxInt64, (*bigLog).small},
	"record":          {"%04d.jsonl", 8 << 20, (*bigLog).record},
}

// bigLog is the log that is written.
type bigLog struct {
	folder           string
	left, size, most int64 // bytes to write, of the file, and of a file at most
	number, ids      int   // of the file; of ids
	rand             *rand.Rand
	out              *bufio.Writer
	err              error
}

func (w *bigLog) more() bool { return w.left > 0 && w.size < w.most && w.err == nil }

func (w *bigLog) line(format string, args ...any) {
	n, err := fmt.Fprintf(w.out, format+"\n", args...)
	w.size, w.left, w.err = w.size+int64(n), w.left-int64(n), errors.Join(w.err, err)
}

// id returns the form of a UUID that no other call returns.
func (w *bigLog) id() string {
	w.ids++
	a := uint64(w.ids) * 0x9e3779b97f4a7c15
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, w.ids>>36, w.ids)
}

func bigTime(n int) string {
	return fmt.Sprintf("2026-09-%02dT%02d:%02d:%02d.%03dZ", 1+n/86400%28, n/3600%24, n/60%60, n%60, n%1000)
}

// length returns a length between two, each as likely in its logarithm.
func (w *bigLog) length(least, most int) int {
	return int(float64(least) * math.Pow(float64(most)/float64(least), w.rand.Float64()))
}

var bigWords = strings.Fields(`the a of to and in is was for on harbour berth vessel pilot tide orchard tree graft harvest lot water
	zone print proof page cover paper ink ledger entry account sum total unit slot crane cargo manifest window house garden bridge mill`)

// words returns a text of some bytes or a little more.
func (w *bigLog) words(bytes int) string {
	var b strings.Builder
	for b.Len() < bytes {
		b.WriteString(bigWords[w.rand.IntN(len(bigWords))] + " ")
	}
	return strings.TrimSpace(b.String())
}

// output returns what a tool returned, as it stands inside of a JSON string: of half of them program
// text, and of an eighth characters beyond ASCII.
func (w *bigLog) output() string {
	size, form := w.length(200, 20_000), []string{`%6d\tif %s != nil {\n\t\treturn \"it\"\n`, `%6d\tfor %s {\n`, `%d %s.`, `%d – Größe %s °C, `}[w.rand.IntN(4)]
	var b strings.Builder
	for n := 1; b.Len() < size; n++ {
		fmt.Fprintf(&b, form, n, w.words(30))
	}
	return b.String()
}

func bigTool(n int) string {
	return fmt.Sprintf("mcp__%s__%s_%s", []string{"harbor", "orchard", "atelier", "ledger"}[n%4], []string{"inspect", "release", "move", "book", "quote"}[n/4%5], []string{"berth", "tree"}[n/20%2])
}

// bigTools returns the 40 tools in a form with the places of name, description and schema.
func bigTools(form string) string {
	var list []string
	for n := range 40 {
		list = append(list, fmt.Sprintf(form, bigTool(n), "Answers with what it then is, or with the reason why it could not be done.",
			`{"type":"object","properties":{"reference":{"type":"string","description":"Reference, as the list call of this server returns it"},"amount":{"type":"number","description":"How much, in the unit that it is kept in"}},"required":["reference"]}`))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// talk makes a turn of a conversation: the user's words, and steps with what the model says and calls.
func (w *bigLog) talk(ask func(words string), step func(says, id, tool, arguments, output string)) {
	tool := bigTool(w.rand.IntN(40))
	ask("Please " + strings.ReplaceAll(tool[5:], "_", " ") + ", " + w.words(w.length(20, 400)) + ".")
	for range w.length(2, 20) {
		step(w.words(w.length(30, 800)), "call_"+w.id(), tool, fmt.Sprintf(`{"reference":"R-%05d","amount":%d}`, w.rand.IntN(100_000), w.rand.IntN(1000)), w.output())
	}
}

func (w *bigLog) claude() {
	session, parent, at := w.id(), "null", 0
	line := func(kind, rest string) {
		uuid := w.id()
		at++
		w.line(`{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/srv/house/alpha","sessionId":"%s","version":"2.1.216","type":"%s",%s,"uuid":"%s","timestamp":"%s"}`, parent, session, kind, rest, uuid, bigTime(at))
		parent = `"` + uuid + `"`
	}
	for w.more() {
		w.talk(func(words string) { line("user", fmt.Sprintf(`"message":{"role":"user","content":"%s"}`, words)) }, func(says, id, tool, arguments, output string) {
			for _, block := range []string{fmt.Sprintf(`{"type":"thinking","thinking":"%s","signature":"%s"}`, w.words(w.length(100, 2000)), strings.Repeat(id, 8)),
				fmt.Sprintf(`{"type":"text","text":"%s"}`, says), fmt.Sprintf(`{"type":"tool_use","id":"%s","name":"%s","input":%s}`, id, tool, arguments)} {
				line("assistant", fmt.Sprintf(`"message":{"model":"claude-sable-5","id":"msg_%s","role":"assistant","content":[%s],"usage":{"input_tokens":3,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":99}}`, id, block, 900, 20_000+at))
			}
			line("user", fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"%s","type":"tool_result","content":"%s"}]},"toolUseResult":{"stdout":"%[2]s"}`, id, output))
		})
	}
}

func (w *bigLog) codex() {
	at, total := 0, 0
	line := func(kind, form string, args ...any) {
		at++
		w.line(`{"timestamp":"%s","type":"%s","payload":%s}`, bigTime(at), kind, fmt.Sprintf(form, args...))
	}
	line("session_meta", `{"id":"%s","cwd":"/srv/house","cli_version":"0.158.0","base_instructions":{"text":"%s"}}`, w.id(), w.words(12_000))
	line("turn_context", `{"cwd":"/srv/house","model":"gpt-6-lumen","effort":"medium","summary":"auto"}`)
	for w.more() {
		w.talk(func(words string) {
			line("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"%s"}]}`, words)
			line("event_msg", `{"type":"user_message","message":"%s","images":[]}`, words)
		}, func(says, id, tool, arguments, output string) {
			server, function, _ := strings.Cut(tool[5:], "__")
			total += 30_000
			line("response_item", `{"type":"reasoning","summary":[],"encrypted_content":"%s"}`, strings.Repeat(id, w.length(20, 100)))
			line("event_msg", `{"type":"agent_message","message":"%s"}`, says)
			line("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"%s"}]}`, says)
			line("response_item", `{"type":"function_call","name":"%s","namespace":"mcp__%s","arguments":"%s","call_id":"%s"}`, function, server, strings.ReplaceAll(arguments, `"`, `\"`), id)
			line("event_msg", `{"type":"mcp_tool_call_end","call_id":"%s","invocation":{"server":"%s","tool":"%s","arguments":%s},"result":{"Ok":{"content":[{"type":"text","text":"%s"}]}}}`, id, server, function, arguments, output)
			line("response_item", `{"type":"function_call_output","call_id":"%s","output":"%s"}`, id, output)
			line("event_msg", `{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"output_tokens":%d},"last_token_usage":{"input_tokens":30000,"cached_input_tokens":20000,"output_tokens":90}}}`, total, total/300)
		})
	}
}

// hermes makes the rows of a session of Hermes. Contents are as they stand inside of a JSON string.
func (w *bigLog) hermes(row func(role, content, calls, of string, at int)) {
	at := 0
	for range 6 {
		w.talk(func(words string) { row("user", words, "null", "", at) }, func(says, id, tool, arguments, output string) {
			at += 2
			row("assistant", says, fmt.Sprintf(`[{"id": "%s", "type": "function", "function": {"name": "%s", "arguments": "%s"}}]`, id, tool, strings.ReplaceAll(arguments, `"`, `\"`)), "", at)
			row("tool", output, "null", id, at+1)
		})
	}
}

func (w *bigLog) export() {
	for w.more() {
		var rows []string
		w.hermes(func(role, content, calls, of string, at int) {
			rows = append(rows, fmt.Sprintf(`{"id": %d, "role": "%s", "content": "%s", "tool_call_id": "%s", "tool_calls": %s, "timestamp": %d.25}`, len(rows), role, content, of, calls, 1789801098+at))
		})
		w.line(`{"id": "%s", "source": "cli", "model": "qwen-drift-4", "system_prompt": "%s", "started_at": 1789801098.5, "input_tokens": %d, "output_tokens": 100, "cache_read_tokens": 10000, "cache_write_tokens": 0, "messages": [%s]}`, w.id(), w.words(4000), 20_000*len(rows), strings.Join(rows, ", "))
	}
}

func (w *bigLog) database() {
	d, err := sql.Open("sqlite", filepath.Join(w.folder, fmt.Sprintf("state-%d.db", w.number))+"?_pragma=synchronous(off)&_pragma=journal_mode(off)")
	if w.err = err; err != nil {
		return
	}
	defer d.Close()
	d.SetMaxOpenConns(1)
	run := func(statement string, args ...any) {
		if w.err == nil {
			_, w.err = d.Exec(statement, args...)
		}
	}
	run(`CREATE TABLE sessions (id TEXT PRIMARY KEY, model TEXT, system_prompt TEXT, started_at REAL, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER)`)
	run(`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, tool_calls TEXT, tool_call_id TEXT, timestamp REAL, active INTEGER DEFAULT 1, compacted INTEGER DEFAULT 0)`)
	run(`CREATE INDEX of_session ON messages (session_id, timestamp)`)
	for n := 0; w.more(); n++ {
		run(`BEGIN`)
		w.hermes(func(role, content, calls, of string, at int) {
			text := string(jsontree.AppendUnescaped(nil, []byte(content)))
			w.left -= int64(len(text))
			run(`INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, timestamp) VALUES (?, ?, ?, ?, ?, ?)`, n, role, text, sql.NullString{String: calls, Valid: calls != "null"}, of, 1789801098+at)
		})
		run(`INSERT INTO sessions VALUES (?, 'qwen-drift-4', ?, ?, 20000, 100, 10000, 0)`, n, w.words(4000), 1789801098+1000*n)
		run(`COMMIT`)
	}
}

const bigExchange = `{"timestamp":"%s","request":{"model":"gpt-6-lumen","messages":[%s],"tools":%s},"response":{"id":"chatcmpl-%s","model":"gpt-6-lumen","choices":[{"message":%s}],"usage":{"prompt_tokens":%d,"completion_tokens":57,"prompt_tokens_details":{"cached_tokens":%[6]d}}}}`

func (w *bigLog) chat() {
	tools := bigTools(`{"type":"function","function":{"name":"%s","description":"%s","parameters":%s}}`)
	for n := 0; w.more(); n++ {
		history, turn := fmt.Sprintf(`{"role":"system","content":"%s"}`, w.words(3000)), 0
		w.talk(func(words string) { history += fmt.Sprintf(`,{"role":"user","content":"%s"}`, words) }, func(says, id, tool, arguments, output string) {
			answer := fmt.Sprintf(`{"role":"assistant","content":"%s","tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}]}`, says, id, tool, strings.ReplaceAll(arguments, `"`, `\"`))
			turn++
			w.line(bigExchange, bigTime(1000*n+turn), history, tools, id, answer, 12_000+2500*turn)
			history += "," + answer + fmt.Sprintf(`,{"role":"tool","tool_call_id":"%s","content":"%s"}`, id, output)
		})
	}
}

func (w *bigLog) small() {
	for n := 0; w.more(); n++ {
		answer := fmt.Sprintf(`{"role":"assistant","tool_calls":[{"id":"call_%d","type":"function","function":{"name":"%s","arguments":"{}"}}]}`, n, bigTool(0))
		w.line(bigExchange, bigTime(n), fmt.Sprintf(`{"role":"system","content":"%s"},{"role":"user","content":"%s %d"}`, w.words(1500), w.words(w.length(20, 400)), n),
			fmt.Sprintf(`[{"type":"function","function":{"name":"%s","description":"%s","parameters":{"type":"object"}}}]`, bigTool(0), w.words(600)), w.id(), answer, 500)
	}
}

func (w *bigLog) record() {
	for seq := 1; w.more(); {
		event := func(kind, form string, args ...any) {
			w.line(`{"v":1,"time":"%s","seq":%d,"session":"work-%d","connection":"c%d","kind":"%s",%s}`, bigTime(seq), seq, w.number, seq/400, kind, fmt.Sprintf(form, args...))
			seq++
		}
		tool := bigTool(w.rand.IntN(40))
		event("search", `"request":{"query":"%s"},"hits":[{"name":"%s","rank":1,"score":9.25},{"name":"%s","rank":2,"score":8.25}],"tokens":{"request":21,"response":640},"total_ms":1.25`, w.words(30), tool, bigTool(seq%40))
		event("describe", `"request":{"name":"%s"},"real_name":"%[1]s","tokens":{"request":14,"response":190,"schemas":180},"total_ms":0.5`, tool)
		event("call", `"request":{"name":"%s"},"real_name":"%[1]s","trace":[{"gate":"known","verdict":"pass"},{"gate":"granted","verdict":"pass"}],"verdict":"ok","code":"ok","tokens":{"request":40,"response":900},"upstream_ms":41.5,"total_ms":42.25,"result":{"chars":%d,"tokens":900}`, tool, w.length(200, 20_000))
	}
}
