package logs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
	"caliper/model/newfile"
	"caliper/model/require"
)

// recordLines is a record of caliper's own, of one search and one call.
const recordLines = `{"v":1,"time":"2026-09-20T10:00:00Z","seq":1,"session":"work","connection":"%","kind":"search","request":{"query":"hello"},"tokens":{"request":5,"response":9}}` + "\n" +
	`{"v":1,"time":"2026-09-20T10:00:01Z","seq":2,"session":"work","connection":"%","kind":"call","request":{"name":"a"},"real_name":"a","tokens":{"request":5,"response":9},"result":{"chars":30}}` + "\n"

// codexUsage is the usage of codexLines.
const codexUsage = `{"timestamp":"2026-09-15T11:57:48Z","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":9,"cached_input_tokens":1,"output_tokens":2},"total_token_usage":{"input_tokens":9,"output_tokens":2}}}}` + "\n"

// hermesLines is a transcript of Hermes' gateway.
const hermesLines = `{"role":"session_meta","tools":[],"model":"m","platform":"cli"}` + "\n" + `{"role":"user","content":"hello"}` + "\n" + `{"role":"assistant","content":"hi"}` + "\n"

// wellFormed has a short log in each format that is text. Each asks for "hello".
var wellFormed = map[string]string{
	"claude":   of(claudeHello+claudeReply, "s1"),
	"codex":    of(codexLines+codexUsage, "0199a2c4-7c1e-7d10-9b2a-000000000002"),
	"export":   of(hermesExport, "s3"),
	"gateway":  hermesLines,
	"requests": chatLog,
	"record":   of(recordLines, "c1"),
}

// asks reports whether a log has what its user asked.
func asks(log transcript.Log) bool {
	for _, s := range log.Sessions {
		for _, c := range s.Contexts {
			for _, e := range c.Entries {
				if strings.Contains(e.Words, "hello") {
					return true
				}
				if e.Request == nil {
					continue
				}
				for _, call := range e.Request.Calls {
					if strings.Contains(strings.Join(call.Asked().Queries, " "), "hello") {
						return true
					}
				}
			}
		}
	}
	return false
}

// fault returns a contradiction of a log to the values of package transcript; "" for none.
func fault(log transcript.Log) string {
	for _, s := range log.Sessions {
		if s.ID == "" || s.Agent == "" || len(s.Contexts) == 0 {
			return "a session without id, agent or contexts"
		}
		for _, c := range s.Contexts {
			for i, e := range c.Entries {
				switch {
				case e.Parent < transcript.None || e.Parent >= i:
					return fmt.Sprintf("the parent of entry %d is %d", i, e.Parent)
				case e.Kind == transcript.Result && (e.CallEntry < 0 || e.CallEntry >= len(c.Entries) || c.Entries[e.CallEntry].Request == nil || e.Call >= len(c.Entries[e.CallEntry].Request.Calls)):
					return fmt.Sprintf("entry %d is the result of no call", i)
				case e.Size.Tokens < 0 || slices.Min(e.Size.Chars[:]) < 0:
					return fmt.Sprintf("entry %d has a size below zero", i)
				case (e.Request != nil) != (e.Kind == transcript.Answer):
					return fmt.Sprintf("entry %d is a request and no answer, or the other way round", i)
				}
				if e.Request == nil {
					continue
				}
				if u := e.Request.Usage; u != nil && !u.Possible() {
					return fmt.Sprintf("entry %d has an impossible usage: %+v", i, *u)
				}
				if e.Request.Tools < transcript.None || e.Request.Tools >= len(s.Arrays) {
					return fmt.Sprintf("entry %d names tools that are not there", i)
				}
			}
		}
	}
	for _, s := range log.Skipped {
		if s.Count <= 0 || s.What == "" || s.File == "" {
			return fmt.Sprintf("something is skipped without a count, a reason or a file: %+v", s)
		}
	}
	return ""
}

// readText reads a log from a file of its own.
func readText(t *testing.T, text string) transcript.Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return readPath(t, path, text)
}

// readPath reads a log from a file that has a text.
func readPath(t *testing.T, path, text string) transcript.Log {
	t.Helper()
	log, err := Read(t.Context(), []string{path}, "", transcript.Options{}, newfile.CacheFolder{})
	require.NoError(t, err)
	if what := fault(log); what != "" {
		t.Errorf("%s, in\n%.600q", what, text)
	}
	return log
}

// between puts a line before, between and behind the lines of a log.
func between(text, line string) string {
	return line + strings.ReplaceAll(text, "\n", "\n"+line)
}

// TestHostileLogs: whatever stands in a log beside its good lines, these are read, and
// the others are counted.
func TestHostileLogs(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 200_000)
	wanted := map[string]string{} // by format
	for format, text := range wellFormed {
		wanted[format] = shape(readText(t, text))
	}
	for name, c := range map[string]struct {
		damage func(string) string
		counts bool // that something is left out
	}{
		"nothing":               {func(s string) string { return s }, false},
		"CRLF":                  {func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, false},
		"a byte order mark":     {func(s string) string { return "\xef\xbb\xbf" + s }, false},
		"blank lines":           {func(s string) string { return between(s, " \t\r\n\n") }, false},
		"lines of zero bytes":   {func(s string) string { return between(s, "\x00\x00\x00\n") }, true},
		"much noise in front":   {func(s string) string { return strings.Repeat("Warning: deprecated\n", 500) + s }, true},
		"lines that are text":   {func(s string) string { return between(s, "Error: connection reset\n") }, true},
		"lines cut short":       {func(s string) string { return between(s, `{"type":"user","message":{"rol`+"\n") }, true},
		"other values":          {func(s string) string { return between(s, "null\n1\n\"x\"\n") }, true},
		"objects of others":     {func(s string) string { return between(s, `{"level":"info","msg":"ok"}`+"\n") }, true},
		"Latin-1":               {func(s string) string { return between(s, "{\"note\":\"caf\xe9\"}\n") }, true},
		"control sequences":     {func(s string) string { return between(s, "\x1b[2J\x1b]0;title\x07\u202e\n") }, true},
		"nested too deep":       {func(s string) string { return between(s, `{"x":`+deep+"\n") }, true},
		"lines behind zeros":    {func(s string) string { return strings.ReplaceAll("\n"+s, "\n", "\n\x00\x00\x00") + "\n" }, true}, // the last one has no value
		"marks in the middle":   {func(s string) string { return strings.ReplaceAll(s, "\n", "\n\xef\xbb\xbf") }, false},
		"a line of UTF-16":      {func(s string) string { return "{\x00\"\x00a\x00\"\x00:\x001\x00}\x00\n\x00" + s }, true},
		"a long line":           {func(s string) string { return between(s, `{"note":"`+strings.Repeat("x", 3<<20)+`"}`+"\n") }, true},
		"many kinds":            {func(s string) string { return s + kinds(5000) }, true},
		"a name repeated":       {func(s string) string { return between(s, `{"x":1,"x":{"x":2},"x":[]}`+"\n") }, true},
		"a torn end":            {func(s string) string { return s + `{"type":"us` }, true},
		"a number out of range": {func(s string) string { return between(s, `{"usage":1e999999999}`+"\n") }, true},
	} {
		for format, text := range wellFormed {
			t.Run(format+"/"+name, func(t *testing.T) {
				t.Parallel()
				log := readText(t, c.damage(text))
				if !asks(log) {
					t.Errorf("what was asked is not read: %+v", log.Skipped)
				}
				if got := shape(log); got != wanted[format] {
					t.Errorf("entries %s, want %s", got, wanted[format])
				}
				if n := len(log.Skipped); n > 150 {
					t.Errorf("%d kinds of lines are left out", n)
				}
				if got := len(log.Skipped) > 0; got != c.counts {
					t.Errorf("left out: %+v", log.Skipped)
				}
			})
		}
	}
}

// kinds returns lines of so many kinds.
func kinds(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"type":"kind%d","kind":"kind%d"}`+"\n", i, i)
	}
	return b.String()
}

// TestClocks: a log has the order of its lines, whatever their times are: an hour
// back, missing, no times, or beyond the years that have four digits.
func TestClocks(t *testing.T) {
	t.Parallel()
	stamp := regexp.MustCompile(`"(timestamp|time)":"[^"]*"`)
	for format, text := range timed {
		want := shape(readText(t, text))
		if !strings.Contains(want, "4") || stamp.FindString(text) == "" {
			t.Fatalf("%s: %s", format, want)
		}
		for name, times := range map[string][]string{
			"back": {"2026-09-15T12:00:00Z", "2026-09-15T11:00:00Z", "2026-09-15T10:59:00+14:00"}, "the same": {"2026-09-15T12:00:00Z"},
			"no times": {"", "yesterday", "2026-13-45T99:00:00Z"}, "far": {"0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "12026-01-01T00:00:00Z", "-001-01-01T00:00:00Z"},
		} {
			i := 0
			damaged := stamp.ReplaceAllStringFunc(text, func(old string) string {
				i++
				key, _, _ := strings.Cut(old, ":")
				return key + `:"` + times[i%len(times)] + `"`
			})
			if got := shape(readText(t, damaged)); got != want {
				t.Errorf("%s, times %s: entries %s, want %s", format, name, got, want)
			}
		}
		if got := shape(readText(t, stamp.ReplaceAllString(text, `"x":1`))); got != want {
			t.Errorf("%s, without times: entries %s, want %s", format, got, want)
		}
	}
}

// timed has a log of two answers in each format whose lines have times.
var timed = map[string]string{
	"claude": strings.ReplaceAll(of(claudeHello+claudeReply, "s1"), `"sessionId"`, `"timestamp":"2026-09-15T11:57:45Z","sessionId"`) +
		`{"type":"user","timestamp":"2026-09-15T11:58:45Z","uuid":"u3","parentUuid":"u2","sessionId":"s1","message":{"role":"user","content":"more"}}` + "\n" +
		`{"type":"assistant","timestamp":"2026-09-15T11:58:46Z","uuid":"u4","parentUuid":"u3","sessionId":"s1","message":{"id":"m2","role":"assistant","content":[]}}` + "\n",
	"codex":    of(codexLines+codexUsage+strings.Join(strings.SplitAfter(codexLines, "\n")[1:], ""), "0199a2c4-7c1e-7d10-9b2a-000000000002"),
	"gateway":  strings.ReplaceAll(hermesLines+`{"role":"user","content":"more"}`+"\n"+`{"role":"assistant","content":"yes"}`+"\n", `{"role"`, `{"timestamp":"2026-09-15T11:57:45","role"`),
	"requests": strings.ReplaceAll(chatLog, `{"request"`, `{"timestamp":"2026-09-15T11:57:45Z","request"`) + `{"timestamp":"2026-09-15T11:57:45Z","request":{"model":"m","messages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"},{"role":"user","content":"more"}]},"response":{"choices":[{"message":{"role":"assistant","content":"yes"}}]}}` + "\n",
	"record":   of(recordLines, "c1"),
}

// shape writes the order of entries in the sessions of a log.
func shape(log transcript.Log) string {
	var b strings.Builder
	for _, s := range log.Sessions {
		for _, c := range s.Contexts {
			fmt.Fprint(&b, len(c.Entries), ":")
			for _, e := range c.Entries {
				fmt.Fprintf(&b, " %d<%d", e.Kind, e.Parent)
			}
		}
	}
	return b.String()
}

// TestForeignText: control characters, marks of writing direction and bytes that are no
// UTF-8 inside of texts and names are not the reader's business: the log is read.
func TestForeignText(t *testing.T) {
	t.Parallel()
	for name, evil := range map[string]string{
		"escapes": `\u001b[31mhello\u0007`, "direction": `\u202ehello\u2066`, "no UTF-8": "hello\xff\xfe", "half of a pair": `\ud800hello`, "zero": `hello\u0000`,
	} {
		for format, text := range wellFormed {
			t.Run(format+"/"+name, func(t *testing.T) {
				t.Parallel()
				if log := readText(t, strings.ReplaceAll(text, "hello", evil)); !asks(log) {
					t.Errorf("what was asked is not read: %+v", log.Skipped)
				}
			})
		}
	}
}

// TestWrongTypes: a member of any other type than its own costs at most its line.
func TestWrongTypes(t *testing.T) {
	t.Parallel()
	values := []string{"null", "true", "-1", "1e999", "99999999999999999999", "-9223372036854775809", "0.5", `""`, `"x"`, "[]", "{}", "[[null]]", `{"a":{"b":[]}}`,
		`"0000-00-00T99:99:99Z"`, `"9999-12-31T23:59:59Z"`, `"1970-01-01T00:00:00Z"`}
	for format, text := range wellFormed {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			places := members([]byte(text))
			if len(places) < 4 {
				t.Fatalf("%d members", len(places))
			}
			path := filepath.Join(t.TempDir(), "log.jsonl")
			for _, p := range places {
				for i, v := range values {
					damaged := text[:p.from] + v + text[p.to:]
					require.NoError(t, os.WriteFile(path, []byte(damaged), 0o600))
					a := readPath(t, path, damaged)
					if i%4 > 0 {
						continue
					}
					if b := readPath(t, path, damaged); len(a.Sessions) != len(b.Sessions) || len(a.Skipped) != len(b.Skipped) {
						t.Errorf("read twice, it is another log: %q", damaged)
					}
				}
			}
		})
	}
}

// place is where the value of a member stands.
type place struct{ from, to int }

// members returns the places of all values in the lines of a log.
func members(text []byte) (out []place) {
	offset := 0
	for line := range bytes.Lines(text) {
		n, err := jsontree.Parse(bytes.TrimRight(line, "\n"), jsontree.Python)
		if err == nil {
			var walk func(n *jsontree.Node)
			walk = func(n *jsontree.Node) {
				for _, c := range n.Children {
					from := offset + c.Node.At
					out = append(out, place{from, from + len(c.Node.Raw)})
					walk(c.Node)
				}
			}
			walk(n)
		}
		offset += len(line)
	}
	return out
}

// TestTwice: lines that are written twice, and logs that are there twice, count once
// where entries have names. Requests and entries of a gateway have none, so one that is
// repeated was sent again.
func TestTwice(t *testing.T) {
	t.Parallel()
	for format, text := range wellFormed {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			var doubled strings.Builder
			for line := range strings.Lines(text) {
				doubled.WriteString(line + line)
			}
			dir := folder(t, map[string]string{"a.jsonl": text, "b.jsonl": text})
			log, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, newfile.CacheFolder{})
			require.NoError(t, err)
			want := answers(readText(t, text))
			got, wanted := []int{answers(readText(t, doubled.String())), answers(log)}, []int{want, want}
			if format == "requests" || format == "gateway" {
				wanted = []int{2 * want, 2 * want}
			}
			if !slices.Equal(got, wanted) {
				t.Errorf("lines twice, files twice: %d requests, want %d", got, wanted)
			}
		})
	}
}

// answers counts the requests of a log that are no copies.
func answers(log transcript.Log) (n int) {
	for _, s := range log.Sessions {
		for _, c := range s.Contexts {
			for _, e := range c.Entries {
				if e.Request != nil && !e.Copy {
					n++
				}
			}
		}
	}
	return n
}

// TestUTF16: a log that was saved in another encoding is left out, and said to be.
func TestUTF16(t *testing.T) {
	t.Parallel()
	for format, text := range wellFormed {
		wide := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(text)) {
			wide = binary.LittleEndian.AppendUint16(wide, u)
		}
		if log := readText(t, string(wide)); len(log.Sessions) > 0 || len(log.Skipped) != 1 || log.Skipped[0].What != wideText {
			t.Errorf("%s: %d sessions, left out %+v", format, len(log.Sessions), log.Skipped)
		}
	}
}

// TestJobs: the log of a job has the sessions that were printed in it.
func TestJobs(t *testing.T) {
	t.Parallel()
	const at = "2026-11-28T10:00:00.0000000Z "
	timed := func(before, text string) string { return before + strings.ReplaceAll(text, "\n", "\n"+before) }
	for format, text := range wellFormed {
		want := readText(t, text)
		if strings.HasPrefix(text, "[") {
			continue // an array on several lines
		}
		var indented strings.Builder
		for line := range strings.Lines(text) {
			value := jsontext.Value(line)
			require.NoError(t, value.Indent(jsontext.WithIndent("  ")))
			indented.WriteString(strings.ReplaceAll(string(value), "\n", "\r\n") + "\n")
		}
		for name, job := range map[string]string{
			"of GitHub":             "\ufeff" + timed(at, "##[group]Run agent\n[1] {\n"+text+"Post job cleanup."),
			"by its steps":          timed("build\tRun agent\t\ufeff"+at, "##[group]Run agent\n"+text),
			"with times of seconds": timed("2026-11-28T10:00:00Z ", text),
			"an object on lines":    timed(at, "##[endgroup]\n"+indented.String()+"done"),
			"after a torn object":   timed(at, "{\n  \"a\": {\n"+indented.String()),
		} {
			got := readText(t, job)
			if len(got.Sessions) != len(want.Sessions) {
				t.Fatalf("%s, %s: %d sessions, want %d; left out %+v", format, name, len(got.Sessions), len(want.Sessions), got.Skipped)
			}
			for i, s := range got.Sessions {
				if !reflect.DeepEqual(s.Contexts, want.Sessions[i].Contexts) {
					t.Errorf("%s, %s: %+v\nwant %+v", format, name, s.Contexts, want.Sessions[i].Contexts)
				}
			}
		}
	}
	for name, text := range map[string]string{
		"without a session": at + "##[group]Run agent\n" + at + `{"type":"system","subtype":"init"}` + "\n", "without an end": at + "{\n" + at + " 1",
	} {
		if log := readText(t, text); len(log.Sessions) > 0 || len(log.Skipped) != 1 || log.Skipped[0].What != transcript.ForeignJob {
			t.Errorf("%s: %+v", name, log)
		}
	}
}

// TestWrittenAgain: where a write was interrupted, and the last lines were written again,
// they count once in each format in which a line has a name or a time of its own; texts
// do as well as requests. Lines without either may have been said again.
func TestWrittenAgain(t *testing.T) {
	t.Parallel()
	gateway := hermesLines + `{"role":"user","content":"more","timestamp":"2026-09-20T10:00:00.5Z"}` + "\n" + `{"role":"assistant","content":"hi","timestamp":"2026-09-20T10:00:00.5Z"}` + "\n"
	rollout := strings.NewReplacer(`:45Z"`, `:45.120Z"`, `:46Z"`, `:46.045Z"`, `:47Z"`, `:47.001Z"`, `:48Z"`, `:48.9Z"`).Replace(wellFormed["codex"])
	chat := strings.Replace(strings.Replace(requestLine, `"id":"r1",`, "", 1), ":00Z", ":00.25Z", 1)
	for name, c := range map[string]struct {
		text string
		tail int // lines that are written again
		once bool
	}{
		"claude": {wellFormed["claude"], 2, true}, "codex": {rollout, 3, true}, "record": {wellFormed["record"], 2, true},
		"requests": {chat, 1, true}, "gateway": {gateway, 1, true},
		"codex with a clock of seconds": {strings.ReplaceAll(wellFormed["codex"], `:48Z"`, `:47Z"`), 3, false},
		"requests without times":        {strings.Replace(chat, `"time"`, `"when"`, 1), 1, false},
		"gateway without times":         {hermesLines, 1, false},
	} {
		list := strings.SplitAfter(strings.TrimSuffix(c.text, "\n"), "\n")
		tail := strings.Join(list[len(list)-c.tail:], "") + "\n"
		torn := tail[:len(tail)/3] + "\n"
		if name == "gateway" || name == "requests" {
			torn = "" // only of neighbours it is sure
		}
		got, want := readText(t, c.text+torn+tail), readText(t, c.text)
		if same := shape(got) == shape(want) && answers(got) == answers(want); same != c.once {
			t.Errorf("%s: %s\nwritten once %s", name, shape(got), shape(want))
		}
	}
}
