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

// openAt returns a cache in a folder at a time.
func openAt(folder string, at time.Time) *Cache {
	return OpenCache(newfile.CacheFolder{Path: folder, Build: "b1", Now: func() time.Time { return at }}, "", Options{})
}

// TestCache: entries are found by path, writer and tokenizer in another process; cut and
// foreign entries are none.
func TestCache(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "computed")
	now := time.Unix(1e9, 0)
	x := openAt(folder, now)
	for i := range 100 {
		x.Put(fmt.Sprint("log", i), &CacheEntry{Size: int64(i), Lines: Lines{Facts: []byte{byte(i)}}})
	}
	x.Sweep()
	y := openAt(folder, now)
	for i := range 100 {
		if e := y.Find(fmt.Sprint("log", i)); e == nil || e.Size != int64(i) || !bytes.Equal(e.Facts, []byte{byte(i)}) {
			t.Fatalf("log %d: %+v", i, e)
		}
	}
	other := OpenCache(y.folder, Codex, Options{})
	counted := OpenCache(y.folder, "", Options{Count: func(string) int { return 1 }, Tokenizer: "t"})
	if y.Find("log100") != nil || other.Find("log1") != nil || counted.Find("log1") != nil {
		t.Error("an entry of another log is found")
	}
	if OpenCache(y.folder, "", Options{Count: func(string) int { return 1 }}) != nil || OpenCache(newfile.CacheFolder{}, "", Options{}) != nil {
		t.Error("there is a cache for a tokenizer without a name, or without a folder")
	}
	y.Distrust()
	if y.Find("log1") != nil {
		t.Error("a cache that is not trusted finds an entry")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v, %v", file, info.Mode(), err)
		}
		require.NoError(t, os.Truncate(file, 60))
	}
	z := openAt(folder, now)
	for i := range 100 {
		if z.Find(fmt.Sprint("log", i)) != nil {
			t.Fatalf("log %d is found in a file that is cut", i)
		}
	}
}

// TestSettled: a log that was changed just before it was read may change again at the
// same time, so that its entry alone does not tell.
func TestSettled(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(path, []byte("one\ntwo\nthr"), 0o600))
	info, err := os.Stat(path)
	require.NoError(t, err)
	for _, c := range []struct {
		age  time.Duration
		want bool
	}{{0, false}, {Settling - 1, false}, {Settling, true}, {-time.Hour, false}} {
		if got := CacheEntryOf(1, info, info.ModTime().Add(c.age), new(Lines)).Unchanged(info); got != c.want {
			t.Errorf("%v after the change: unchanged %v", c.age, got)
		}
	}
	e := CacheEntryOf(1, info, info.ModTime(), &Lines{Offset: 8})
	require.NoError(t, e.Seal(strings.NewReader("one\ntwo\nthr")))
	for text, want := range map[string]bool{"one\ntwo\nthr": true, "one\ntwo\nthree\n": true, "One\ntwo\nthr": false, "one\ntwo thr": false, "one\n": false} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		now, err := os.Stat(path)
		require.NoError(t, err)
		if got := e.Begins(strings.NewReader(text), now); got != want {
			t.Errorf("%q: begins as the entry: %v", text, got)
		}
	}
}

// FuzzReadEntry: whatever bytes an entry has, it is one whose numbers can be, or none.
func FuzzReadEntry(f *testing.F) {
	folder := newfile.CacheFolder{Path: filepath.Join(f.TempDir(), "computed"), Build: "b1"}
	x := OpenCache(folder, "", Options{})
	x.Put("log", &CacheEntry{Format: 1, Size: 250, Changed: 7, File: 9, Settled: true, Lines: Lines{Facts: []byte("abc"), Count: 3, Whole: 2, Number: 2, Offset: 200}})
	key, _ := x.key("log")
	f.Add(folder.Read(kind, key))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		if e, err := readEntry(data); err == nil && (e.Offset < 0 || e.Offset > e.Size || e.Whole < 0 || e.Number < 0) {
			t.Errorf("%+v", e)
		}
	})
}

// TestTooMuchIsNotKept: a log with too many facts is read to its end, and nothing
// is kept of it.
func TestTooMuchIsNotKept(t *testing.T) {
	t.Parallel()
	type fact struct{ Text string }
	random := make([]byte, 64<<10) // which zstd cannot make smaller
	for _, c := range []struct {
		name  string
		lines int
		fits  bool
	}{{"fits", mostPacked/len(random) - 4, true}, {"too much", mostPacked/len(random) + 8, false}} {
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
		if has := len(k.Facts) > 0 && k.Whole > 0 && k.Offset > 0; has != c.fits || k.Fits() != c.fits {
			t.Errorf("%s: %d bytes are kept, and it fits: %t", c.name, len(k.Facts), k.Fits())
		}
	}
}
