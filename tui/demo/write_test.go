package demo

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"caliper/model/require"
	"caliper/watch"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	// Twice: the second time over what a user has made of the first.
	for range 2 {
		p, err := Write(dir)
		require.NoError(t, err)
		files := Files(dir)
		if !slices.ContainsFunc(files, func(f watch.File) bool { return f.Name == p.Registry && bytes.Equal(f.Data, Registry()) }) {
			t.Errorf("no registry at %s", p.Registry)
		}
		for _, f := range files {
			got, err := os.ReadFile(f.Name)
			require.NoError(t, err)
			if !bytes.Equal(got, f.Data) {
				t.Errorf("%s: %d bytes that differ from the %d of the demo", f.Name, len(got), len(f.Data))
			}
			require.NoError(t, os.WriteFile(f.Name, []byte("edited"), 0o644))
		}
		var found []string
		if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				found = append(found, path)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if len(found) != len(files) || len(files) != 10 {
			t.Errorf("left behind: %v", found)
		}
	}
}

func TestWriteWithoutFolder(t *testing.T) {
	p, err := Write(filepath.Join(t.TempDir(), "absent"))
	if !errors.Is(err, fs.ErrNotExist) || !reflect.DeepEqual(p, Paths{}) {
		t.Errorf("got %v, %v", p, err)
	}
}

// A folder stands where a file should, before which others were written.
func TestWriteIsBlocked(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ConfigFile, "x"), 0o755))
	if _, err := Write(dir); err == nil {
		t.Fatal("no error")
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	if len(entries) != 3 || entries[0].Name() != ConfigFile || entries[1].Name() != QueriesFile {
		t.Errorf("left behind: %v", entries)
	}
}
