package logs

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

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"caliper/engine/transcript"
	"caliper/model/newfile"
	"caliper/model/require"
)

// counted are options with a tokenizer that has a name.
var counted = transcript.Options{Count: func(text string) int { return len(text) }, Tokenizer: "bytes"}

// TestEveryFieldIsKept: gob leaves out the fields that are not exported. Of what is kept none is but the keys of
// a line of Claude Code, which are set when it is taken, and where a session is packed, which none is that is kept.
func TestEveryFieldIsKept(t *testing.T) {
	t.Parallel()
	var look func(of reflect.Type)
	seen := map[reflect.Type]bool{reflect.TypeFor[time.Time](): true, reflect.TypeFor[transcript.Packed](): true}
	look = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			look(of.Elem())
		case reflect.Struct:
			if seen[of] {
				return
			}
			seen[of] = true
			for i := range of.NumField() {
				f := of.Field(i)
				if !f.IsExported() && f.Type != reflect.TypeFor[key]() {
					t.Errorf("%v.%s is not kept", of, f.Name)
				}
				look(f.Type)
			}
		}
	}
	for _, of := range []reflect.Type{reflect.TypeFor[claudeLine](), reflect.TypeFor[codexLine](), reflect.TypeFor[recordLine](), reflect.TypeFor[transcript.Session]()} {
		look(of)
	}
}

// readAll reads a folder without an index, and fails when it is read otherwise with one.
func readAll(t *testing.T, dir string, o transcript.Options, cache newfile.CacheFolder, what string) transcript.Log {
	t.Helper()
	want, err := Read(t.Context(), []string{dir}, "", o, newfile.CacheFolder{})
	require.NoError(t, err)
	got, err := Read(t.Context(), []string{dir}, "", o, cache)
	require.NoError(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: with the index\n%+v\nwithout\n%+v", what, got, want)
	}
	return want
}

// later returns a cache of a run that finds every log settled.
func later(folder string) newfile.CacheFolder {
	return newfile.CacheFolder{Path: folder, Build: "b1", Now: func() time.Time { return time.Now().Add(time.Hour) }}
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
		require.NoError(t, err)
	}
	return logs
}

// put writes a log, with its folder.
func put(t testing.TB, path, text string, flags int) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flags, 0o600)
	require.NoError(t, err)
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, f.Close())
}

// TestGrowth: logs that grow by any number of bytes, in the middle of a line and of a
// character too, are read with an index as without one after each growth; and so are
// logs that another one took the place of, and those that shrank.
func TestGrowth(t *testing.T) {
	logs := shared(t)
	logs["claude/torn.jsonl"] = "\xef\xbb\xbf" + of(claudeHello, "s1") + "\r\n\n{\"type\":\"us\n" + of(claudeReply, "s1") + of(claudeHello, "s2") + `{"a":1}{"b":2}` + "\n" + `{"type":"progress","sessionId":"s1"}`
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
					require.NoError(t, os.RemoveAll(path))
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

// TestDefinitionsGrow: definitions that were kept before a log grew give way to the lines that
// came later, wherever it was cut.
func TestDefinitionsGrow(t *testing.T) {
	log := of(claudeHello, "s1") + of(claudeOffers, "s1") + of(claudeReply, "s1") + of(strings.NewReplacer(`"h`, `"other`, `"q1`, `"q2`).Replace(claudeOffers), "s2") + of(claudeHello, "s2")
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
// time and file equal those of the entry; each of them changes that.
func TestUnchangedIsNotRead(t *testing.T) {
	for _, log := range []string{of(claudeHello+claudeReply, "s1"), of(codexLines, "s1")} {
		dir := folder(t, map[string]string{"a.jsonl": log})
		path, cache := filepath.Join(dir, "a.jsonl"), later(t.TempDir())
		first := readAll(t, dir, transcript.Options{}, cache, "first")
		info, err := os.Stat(path)
		require.NoError(t, err)
		// A log whose bytes are others though nothing tells: if they were read, it would show.
		forged := strings.ReplaceAll(log, "hello", "HELLO")
		put(t, path, forged, 0)
		require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
		bytes := 0
		o := transcript.Options{Progress: func(n int) { bytes += n }}
		got, err := Read(t.Context(), []string{dir}, "", o, cache)
		if err != nil || !reflect.DeepEqual(got, first) || bytes != len(log) {
			t.Errorf("read again: %v, progress of %d bytes\n%+v", err, bytes, got)
		}
		require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime().Add(time.Second)))
		if changed := readAll(t, dir, transcript.Options{}, cache, "another time"); reflect.DeepEqual(changed, first) {
			t.Error("a log of another time is not read")
		}
	}
}

// TestGrownIsReadFromWhereItWas: what was read once is not read again.
func TestGrownIsReadFromWhereItWas(t *testing.T) {
	long := "" // its middle is no part of the digests
	for i := range 200 {
		long += strings.Replace(of(claudeHello, "s1"), `"u1"`, fmt.Sprintf(`"v%03d"`, i), 1)
	}
	dir := folder(t, map[string]string{"a.jsonl": long + of(claudeHello, "s1")[:20]})
	path, cache := filepath.Join(dir, "a.jsonl"), later(t.TempDir())
	readAll(t, dir, transcript.Options{}, cache, "first")
	half := len(long) / 2
	text := long[:half] + strings.Replace(long[half:], "hello", "HELLO", 1) + of(claudeHello, "s1") + of(claudeReply, "s1")
	put(t, path, text, os.O_TRUNC)
	got, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, cache)
	require.NoError(t, err)
	entries := got.Sessions[0].Contexts[0].Entries
	if len(entries) != 202 || strings.Contains(fmt.Sprintf("%+v", entries), "HELLO") || len(got.Skipped) > 0 {
		t.Errorf("%d entries, skipped %v", len(entries), got.Skipped)
	}
}

// TestDamagedIndex: whatever is wrong with the index, the logs are read, and the index
// is whole again.
func TestDamagedIndex(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": of(claudeHello+claudeReply, "s1"), "b.jsonl": of(codexLines, "s2")})
	cache := later(filepath.Join(t.TempDir(), "cache"))
	readAll(t, dir, transcript.Options{}, cache, "first")
	files, err := filepath.Glob(filepath.Join(cache.Path, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for at := 0; at < len(data); at += 7 {
			data[at] ^= 1
			require.NoError(t, os.WriteFile(file, data, 0o600))
			readAll(t, dir, transcript.Options{}, cache, fmt.Sprintf("byte %d", at))
			data[at] ^= 1
			require.NoError(t, os.WriteFile(file, data[:at], 0o600))
			readAll(t, dir, transcript.Options{}, cache, fmt.Sprintf("cut to %d", at))
		}
	}
}

// forged returns the facts of an entry that no reader wrote: some bytes of gob,
// packed as an entry is.
func forged(t testing.TB, data []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return z.EncodeAll(data, nil)
}

// TestEntryOfNoLines: an entry that is sound and that no reader wrote is thrown
// away, and its log is read; so is one that makes a reader fail.
func TestEntryOfNoLines(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": of(claudeHello+claudeReply, "s1"), "b.jsonl": of(codexLines, "s2"), "c.jsonl": of(claudeHello, "s3"), "d.json": of(hermesExport, "s4")})
	cache := later(filepath.Join(t.TempDir(), "cache"))
	readAll(t, dir, transcript.Options{}, cache, "first")
	session := func(e ...transcript.Entry) *transcript.Lines {
		w := transcript.NewWhole()
		w.Session(&transcript.Session{ID: "s4", Agent: transcript.Hermes, Contexts: []transcript.Context{{Entries: e}}}, 1)
		return w.Lines()
	}
	answer := transcript.Entry{Parent: transcript.None, Kind: transcript.Answer, Request: &transcript.Request{Tools: transcript.None}}
	for name, forge := range map[string]func(*transcript.CacheEntry){
		"a.jsonl no gob":        func(e *transcript.CacheEntry) { e.Facts = forged(t, []byte("\x00\xff\xff")) },
		"b.jsonl no zstd":       func(e *transcript.CacheEntry) { e.Facts = []byte("\x02\xff") },
		"c.jsonl cut":           func(e *transcript.CacheEntry) { e.Facts = e.Facts[:len(e.Facts)-2] },
		"c.jsonl fewer":         func(e *transcript.CacheEntry) { e.Count++ },
		"d.json another format": func(e *transcript.CacheEntry) { e.Format = 1 },
		"d.json no session":     func(e *transcript.CacheEntry) { e.Lines = *session() },
		"d.json a parent ahead": func(e *transcript.CacheEntry) { e.Lines = *session(transcript.Entry{Parent: 3}) },
		"d.json the result of none": func(e *transcript.CacheEntry) {
			e.Lines = *session(transcript.Entry{Parent: transcript.None, Kind: transcript.Result})
		},
		"d.json no such kind": func(e *transcript.CacheEntry) {
			e.Lines = *session(transcript.Entry{Parent: transcript.None, Kind: 77})
		},
		"d.json a result of no call": func(e *transcript.CacheEntry) { e.Lines = *session(answer, transcript.Entry{Kind: transcript.Result}) },
		"d.json an answer of nothing": func(e *transcript.CacheEntry) {
			e.Lines = *session(transcript.Entry{Parent: transcript.None, Kind: transcript.Answer})
		},
		"d.json no such tools": func(e *transcript.CacheEntry) {
			e.Lines = *session(transcript.Entry{Parent: transcript.None, Kind: transcript.Answer, Request: &transcript.Request{Tools: 5}})
		},
		"d.json no contexts": func(e *transcript.CacheEntry) {
			w := transcript.NewWhole()
			w.Session(&transcript.Session{ID: "s4"}, 1)
			e.Lines = *w.Lines()
		},
	} {
		file, _, _ := strings.Cut(name, " ")
		x := transcript.OpenCache(cache, "", transcript.Options{})
		e := x.Find(filepath.Join(dir, file))
		if e == nil {
			t.Fatalf("%s: nothing is kept", name)
		}
		forge(e)
		x.Put(filepath.Join(dir, file), e)
		if name == "d.json no session" {
			continue // it has no words, which may be
		}
		readAll(t, dir, transcript.Options{}, cache, name)
		readAll(t, dir, transcript.Options{}, cache, name+", again")
	}
}

// FuzzForgedEntry: whatever the facts of an entry are, reading ends, and has a log that keeps
// what package transcript promises.
func FuzzForgedEntry(f *testing.F) {
	names := []string{"a.jsonl", "b.jsonl", "c.json", "d.jsonl", "e.log"}
	dir := f.TempDir()
	for i, text := range []string{of(claudeHello+claudeReply, "s1"), of(codexLines, "s2"), of(hermesExport, "s3"), of(recordLines, "c1"), chatLog} {
		put(f, filepath.Join(dir, names[i]), text, 0)
	}
	cache := later(f.TempDir())
	if _, err := Read(f.Context(), []string{dir}, "", transcript.Options{}, cache); err != nil {
		f.Fatal(err)
	}
	sound := map[string]transcript.CacheEntry{}
	unpack, err := zstd.NewReader(nil)
	require.NoError(f, err)
	for i, name := range names {
		e := transcript.OpenCache(cache, "", transcript.Options{}).Find(filepath.Join(dir, name))
		data, err := unpack.DecodeAll(e.Facts, nil)
		require.NoError(f, err)
		sound[name] = *e
		f.Add(i, data)
	}
	f.Fuzz(func(t *testing.T, which int, data []byte) {
		name := names[uint(which)%uint(len(names))]
		e := sound[name]
		e.Facts = forged(t, data)
		transcript.OpenCache(cache, "", transcript.Options{}).Put(filepath.Join(dir, name), &e)
		log, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, cache)
		require.NoError(t, err)
		for _, s := range log.Sessions {
			for _, c := range s.Contexts {
				for i, e := range c.Entries {
					if e.Parent >= i || e.Kind == transcript.Result && c.Entries[e.CallEntry].Request == nil {
						t.Errorf("entry %d: %+v", i, e)
					}
				}
			}
		}
	})
}
