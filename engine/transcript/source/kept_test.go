package source

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/engine/diskcache"
	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
	_ "caliper/internal/draws"
)

// counted are options with a tokenizer that has a name.
var counted = transcript.Options{Count: func(text string) int { return len(text) }, Tokenizer: "bytes"}

// readAll reads a folder without an index, and fails when it is read otherwise with one.
func readAll(t *testing.T, dir string, o transcript.Options, cache diskcache.Folder, what string) transcript.Log {
	t.Helper()
	want, err := Read(t.Context(), []string{dir}, "", o, diskcache.Folder{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(t.Context(), []string{dir}, "", o, cache)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: with the index\n%+v\nwithout\n%+v", what, got, want)
	}
	return want
}

// later returns a cache of a run that finds every log settled.
func later(folder string) diskcache.Folder {
	return diskcache.Folder{Path: folder, Build: "b1", Now: func() time.Time { return time.Now().Add(time.Hour) }}
}

// shared returns the texts of the shared logs whose readers continue, by their names;
// none where they are not here.
func shared(t *testing.T) map[string]string {
	t.Helper()
	logs := map[string]string{}
	for _, folder := range []string{"claude", "codex"} {
		root := filepath.Join("../../../../shared/transcripts", folder)
		if _, err := os.Stat(root); err != nil {
			continue
		}
		err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".jsonl") {
				return err
			}
			data, err := os.ReadFile(path)
			name, _ := filepath.Rel(filepath.Dir(root), path) // below it
			logs[name] = string(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return logs
}

// put writes a log, with its folder.
func put(t testing.TB, path, text string, flags int) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flags, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestGrowth: logs that grow by any number of bytes, in the middle of a line and of a
// character too, are read with an index as without one after each growth; and so are
// logs that another one took the place of, and those that shrank.
func TestGrowth(t *testing.T) {
	logs := shared(t)
	logs["claude/torn.jsonl"] = "\xef\xbb\xbf" + of(claudeLine, "s1") + "\r\n\n{\"type\":\"us\n" + of(claudeReply, "s1") + of(claudeLine, "s2") + `{"a":1}{"b":2}` + "\n" + `{"type":"progress","sessionId":"s1"}`
	logs["codex/torn.jsonl"] = of(codexLines, "0199a2c4-7c1e-7d10-9b2a-000000000002") + "no JSON\n" + `{"type":"reasoning"}` + "\n{}\n\xff\xfe\n"
	logs["claude/none.json"] = `{"x":1}` + "\n"
	rapid.Check(t, func(r *rapid.T) {
		dir, cache := t.TempDir(), later(t.TempDir())
		if rapid.Bool().Draw(r, "young") {
			cache.Now = nil
		}
		o := transcript.Options{}
		if rapid.Bool().Draw(r, "counted") {
			o = counted
		}
		names := rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(logs))), 1, 4, rapid.ID).Draw(r, "logs")
		done := map[string]int{}
		for round := range rapid.IntRange(2, 5).Draw(r, "rounds") {
			for _, name := range names {
				text, path := logs[name], filepath.Join(dir, name)
				to := done[name] + rapid.IntRange(0, min(len(text)-done[name], 1<<rapid.IntRange(0, 18).Draw(r, "up to"))).Draw(r, "more")
				switch rapid.IntRange(0, 9).Draw(r, "how") {
				case 0: // it shrinks
					to = rapid.IntRange(0, to).Draw(r, "left")
					put(t, path, text[:to], os.O_TRUNC)
				case 1: // another takes its place
					if err := os.RemoveAll(path); err != nil {
						t.Fatal(err)
					}
					other := logs[rapid.SampledFrom(names).Draw(r, "another")]
					put(t, path, other[:min(to, len(other))], os.O_TRUNC)
					to = len(text) // and stays as it is
				default:
					if to > done[name] || round == 0 {
						put(t, path, text[done[name]:to], os.O_APPEND)
					}
				}
				done[name] = to
			}
			readAll(t, dir, o, cache, fmt.Sprint("round ", round))
		}
		readAll(t, dir, o, cache, "unchanged")
	})
}

// TestDefinitionsGrow: definitions that were kept before a log grew are those of the lines that
// came later, wherever it was cut.
func TestDefinitionsGrow(t *testing.T) {
	log := of(claudeLine, "s1") + of(claudeOffers, "s1") + of(claudeReply, "s1") + of(strings.NewReplacer(`"h`, `"other`, `"q1`, `"q2`).Replace(claudeOffers), "s2") + of(claudeLine, "s2")
	for cut := range len(log) {
		if log[cut] != '\n' {
			continue
		}
		dir, cache := t.TempDir(), later(t.TempDir())
		path := filepath.Join(dir, "a.jsonl")
		put(t, path, log[:cut+1], os.O_TRUNC)
		readAll(t, dir, transcript.Options{}, cache, "before")
		put(t, path, log[cut+1:], os.O_APPEND)
		readAll(t, dir, transcript.Options{}, cache, "grown")
		if s := readAll(t, dir, transcript.Options{}, cache, "unchanged").Sessions; len(s) != 2 || len(s[1].Arrays) != 1 {
			t.Fatalf("cut at %d: %+v", cut, s)
		}
	}
}

// TestUnchangedIsNotRead: what a log says is known without opening it, as long as size,
// time and file are those of the entry; each of them changes that.
func TestUnchangedIsNotRead(t *testing.T) {
	for _, log := range []string{of(claudeLine+claudeReply, "s1"), of(codexLines, "s1")} {
		dir := folder(t, map[string]string{"a.jsonl": log})
		path, cache := filepath.Join(dir, "a.jsonl"), later(t.TempDir())
		first := readAll(t, dir, transcript.Options{}, cache, "first")
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		// A log whose bytes are others though nothing tells: if they were read, it would show.
		forged := strings.ReplaceAll(log, "hello", "HELLO")
		put(t, path, forged, 0)
		if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		bytes := 0
		o := transcript.Options{Progress: func(n int) { bytes += n }}
		got, err := Read(t.Context(), []string{dir}, "", o, cache)
		if err != nil || !reflect.DeepEqual(got, first) || bytes != len(log) {
			t.Errorf("read again: %v, progress of %d bytes\n%+v", err, bytes, got)
		}
		if err := os.Chtimes(path, info.ModTime(), info.ModTime().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		if changed := readAll(t, dir, transcript.Options{}, cache, "another time"); reflect.DeepEqual(changed, first) {
			t.Error("a log of another time is not read")
		}
	}
}

// TestGrownIsReadFromWhereItWas: what was read once is not read again.
func TestGrownIsReadFromWhereItWas(t *testing.T) {
	long := "" // its middle is no part of the digests
	for i := range 200 {
		long += strings.Replace(of(claudeLine, "s1"), `"u1"`, fmt.Sprintf(`"v%03d"`, i), 1)
	}
	dir := folder(t, map[string]string{"a.jsonl": long + of(claudeLine, "s1")[:20]})
	path, cache := filepath.Join(dir, "a.jsonl"), later(t.TempDir())
	readAll(t, dir, transcript.Options{}, cache, "first")
	half := len(long) / 2
	text := long[:half] + strings.Replace(long[half:], "hello", "HELLO", 1) + of(claudeLine, "s1") + of(claudeReply, "s1")
	put(t, path, text, os.O_TRUNC)
	got, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, cache)
	if err != nil {
		t.Fatal(err)
	}
	entries := got.Sessions[0].Contexts[0].Entries
	if len(entries) != 202 || strings.Contains(fmt.Sprintf("%+v", entries), "HELLO") || len(got.Skipped) > 0 {
		t.Errorf("%d entries, skipped %v", len(entries), got.Skipped)
	}
}

// TestDamagedIndex: whatever is wrong with the index, the logs are read, and the index
// is whole again.
func TestDamagedIndex(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": of(claudeLine+claudeReply, "s1"), "b.jsonl": of(codexLines, "s2")})
	cache := later(filepath.Join(t.TempDir(), "cache"))
	readAll(t, dir, transcript.Options{}, cache, "first")
	files, err := filepath.Glob(filepath.Join(cache.Path, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(data); at += 7 {
			data[at] ^= 1
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			readAll(t, dir, transcript.Options{}, cache, fmt.Sprintf("byte %d", at))
			data[at] ^= 1
			if err := os.WriteFile(file, data[:at], 0o600); err != nil {
				t.Fatal(err)
			}
			readAll(t, dir, transcript.Options{}, cache, fmt.Sprintf("cut to %d", at))
		}
	}
}

// TestEntryOfNoLines: an entry that is sound and says what no reader wrote is thrown
// away, and its log is read.
func TestEntryOfNoLines(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": of(claudeLine+claudeReply, "s1"), "b.jsonl": of(codexLines, "s2"), "c.jsonl": of(claudeLine, "s3")})
	cache := later(filepath.Join(t.TempDir(), "cache"))
	readAll(t, dir, transcript.Options{}, cache, "first")
	x := kept.Open(cache, "", transcript.Options{})
	for name, data := range map[string]string{"a.jsonl": "\x00\xff\xff", "b.jsonl": "\x02\xff"} {
		e := x.Find(filepath.Join(dir, name))
		e.Data, e.Whole = append(e.Data[:e.Whole:e.Whole], data...), e.Whole+len(data)
		x.Put(filepath.Join(dir, name), *e)
	}
	if err := x.Save(); err != nil {
		t.Fatal(err)
	}
	readAll(t, dir, transcript.Options{}, cache, "damaged")
	for _, name := range []string{"a.jsonl", "b.jsonl"} {
		if e := kept.Open(cache, "", transcript.Options{}).Find(filepath.Join(dir, name)); e == nil || strings.HasSuffix(string(e.Data), "\xff") {
			t.Errorf("%s: the entry is %+v", name, e)
		}
	}
}
