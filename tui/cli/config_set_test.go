package cli

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"caliper/tui/atomicfile"
)

// upper is a change that can be seen.
func upper(data []byte) ([]byte, error) { return []byte(strings.ToUpper(string(data))), nil }

// A file that somebody else changes between the look and the write is looked
// at again.
func TestRewriteAgain(t *testing.T) {
	t.Parallel()
	name := write(t, "config.yaml", "first")
	tries := 0
	replace := func(path string, old, new []byte) error {
		if tries++; tries == 1 {
			if err := os.WriteFile(path, []byte("second"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return atomicfile.Replace(path, old, new)
	}
	old, changed, err := rewrite(name, replace, upper)
	if err != nil || string(old) != "second" || string(changed) != "SECOND" || tries != 2 {
		t.Errorf("%q to %q in %d tries, %v", old, changed, tries, err)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != "SECOND" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestRewriteGivesUp(t *testing.T) {
	t.Parallel()
	name := write(t, "config.yaml", "first")
	tries := 0
	always := func(path string, old, _ []byte) error {
		tries++
		return &atomicfile.ChangedError{Path: path, Data: append(old, 'x')}
	}
	var inputs inputErrors
	if _, _, err := rewrite(name, always, upper); !errors.As(err, &inputs) || tries != maxRewrites {
		t.Errorf("%v after %d tries", err, tries)
	}
	never := func(path string, _, _ []byte) error {
		return &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	if _, _, err := rewrite(name, never, upper); err == nil || !strings.HasSuffix(err.Error(), "config.yaml: permission denied") {
		t.Errorf("%v", err)
	}
	same := func(data []byte) ([]byte, error) { return data, nil }
	if _, _, err := rewrite(name, never, same); err != nil {
		t.Errorf("nothing to write: %v", err)
	}
}
