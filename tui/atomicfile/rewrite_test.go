package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// upper is a change that can be seen.
func upper(data []byte) ([]byte, error) { return []byte(strings.ToUpper(string(data))), nil }

// A file that somebody else changes between the look and the write is changed
// as they left it, and so is one that somebody else makes.
func TestRewriteAgain(t *testing.T) {
	for _, old := range []string{"first", "missing"} {
		name := file(t, old, 0o644)
		look := []byte(old)
		if old == "missing" {
			look = nil
		}
		tries := 0
		replace := func(path string, old, new []byte) error {
			if tries++; tries == 1 {
				if err := os.WriteFile(path, []byte("second"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			return Put(path, old, new)
		}
		before, after, err := Rewrite(name, look, replace, func(data []byte) ([]byte, error) { return upper(append(data, '!')) })
		if err != nil || string(before) != "second" || string(after) != "SECOND!" || tries != 2 {
			t.Errorf("%s: %q to %q in %d tries, %v", old, before, after, tries, err)
		}
		expect(t, name, "SECOND!", 0o644)
	}
}

func TestRewriteGivesUp(t *testing.T) {
	tries := 0
	always := func(path string, old, _ []byte) error {
		tries++
		return &ChangedError{Path: path, Data: append(old, 'x')}
	}
	if _, _, err := Rewrite("a", []byte("first"), always, upper); !errors.Is(err, ErrBusy) || tries != attempts {
		t.Errorf("%v after %d tries", err, tries)
	}
	never := func(string, []byte, []byte) error { return fs.ErrPermission }
	if _, _, err := Rewrite("a", []byte("first"), never, upper); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
	same := func(data []byte) ([]byte, error) { return data, nil }
	if _, _, err := Rewrite("a", []byte("first"), never, same); err != nil {
		t.Errorf("nothing to write: %v", err)
	}
	refuse := func([]byte) ([]byte, error) { return nil, fs.ErrInvalid }
	if _, _, err := Rewrite("a", []byte("first"), never, refuse); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no change: %v", err)
	}
}

func TestPut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "q.jsonl")
	if err := Put(name, nil, []byte("one")); err != nil {
		t.Fatal(err)
	}
	var changed *ChangedError
	if err := Put(name, nil, []byte("two")); !errors.As(err, &changed) || string(changed.Data) != "one" {
		t.Errorf("over a file that was missing: %v", err)
	}
	if err := Put(name, []byte("one"), []byte("two")); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != "two" {
		t.Errorf("%q, %v", data, err)
	}
	if err := Put(filepath.Join(name, "nowhere"), nil, nil); err == nil {
		t.Error("a file was made below a file")
	}
}
