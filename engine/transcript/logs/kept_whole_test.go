package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model/newfile"
	"caliper/model/require"
)

// everyFormat returns logs of every format by their names, with those that are shared.
func everyFormat(t *testing.T) map[string]string {
	logs := map[string]string{
		"gateway.jsonl": hermesLines, "record.jsonl": of(recordLines, "c1"), "record.jsonl.1": of(recordLines, "c0"),
		"requests.jsonl": requestLine, "again.jsonl": requestLine, "packed.jsonl.zst": pack(t, requestLine), "claude.jsonl": of(claudeHello+claudeReply, "s1"),
		"none.json": `{"x":1}`,
	}
	for _, part := range []string{"claude", "codex", "hermes", "requests"} {
		root := filepath.Join("../../../../shared/transcripts", part)
		_ = filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error { // they may not be here
			if err != nil || e.IsDir() {
				return nil
			}
			data, err := os.ReadFile(path)
			name, _ := filepath.Rel(filepath.Dir(root), path) // below it
			logs[name] = string(data)
			return err
		})
	}
	return logs
}

// requestLine is a log of one request.
const requestLine = `{"time":"2026-09-20T10:00:00Z","request":{"model":"m","tools":[{"type":"function","function":{"name":"t"}}],"messages":[{"role":"user","content":"hello"}]},"response":{"id":"r1","model":"m","choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"tool_search","arguments":"{\"query\":\"boats\"}"}}]}}],"usage":{"prompt_tokens":10,"completion_tokens":2}}}` + "\n"

// TestSecondRunOpensNothing: once every log of every format was read and has rested, a
// second run takes what they say from the index alone, though their bytes are others now;
// a log of another time is read, and the others are not.
func TestSecondRunOpensNothing(t *testing.T) {
	logs := everyFormat(t)
	dir := folder(t, logs)
	for name := range logs {
		hide(t, filepath.Join(dir, name), logs[name]) // with a time of its own
	}
	for _, o := range []transcript.Options{{}, counted} {
		cache := later(t.TempDir())
		first := readAll(t, dir, o, cache, "first")
		if len(first.Sessions) < 5 {
			t.Fatalf("%d sessions", len(first.Sessions))
		}
		for name := range logs {
			hide(t, filepath.Join(dir, name), strings.Repeat("\x00", len(logs[name])))
		}
		second, err := Read(t.Context(), []string{dir}, "", o, cache)
		if err != nil || !reflect.DeepEqual(second, first) {
			t.Errorf("read again: %v\n%+v\nfirst\n%+v", err, second.Skipped, first.Skipped)
		}
		for name := range logs {
			hide(t, filepath.Join(dir, name), logs[name])
		}
		for _, name := range []string{"gateway.jsonl", "requests.jsonl", "record.jsonl"} {
			put(t, filepath.Join(dir, name), strings.Replace(logs[name], "hello", "HELLO", 1), os.O_TRUNC)
			if changed := readAll(t, dir, o, cache, name); reflect.DeepEqual(changed, first) {
				t.Errorf("%s is not read though it changed", name)
			}
			hide(t, filepath.Join(dir, name), logs[name])
			readAll(t, dir, o, cache, name+" as it was")
		}
	}
}

// hide writes other bytes into a log, and makes it of an old time.
func hide(t *testing.T, path, text string) {
	t.Helper()
	put(t, path, text, os.O_TRUNC)
	old := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.NoError(t, os.Chtimes(path, old, old))
}

// TestDatabaseWithItsLog: a database is read again when only what lies beside it changed.
func TestDatabaseWithItsLog(t *testing.T) {
	logs := map[string]string{}
	for name, text := range everyFormat(t) {
		if strings.HasPrefix(filepath.Base(name), "state.db") {
			logs[filepath.Base(name)] = text
		}
	}
	if len(logs) == 0 {
		t.Skip("no shared database")
	}
	dir, cache := folder(t, logs), later(t.TempDir())
	first := readAll(t, dir, transcript.Options{}, cache, "first")
	require.NoError(t, os.Rename(filepath.Join(dir, "state.db-wal"), filepath.Join(dir, "away")))
	without := readAll(t, dir, transcript.Options{}, cache, "without its log")
	if len(without.Sessions) == 0 || len(without.Sessions) == len(first.Sessions) {
		t.Errorf("%d sessions, %d without the log", len(first.Sessions), len(without.Sessions))
	}
}

// TestCopiesOfAnotherLog: the kept facts of a log of requests hold as long as the other
// logs have the same exchanges of it.
func TestCopiesOfAnotherLog(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": requestLine, "b.jsonl": requestLine})
	cache := later(t.TempDir())
	if first := readAll(t, dir, transcript.Options{}, cache, "first"); len(first.Sessions) != 1 || filepath.Base(first.Sessions[0].File) != "a.jsonl" {
		t.Fatalf("%+v", first.Sessions)
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "a.jsonl")))
	if alone := readAll(t, dir, transcript.Options{}, cache, "alone"); len(alone.Sessions) != 1 {
		t.Fatalf("%+v", alone)
	}
	put(t, filepath.Join(dir, "a.jsonl"), requestLine, os.O_TRUNC)
	readAll(t, dir, transcript.Options{}, cache, "again")
}

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
		dir, cache := folder(t, c.logs), later(t.TempDir())
		for _, run := range []string{"first", "second", "third"} {
			var got []string
			for _, s := range readAll(t, dir, transcript.Options{}, cache, name+", "+run).Sessions {
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
				t.Errorf("%s, %s: %s, want %s", name, run, text, c.want)
			}
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
