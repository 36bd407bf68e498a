package cli

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"caliper/tui/atomicfile"
)

// upper is a change that can be seen.
func upper(data []byte) ([]byte, error) { return []byte(strings.ToUpper(string(data))), nil }

// What keeps a file from being written is told with its name.
func TestRewriteGivesUp(t *testing.T) {
	t.Parallel()
	name := write(t, "config.yaml", "first")
	always := func(path string, old, _ []byte) error {
		return &atomicfile.ChangedError{Path: path, Data: append(old, 'x')}
	}
	var inputs inputErrors
	if _, _, err := rewrite(name, always, upper); !errors.As(err, &inputs) || !strings.HasSuffix(err.Error(), "config.yaml: somebody else writes it all the time") {
		t.Errorf("%v", err)
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
