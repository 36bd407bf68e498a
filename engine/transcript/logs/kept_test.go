package logs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"caliper/engine/transcript"
	"caliper/model/newfile"
	"caliper/model/require"
)

func TestMain(m *testing.M) { os.Exit(require.Run(m)) }

// counted are options with a tokenizer that has a name.
var counted = transcript.Options{Count: func(text string) int { return len(text) }, Tokenizer: "bytes"}

// TestEveryFieldIsKept: gob leaves out the fields that are not exported. Of what is kept none is but the keys of
// a line of Claude Code, which are set when it is taken.
func TestEveryFieldIsKept(t *testing.T) {
	t.Parallel()
	var look func(of reflect.Type)
	seen := map[reflect.Type]bool{reflect.TypeFor[time.Time](): true}
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
	for _, of := range []reflect.Type{reflect.TypeFor[claudeLine](), reflect.TypeFor[codexLine](), reflect.TypeFor[recordLine]()} {
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
		for at := 0; at < len(data); at += 31 {
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

// TestInterrupted: what was read whole before an interruption is not read again.
func TestInterrupted(t *testing.T) {
	long := strings.Repeat(of(claudeHello, "s2"), 20_000)
	dir := folder(t, map[string]string{"a.jsonl": of(claudeHello+claudeReply, "s1"), "b.jsonl": long})
	cache := later(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read := 0
	o := transcript.Options{Progress: func(n int) {
		if read += n; read > len(long)/2 {
			cancel()
		}
	}}
	if _, err := Read(ctx, []string{dir}, "", o, cache); !errors.Is(err, context.Canceled) {
		t.Fatalf("ended with %v", err)
	}
	if kept, _ := os.ReadDir(cache.Path); len(kept) == 0 {
		t.Error("nothing is kept")
	}
	readAll(t, dir, transcript.Options{}, cache, "the next time")
}

// TestEntryOfNoLines: an entry that is sound and that no reader wrote is thrown
// away, and its log is read; so is one that makes a reader fail.
func TestEntryOfNoLines(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": of(claudeHello+claudeReply, "s1"), "b.jsonl": of(codexLines, "s2"), "c.jsonl": of(claudeHello, "s3")})
	cache := later(filepath.Join(t.TempDir(), "cache"))
	readAll(t, dir, transcript.Options{}, cache, "first")
	for name, forge := range map[string]func(*transcript.CacheEntry){
		"a.jsonl no gob":         func(e *transcript.CacheEntry) { e.Facts = forged(t, []byte("\x00\xff\xff")) },
		"b.jsonl no zstd":        func(e *transcript.CacheEntry) { e.Facts = []byte("\x02\xff") },
		"c.jsonl cut":            func(e *transcript.CacheEntry) { e.Facts = e.Facts[:len(e.Facts)-2] },
		"c.jsonl fewer":          func(e *transcript.CacheEntry) { e.Count++ },
		"c.jsonl no such format": func(e *transcript.CacheEntry) { e.Format = 99 },
		"c.jsonl a whole file's": func(e *transcript.CacheEntry) { e.Format = int(hermesFormat) },
	} {
		file, _, _ := strings.Cut(name, " ")
		forgeEntry(t, cache, filepath.Join(dir, file), forge)
		readAll(t, dir, transcript.Options{}, cache, name)
		readAll(t, dir, transcript.Options{}, cache, name+", again")
	}
}

// forgeEntry changes the entry of a log.
func forgeEntry(t *testing.T, cache newfile.CacheFolder, path string, forge func(*transcript.CacheEntry)) {
	t.Helper()
	x := transcript.OpenCache(cache, "", transcript.Options{})
	e := x.Find(path)
	if e == nil {
		t.Fatalf("%s: nothing is kept", path)
	}
	forge(e)
	info, err := os.Stat(path)
	require.NoError(t, err)
	x.Put(path, e.Format, info, &e.Lines)
}

// FuzzForgedEntry: whatever the facts of an entry are, reading ends, and has a log that keeps
// what package transcript promises.
func FuzzForgedEntry(f *testing.F) {
	names := []string{"a.jsonl", "b.jsonl", "c.jsonl"}
	dir := f.TempDir()
	for i, text := range []string{of(claudeHello+claudeReply, "s1"), of(codexLines, "s2"), of(recordLines, "c1")} {
		put(f, filepath.Join(dir, names[i]), text, 0)
	}
	cache := later(f.TempDir())
	if _, err := Read(f.Context(), []string{dir}, "", transcript.Options{}, cache); err != nil {
		f.Fatal(err)
	}
	unpack, err := zstd.NewReader(nil)
	require.NoError(f, err)
	for i, name := range names {
		data, err := unpack.DecodeAll(transcript.OpenCache(cache, "", transcript.Options{}).Find(filepath.Join(dir, name)).Facts, nil)
		require.NoError(f, err)
		f.Add(i, data)
	}
	f.Fuzz(func(t *testing.T, which int, data []byte) {
		forgeEntry(t, cache, filepath.Join(dir, names[uint(which)%uint(len(names))]), func(e *transcript.CacheEntry) { e.Facts = forged(t, data) })
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

// TestSecondRunOpensNothing: once the logs of lines were read and have rested, a second run takes what
// they say from the cache alone, though their bytes are others now.
func TestSecondRunOpensNothing(t *testing.T) {
	logs := everyFormat(t)
	maps.DeleteFunc(logs, func(name, _ string) bool {
		return !strings.HasPrefix(name, "record") && !strings.HasPrefix(name, "claude") && !strings.HasPrefix(name, "codex")
	})
	dir := folder(t, logs)
	for name := range logs {
		hide(t, filepath.Join(dir, name), logs[name]) // with a time of its own
	}
	for _, o := range []transcript.Options{{}, counted} {
		cache := later(t.TempDir())
		first := readAll(t, dir, o, cache, "first")
		for name := range logs {
			hide(t, filepath.Join(dir, name), strings.Repeat("\x00", len(logs[name])))
		}
		second, err := Read(t.Context(), []string{dir}, "", o, cache)
		if err != nil || !reflect.DeepEqual(second, first) || len(first.Sessions) < 3 {
			t.Errorf("read again: %v\n%+v\nfirst\n%+v", err, second.Skipped, first.Skipped)
		}
		for name := range logs {
			hide(t, filepath.Join(dir, name), logs[name])
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
