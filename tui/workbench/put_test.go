package workbench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"caliper/model/newfile"
	"caliper/model/require"
)

func TestMain(m *testing.M) { os.Exit(require.Run(m)) }

// file writes a file into a folder of its own.
func file(t *testing.T, content string, mode fs.FileMode) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(name, []byte(content), mode))
	if err := os.Chmod(name, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
	return name
}

// expect checks what a file has, and that it is alone in its folder.
func expect(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil || string(data) != content {
		t.Errorf("%q, %v, want %q", data, err, content)
	}
	info, err := os.Lstat(name)
	if err != nil || info.Mode() != mode {
		t.Errorf("mode %v, %v, want %v", info.Mode(), err, mode)
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v, want one file", entries, err)
	}
}

func TestPutKeepsTheMode(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o666, 0o751} {
		name := file(t, "old", mode)
		require.NoError(t, PutFile(name, []byte("old"), []byte("new and longer")))
		expect(t, name, "new and longer", mode)
	}
}

func TestPutThroughLinks(t *testing.T) {
	name := file(t, "old", 0o640)
	folder := t.TempDir()
	near, far := filepath.Join(folder, "near"), filepath.Join(folder, "far")
	require.NoError(t, errors.Join(os.Symlink(name, near), os.Symlink("near", far)))
	require.NoError(t, PutFile(far, []byte("old"), []byte("new")))
	expect(t, name, "new", 0o640)
	for link, want := range map[string]string{near: name, far: "near"} {
		if got, err := os.Readlink(link); err != nil || got != want {
			t.Errorf("%s leads to %s, %v", link, got, err)
		}
	}
}

func TestPutRefusesWhatHasChanged(t *testing.T) {
	name := file(t, "theirs", 0o644)
	err := PutFile(name, []byte("old"), []byte("new"))
	var changed *ChangedError
	if !errors.As(err, &changed) || changed.Path != name || string(changed.Data) != "theirs" {
		t.Errorf("%v", err)
	}
	if want := name + ": changed by somebody else meanwhile"; err.Error() != want {
		t.Errorf("%q", err)
	}
	expect(t, name, "theirs", 0o644)
}

func TestPutMakesAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "q.jsonl")
	require.NoError(t, PutFile(name, nil, []byte("one")))
	expect(t, name, "one", 0o644)
	var changed *ChangedError
	if err := PutFile(name, nil, []byte("two")); !errors.As(err, &changed) || string(changed.Data) != "one" {
		t.Errorf("over a file that was missing: %v", err)
	}
}

func TestPutRefuses(t *testing.T) {
	folder := t.TempDir()
	if err := PutFile(filepath.Join(folder, "gone"), []byte("old"), []byte("new")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := PutFile(folder, nil, []byte("new")); err == nil {
		t.Error("a folder was replaced")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("%v %v", entries, err)
	}
	if os.Geteuid() == 0 {
		return // root may write everything
	}
	name := file(t, "old", 0o444)
	if err := PutFile(name, []byte("old"), []byte("new")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a file that is read only: %v", err)
	}
	expect(t, name, "old", 0o444)
}

// upper is a change that can be seen.
func upper(data []byte) ([]byte, error) { return []byte(strings.ToUpper(string(data))), nil }

// A file that somebody else changes between the look and the write is changed
// as they left it, and so is one that somebody else makes.
func TestRewriteAgain(t *testing.T) {
	for _, old := range []string{"first", "missing"} {
		name := filepath.Join(t.TempDir(), "config.yaml")
		if old != "missing" {
			write(t, name, old)
		}
		tries := 0
		before, after, err := RewriteFile(name, 0o640, func(data []byte) ([]byte, error) {
			if tries++; tries == 1 {
				if (data == nil) != (old == "missing") {
					t.Errorf("%s: first %q", old, data)
				}
				write(t, name, "second")
			}
			return upper(append(data, '!'))
		})
		if err != nil || string(before) != "second" || string(after) != "SECOND!" || tries != 2 {
			t.Errorf("%s: %q to %q in %d tries, %v", old, before, after, tries, err)
		}
		expect(t, name, "SECOND!", 0o644)
	}
}

func TestRewriteMakesAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "tokens")
	one := func([]byte) ([]byte, error) { return []byte("one"), nil }
	if _, _, err := RewriteFile(name, 0, one); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that must be there: %v", err)
	}
	if before, after, err := RewriteFile(name, 0o600, one); before != nil || string(after) != "one" || err != nil {
		t.Errorf("%q to %q, %v", before, after, err)
	}
	expect(t, name, "one", 0o600)
}

func TestRewriteGivesUp(t *testing.T) {
	name := file(t, "first", 0o644)
	tries := 0
	always := func(old []byte) ([]byte, error) {
		tries++
		write(t, name, string(old)+"x")
		return upper(old)
	}
	if _, _, err := RewriteFile(name, 0, always); !errors.Is(err, ErrBusy) || tries != attempts {
		t.Errorf("%v after %d tries", err, tries)
	}
	refuse := func([]byte) ([]byte, error) { return nil, fs.ErrInvalid }
	if _, _, err := RewriteFile(name, 0, refuse); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no change: %v", err)
	}
	before, _ := os.Stat(name)
	same := func(data []byte) ([]byte, error) { return data, nil }
	if _, _, err := RewriteFile(name, 0, same); err != nil {
		t.Errorf("nothing to write: %v", err)
	}
	if after, err := os.Stat(name); err != nil || !os.SameFile(before, after) {
		t.Errorf("what changes nothing was written: %v", err)
	}
}

// Whoever keeps the lock is waited for, and not for ever.
func TestRewriteWaits(t *testing.T) {
	name := file(t, "first", 0o644)
	h, err := hold(name)
	require.NoError(t, err)
	defer h.release()
	defer func(d time.Duration) { patience = d }(patience)
	patience = time.Millisecond
	if _, _, err := RewriteFile(name, 0, upper); !errors.Is(err, ErrBusy) {
		t.Errorf("%v", err)
	}
	if err := PutFile(name, []byte("first"), []byte("second")); !errors.Is(err, ErrBusy) {
		t.Errorf("%v", err)
	}
	expect(t, name, "first", 0o644)
}

// Read tells a missing file from an empty one, and from other kinds.
func TestRead(t *testing.T) {
	name := file(t, "", 0o644)
	if data, err := ReadFile(name); data == nil || len(data) > 0 || err != nil {
		t.Errorf("empty: %v, %v", data, err)
	}
	if data, err := ReadFile(name + "x"); data != nil || err != nil {
		t.Errorf("missing: %v, %v", data, err)
	}
	if _, err := ReadFile(filepath.Dir(name)); !errors.Is(err, errNotFile) {
		t.Errorf("folder: %v", err)
	}
}

// write writes a file as many editors do, in place.
func write(t testing.TB, name, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
}

// over writes a file as other editors do: beside it, and then over it.
func over(t testing.TB, name, content string) {
	t.Helper()
	write(t, name+"~", content)
	require.NoError(t, os.Rename(name+"~", name))
}

var saves = map[string]func(testing.TB, string, string){"in place": write, "over it": over}

// atExchange has other programs act at the steps of a write that is under way: each
// function before the exchange of that number. It returns how many were called.
func atExchange(t *testing.T, steps ...func()) *int {
	real, n := exchange, new(int)
	t.Cleanup(func() { exchange = real })
	exchange = func(f *newfile.File) error {
		*n++
		if *n <= len(steps) {
			steps[*n-1]()
		}
		return real(f)
	}
	return n
}

// exchanges skips a test where the disk of its folder does not exchange files.
func exchanges(t *testing.T) {
	t.Helper()
	name := file(t, "old", 0o600)
	f, err := newfile.Create(name, 0o600)
	require.NoError(t, err)
	defer f.Discard()
	if err := f.Exchange(); errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
}

// What somebody saves after the last look is there in the end, however they save, and
// also what a third saves while that goes back.
func TestPutGoesBack(t *testing.T) {
	exchanges(t)
	for how, save := range saves {
		t.Run(how, func(t *testing.T) {
			for thirds := range 4 {
				name, want := file(t, "old", 0o644), "theirs"
				steps := []func(){func() { save(t, name, "theirs") }}
				for i := range thirds {
					want = fmt.Sprint("third ", i)
					steps = append(steps, func() { save(t, name, fmt.Sprint("third ", i)) })
				}
				n := atExchange(t, steps...)
				err := PutFile(name, []byte("old"), []byte("new"))
				var changed *ChangedError
				if !errors.As(err, &changed) || string(changed.Data) != want {
					t.Errorf("%d thirds: %v", thirds, err)
				}
				if *n != thirds+2 {
					t.Errorf("%d thirds: %d exchanges", thirds, *n)
				}
				expect(t, name, want, 0o644)
			}
		})
	}
}

// Whoever opened the file before the exchange and writes it afterwards writes the file,
// and not what has lost its name.
func TestRewriteWhileItIsOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells that a file is open for writing")
	}
	exchanges(t)
	for _, flag := range []int{0, os.O_TRUNC} {
		name := file(t, "old", 0o644)
		var editor *os.File
		atExchange(t, func() {
			var err error
			if editor, err = os.OpenFile(name, os.O_WRONLY|flag, 0); err != nil {
				t.Fatal(err)
			}
		}, func() {
			// The file goes back, and the editor is waited for.
			go func() {
				editor.WriteString("theirs")
				editor.Close()
			}()
		})
		before, _, err := RewriteFile(name, 0, upper)
		if string(before) != "theirs" || err != nil {
			t.Errorf("%q, %v", before, err)
		}
		expect(t, name, "THEIRS", 0o644)
	}
}

// A disk that does not exchange files has them renamed; other errors leave all as it was.
func TestPutWithoutExchange(t *testing.T) {
	for _, fault := range []error{errors.ErrUnsupported, os.ErrPermission} {
		name, want := file(t, "old", 0o604), "new"
		real := exchange
		exchange = func(*newfile.File) error { return fmt.Errorf("exchange: %w", fault) }
		err := PutFile(name, []byte("old"), []byte("new"))
		exchange = real
		if fault == os.ErrPermission {
			want = "old"
		} else {
			fault = nil
		}
		if !errors.Is(err, fault) {
			t.Errorf("%v, want %v", err, fault)
		}
		expect(t, name, want, 0o604)
	}
}

// What came out and cannot go back is kept, and its name is said.
func TestPutCannotGoBack(t *testing.T) {
	exchanges(t)
	name := file(t, "old", 0o644)
	real, n := exchange, 0
	defer func() { exchange = real }()
	exchange = func(f *newfile.File) error {
		if n++; n > 1 {
			return os.ErrPermission
		}
		over(t, name, "theirs")
		return real(f)
	}
	err := PutFile(name, []byte("old"), []byte("new"))
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".*"))
	if len(left) != 1 || err == nil || !strings.Contains(err.Error(), left[0]) {
		t.Fatalf("%v, left %q", err, left)
	}
	if data, err := os.ReadFile(left[0]); string(data) != "theirs" {
		t.Errorf("%q, %v", data, err)
	}
}

// Nothing that several write into one file at once is lost, from the first on, which makes it.
func TestRewriteAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.txt")
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			_, _, err := RewriteFile(name, 0o644, func(old []byte) ([]byte, error) { return fmt.Appendln(old, i), nil })
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	data, err := os.ReadFile(name)
	if lines := strings.Fields(string(data)); err != nil || len(lines) != 30 {
		t.Errorf("%d lines of 30, %v", len(lines), err)
	}
}
