package transcript

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caliper/model/newfile"
	"caliper/model/require"
)

// TestCache: entries are found by path, writer and tokenizer in another process, as long as the log
// is as it was; cut and foreign entries are none, and a log that may change at the same time has none.
func TestCache(t *testing.T) {
	t.Parallel()
	logs, folder := t.TempDir(), filepath.Join(t.TempDir(), "computed")
	now := time.Now().Add(time.Hour)
	cache := newfile.CacheFolder{Path: folder, Build: "b1", Now: func() time.Time { return now }}
	x := OpenCache(cache, "", Options{})
	path := func(i int) string { return filepath.Join(logs, fmt.Sprint("log", i)) }
	for i := range 30 {
		require.NoError(t, os.WriteFile(path(i), []byte("hello"), 0o600))
		info, err := os.Stat(path(i))
		require.NoError(t, err)
		x.Put(path(i), i, info, &Lines{Facts: []byte{byte(i)}})
		x.Put(path(i+100), i, info, &Lines{over: true})
		young := OpenCache(cache, Codex, Options{})
		young.now = info.ModTime().Add(settling - 1)
		young.Put(path(i), i, info, &Lines{})
	}
	x.Sweep()
	y := OpenCache(cache, "", Options{})
	for i := range 30 {
		if e := y.Find(path(i)); e == nil || e.Format != i || !bytes.Equal(e.Facts, []byte{byte(i)}) {
			t.Fatalf("log %d: %+v", i, e)
		}
	}
	other := OpenCache(cache, Codex, Options{})
	counted := OpenCache(cache, "", Options{Count: func(string) int { return 1 }, Tokenizer: "t"})
	if y.Find(path(100)) != nil || other.Find(path(1)) != nil || counted.Find(path(1)) != nil {
		t.Error("an entry of another log is found")
	}
	if OpenCache(cache, "", Options{Count: func(string) int { return 1 }}) != nil || OpenCache(newfile.CacheFolder{}, "", Options{}) != nil {
		t.Error("there is a cache for a tokenizer without a name, or without a folder")
	}
	info, err := os.Stat(path(1))
	require.NoError(t, err)
	for name, change := range map[string]func(path string){
		"its time": func(path string) {
			require.NoError(t, os.Chtimes(path, time.Time{}, info.ModTime().Add(time.Second)))
		},
		"its size": func(path string) { require.NoError(t, os.WriteFile(path, []byte("hello!"), 0o600)) },
		"its file": func(path string) {
			require.NoError(t, os.WriteFile(path+"x", []byte("hello"), 0o600))
			require.NoError(t, os.Rename(path+"x", path))
		},
	} {
		copied := filepath.Join(logs, name)
		require.NoError(t, os.WriteFile(copied, []byte("hello"), 0o600))
		require.NoError(t, os.Chtimes(copied, time.Time{}, info.ModTime()))
		before, err := os.Stat(copied)
		require.NoError(t, err)
		x.Put(copied, 1, before, &Lines{})
		change(copied)
		if name != "its time" {
			require.NoError(t, os.Chtimes(copied, time.Time{}, info.ModTime()))
		}
		if x.Find(copied) != nil && (name != "its file" || FileNumber(before) != 0) {
			t.Errorf("%s is another, and the entry is found", name)
		}
	}
	y.Distrust()
	if y.Find(path(1)) != nil {
		t.Error("a cache that is not trusted finds an entry")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 33 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v, %v", file, info.Mode(), err)
		}
		require.NoError(t, os.Truncate(file, 60))
	}
	for i := range 30 {
		if OpenCache(cache, "", Options{}).Find(path(i)) != nil {
			t.Fatalf("log %d is found in a file that is cut", i)
		}
	}
}

// TestTooMuchIsNotKept: a log with too many facts is read to its end, and nothing
// is kept of it.
func TestTooMuchIsNotKept(t *testing.T) {
	t.Parallel()
	type fact struct{ Text string }
	random := make([]byte, 1<<20)
	for _, c := range []struct {
		name  string
		lines int
		fits  bool
	}{{"fits", 64<<20/len(random) - 1, true}, {"too much", 64<<20/len(random) + 1, false}} {
		taken, k := 0, new(Lines)
		source := rand.NewChaCha8([32]byte{1})
		err := LineReader[fact]{
			Parse: func([]byte) (fact, bool) { _, _ = source.Read(random); return fact{string(random)}, true },
			Take:  func(*fact) string { taken++; return "" },
			Skip:  func(int, string) {},
		}.Read(t.Context(), strings.NewReader(strings.Repeat("x\n", c.lines)), k)
		if err != nil || taken != c.lines {
			t.Errorf("%s: %d of %d lines, %v", c.name, taken, c.lines, err)
		}
		if has := len(k.Facts) > 1<<20; has != c.fits || k.over == c.fits {
			t.Errorf("%s: %d bytes are kept, and it is over: %t", c.name, len(k.Facts), k.over)
		}
	}
}

// FuzzCacheEntry: an entry of any bytes is refused, or the log is read as the entry has it.
func FuzzCacheEntry(f *testing.F) {
	log := filepath.Join(f.TempDir(), "log")
	if err := os.WriteFile(log, []byte("line\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	info, err := os.Stat(log)
	if err != nil {
		f.Fatal(err)
	}
	folder := newfile.CacheFolder{Path: filepath.Join(f.TempDir(), "computed"), Build: "b1"}
	x := OpenCache(folder, "", Options{})
	x.now = info.ModTime().Add(2 * settling)
	x.Put(log, 1, info, &Lines{Facts: []byte("abc"), Count: 3})
	key, _ := x.key(log)
	whole := folder.Read(kind, key)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := folder.Add(kind, key, data); err != nil {
			t.Fatal(err)
		}
		if e := x.Find(log); e != nil && e.Size != info.Size() {
			t.Errorf("%+v", e)
		}
	})
}
