package workbench

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
)

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
