package workbench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"caliper/model/newfile"
	"caliper/model/require"
)

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
