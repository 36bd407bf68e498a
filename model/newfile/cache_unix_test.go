//go:build unix

package newfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"caliper/model/require"
)

// TestPipe would wait for ever if a pipe were opened.
func TestPipe(t *testing.T) {
	f, _ := cache(t)
	key := f.KeyOf()
	path := write(t, f, "kind", key, "x")
	require.NoError(t, os.Remove(path))
	if err := syscall.Mkfifo(filepath.Join(f.Path, name("kind", key)), 0o600); err != nil {
		t.Skip(err)
	}
	if f.Read("kind", key) != nil {
		t.Error("a pipe was read")
	}
	if write(t, f, "kind", key, "y"); string(f.Read("kind", key)) != "y" {
		t.Error("the pipe was not replaced")
	}
}
