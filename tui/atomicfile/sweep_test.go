package atomicfile

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// The temporary files of killed replacements go with the next one; those of
// running ones and files of other names stay.
func TestSweep(t *testing.T) {
	folder := t.TempDir()
	write := func(name string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("a"), 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-2 * young)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		return path
	}
	target := write("c.yaml")
	for _, name := range []string{".c.yaml123", ".c.yaml9", ".c.yaml", ".c.yaml12x", "c.yaml123", ".d.yaml123"} {
		write(name)
	}
	if err := os.Chtimes(write(".c.yaml88"), time.Time{}, time.Now()); err != nil { // may not be locked yet
		t.Fatal(err)
	}
	running := flock.New(write(".c.yaml777"))
	defer running.Close()
	if ok, err := running.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := os.Mkdir(filepath.Join(folder, ".c.yaml55"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Replace(target, []byte("a"), []byte("b")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{".c.yaml", ".c.yaml12x", ".c.yaml55", ".c.yaml777", ".c.yaml88", ".d.yaml123", "c.yaml", "c.yaml123"}; !slices.Equal(names, want) {
		t.Errorf("left %q, want %q", names, want)
	}
}

// A file that a sweep removed before it was locked does not come back empty.
func TestHoldMakesNoFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), ".c.yaml123")
	defer hold(name)()
	if _, err := os.Lstat(name); !os.IsNotExist(err) {
		t.Errorf("there is a file: %v", err)
	}
}
