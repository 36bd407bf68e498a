//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"caliper/model/require"
	"caliper/tui/workbench"
)

// A FIFO in a folder of dumps is no dump: a read of it would never end.
func TestFolderWithoutItsFIFOs(t *testing.T) {
	folder := t.TempDir()
	dump := filepath.Join(folder, "b.json")
	require.NoError(t, os.WriteFile(dump, []byte(`[]`), 0o600))
	if err := syscall.Mkfifo(filepath.Join(folder, "a.json"), 0o600); err != nil {
		t.Skip(err)
	}
	if got, _, err := workbench.NamesIn(folder, workbench.RegistryFile); err != nil || !slices.Equal(got, []string{dump}) {
		t.Errorf("files are %q, %v", got, err)
	}
}
