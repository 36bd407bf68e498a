package newfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"caliper/model/require"

	"pgregory.net/rapid"
)

// clock is a clock that tests set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// cache returns a cache in a folder of its own, and its clock.
func cache(t *testing.T) (CacheFolder, *clock) {
	c := &clock{time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	return CacheFolder{Path: filepath.Join(t.TempDir(), "a", "computed"), Build: "b1", Now: c.now}, c
}

// write writes an entry, and sets the time of its file to the clock's.
func write(t *testing.T, f CacheFolder, kind CacheKind, key CacheKey, content string) string {
	t.Helper()
	require.NoError(t, f.Write(kind, key, []byte(content)))
	path := filepath.Join(f.Path, name(kind, key))
	if err := os.Chtimes(path, f.now(), f.now()); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return path
}

func TestReadReturnsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f, _ := cache(t)
		key := f.KeyOf([]byte("k"))
		for _, content := range rapid.SliceOfN(rapid.SliceOf(rapid.Byte()), 1, 4).Draw(r, "contents") {
			require.NoError(t, f.Write("kind", key, content))
			if got := f.Read("kind", key); !bytes.Equal(got, content) || got == nil {
				t.Fatalf("read %q, wrote %q", got, content)
			}
		}
		if f.Read("other", key) != nil || f.Read("kind", f.KeyOf([]byte("l"))) != nil {
			t.Fatal("another entry is there")
		}
	})
}

func TestNothingIsKeptWithoutAFolder(t *testing.T) {
	var f CacheFolder
	if err := f.Write("kind", CacheKey{}, []byte("x")); err != nil || f.Read("kind", CacheKey{}) != nil {
		t.Error(err)
	}
}

func TestKeys(t *testing.T) {
	f := CacheFolder{Build: "b1"}
	seen := map[CacheKey]string{}
	for _, parts := range [][]string{{}, {""}, {"a"}, {"a", ""}, {"", "a"}, {"ab"}, {"a", "b"}} {
		var all [][]byte
		for _, p := range parts {
			all = append(all, []byte(p))
		}
		for _, build := range []string{"b1", "b2"} {
			k := CacheFolder{Build: build}.KeyOf(all...)
			if other, twice := seen[k]; twice {
				t.Errorf("%q of %s has the key of %s", parts, build, other)
			}
			seen[k] = fmt.Sprintf("%q of %s", parts, build)
		}
	}
	if first, again := f.KeyOf([]byte("a")), f.KeyOf([]byte("a")); first != again {
		t.Error("the same parts have two keys")
	}
}

// Whatever byte is changed or cut off, the entry is not read, and is gone.
func TestDamage(t *testing.T) {
	f, _ := cache(t)
	key := f.KeyOf()
	path := write(t, f, "kind", key, "content")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	damage := func(what string, data []byte) {
		require.NoError(t, os.WriteFile(path, data, 0o600))
		if got := f.Read("kind", key); got != nil {
			t.Errorf("%s: read %q", what, got)
		}
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s: is still there", what)
		}
	}
	for i := range whole {
		if i < 8 || i >= 12 { // between is the format
			flipped := bytes.Clone(whole)
			flipped[i] ^= 4
			damage(fmt.Sprintf("byte %d", i), flipped)
		}
		damage(fmt.Sprintf("cut to %d", i), whole[:i])
	}
	damage("one more byte", append(bytes.Clone(whole), 0))
	if write(t, f, "kind", key, "content"); string(f.Read("kind", key)) != "content" {
		t.Error("it cannot be written again")
	}
}

// An entry under the name of another, such as one where only the first half
// of the key is the same, is not read.
func TestAnotherKey(t *testing.T) {
	f, _ := cache(t)
	a := f.KeyOf([]byte("a"))
	b := a
	b[len(b)-1]++
	write(t, f, "kind", a, "of a")
	if got := f.Read("kind", b); got != nil {
		t.Errorf("read %q", got)
	}
}

// What a later program keeps is neither read nor replaced nor removed.
func TestLaterFormat(t *testing.T) {
	f, c := cache(t)
	if got := f.most(); f.Most > 0 || got != 256<<20 {
		t.Errorf("the bound is %d", got)
	}
	f.Most = 200
	key := f.KeyOf([]byte("theirs"))
	path := write(t, f, "kind", key, "theirs")
	data, _ := os.ReadFile(path)
	binary.LittleEndian.PutUint32(data[8:], format+1)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	if f.Read("kind", key) != nil {
		t.Error("it was read")
	}
	c.at = c.at.Add(time.Hour)
	write(t, f, "kind", key, "ours")
	for i := range 5 {
		write(t, f, "kind", f.KeyOf([]byte{byte(i)}), strings.Repeat("x", 100))
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, data) {
		t.Errorf("it is %q now, %v", now, err)
	}
}

func TestLeastUsedGoes(t *testing.T) {
	f, c := cache(t)
	f.Most = 3 * int64(headerSize+100)
	keys := make([]CacheKey, 5)
	there := func() string {
		var all []string
		for i, k := range keys {
			if _, err := os.Stat(filepath.Join(f.Path, name("kind", k))); err == nil {
				all = append(all, fmt.Sprint(i))
			}
		}
		return strings.Join(all, " ")
	}
	for i := range keys {
		keys[i] = f.KeyOf([]byte{byte(i)})
	}
	add := func(i, size int) {
		c.at = c.at.Add(time.Minute)
		write(t, f, "kind", keys[i], strings.Repeat("x", size))
	}
	for i := range 3 {
		add(i, 100)
	}
	if got := there(); got != "0 1 2" {
		t.Errorf("within the bound: %s", got)
	}
	c.at = c.at.Add(time.Minute)
	f.Read("kind", keys[0])
	if add(3, 100); there() != "0 2 3" {
		t.Errorf("1 was used longest ago: %s", there())
	}
	if add(4, 250); there() != "4" && there() != "3 4" {
		t.Errorf("a large one: %s", there())
	}
	if add(1, 1000); there() != "4" && there() != "3 4" {
		t.Errorf("one that is larger than the folder: %s", there())
	}
}

// Only entries and the unfinished ones of killed processes are touched.
func TestForeignFiles(t *testing.T) {
	f, c := cache(t)
	f.Most = int64(headerSize + 10)
	key := f.KeyOf()
	write(t, f, "kind", key, "x")
	old, young := "."+name("kind", CacheKey{1})+".caliper-12", "."+name("kind", CacheKey{2})+".caliper-12"
	for _, file := range []string{
		"notes.txt", "kind.cache", "KIND-" + strings.Repeat("0", digits) + suffix, "kind-" + strings.Repeat("g", digits) + suffix,
		"kind-" + strings.Repeat("0", digits-1) + suffix, ".notes12", name("kind", key) + "~", old, young,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(f.Path, file), make([]byte, 1000), 0o600))
		at := c.at.Add(-time.Hour * 100)
		if file == young {
			at = c.at
		}
		require.NoError(t, os.Chtimes(filepath.Join(f.Path, file), at, at))
	}
	write(t, f, "kind", f.KeyOf([]byte("more")), "0123456789")
	left, _ := os.ReadDir(f.Path)
	if len(left) != 9 { // all but old, and the new entry in the place of the first
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(filepath.Join(f.Path, old)); err == nil {
		t.Error("the unfinished file of a killed process is still there")
	}
}

func TestModes(t *testing.T) {
	f, _ := cache(t)
	path := write(t, f, "kind", f.KeyOf(), "x")
	info, err := os.Stat(path)
	require.NoError(t, err)
	if _, _, known := Owners(info); !known {
		t.Skip("the modes of files are others here")
	}
	for file, want := range map[string]os.FileMode{path: 0o600, f.Path: 0o700, filepath.Dir(f.Path): 0o700} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v", file, info.Mode(), err)
		}
	}
}

// A folder that others can write to is not read and not written.
func TestUnsafeFolder(t *testing.T) {
	f, _ := cache(t)
	key := f.KeyOf()
	path := write(t, f, "kind", key, "x")
	info, err := os.Stat(path)
	require.NoError(t, err)
	if _, _, known := Owners(info); !known {
		t.Skip("the owners of files are not known here")
	}
	require.NoError(t, os.Chmod(f.Path, 0o777))
	if f.Read("kind", key) != nil {
		t.Error("it was read")
	}
	if f.Write("kind", f.KeyOf([]byte("new")), nil) == nil {
		t.Error("it was written")
	}
	if left, _ := os.ReadDir(f.Path); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

// A link in the place of an entry leads nowhere, and what it leads to stays.
func TestLink(t *testing.T) {
	for where, theirs := range map[string]string{"elsewhere": filepath.Join(t.TempDir(), "theirs"), "in the folder": "theirs"} {
		f, _ := cache(t)
		key := f.KeyOf()
		path := write(t, f, "kind", key, "x")
		if !filepath.IsAbs(theirs) {
			theirs = filepath.Join(f.Path, theirs)
		}
		require.NoError(t, os.Rename(path, theirs))
		if err := os.Symlink(theirs, path); err != nil {
			t.Skip(err)
		}
		if f.Read("kind", key) != nil {
			t.Errorf("%s: a link was read", where)
		}
		write(t, f, "kind", key, "y")
		if data, err := os.ReadFile(theirs); err != nil || !bytes.HasSuffix(data, []byte("x")) {
			t.Errorf("%s: what the link led to is %q, %v", where, data, err)
		}
	}
}

// A file that takes the name of another one while it is opened is not read, and one
// that has grown since it was listed is read as it is.
func TestFileThatChangesMeanwhile(t *testing.T) {
	f, _ := cache(t)
	key, other := f.KeyOf(), f.KeyOf([]byte("other"))
	path := write(t, f, "kind", key, "content")
	listed, err := os.Lstat(path)
	require.NoError(t, err)
	unlike, err := os.Lstat(write(t, f, "kind", other, "content"))
	require.NoError(t, err)
	grown, err := os.ReadFile(write(t, f, "other", key, "grown content"))
	require.NoError(t, err)
	if err := os.WriteFile(path, grown, 0o600); err != nil { // the same file
		t.Fatal(err)
	}
	for _, c := range []struct {
		listed os.FileInfo
		want   string
		state  state
	}{{unlike, "", missing}, {listed, "grown content", sound}} {
		file, err := os.Open(path)
		require.NoError(t, err)
		defer file.Close()
		got, state := f.readFile(file, c.listed, &key)
		if string(got) != c.want || state != c.state {
			t.Errorf("read %q, state %d, want %q, %d", got, state, c.want, c.state)
		}
	}
}

// Content that is too large leaves the entry that was there, and no other file.
func TestContentThatIsNotWritten(t *testing.T) {
	f, _ := cache(t)
	key := f.KeyOf()
	write(t, f, "kind", key, "before")
	f.Most = 100
	require.NoError(t, f.Write("kind", key, make([]byte, 100)))
	if files, err := os.ReadDir(f.Path); err != nil || len(files) != 1 || string(f.Read("kind", key)) != "before" {
		t.Errorf("the folder has %v, %v", files, err)
	}
}

// Many use a folder at a time, while entries are removed from it.
func TestTogether(t *testing.T) {
	f, _ := cache(t)
	f.Now = nil
	f.Most = 4000
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 30 {
				n := (i*7 + worker) % 10
				key, content := f.KeyOf([]byte{byte(n)}), bytes.Repeat([]byte{byte(n)}, 700)
				if got := f.Read("kind", key); got != nil && !bytes.Equal(got, content) {
					t.Errorf("entry %d is another", n)
				}
				if err := f.Write("kind", key, content); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}
