package logs

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/newfile"
)

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
