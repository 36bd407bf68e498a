package embed

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"caliper/model/require"
)

func TestSaveModes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "index")
	for range 2 { // new, and replaced
		require.NoError(t, save(path, []byte("x")))
		for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700, filepath.Dir(filepath.Dir(path)): 0o700} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s has mode %v: %v", name, info.Mode(), err)
			}
		}
		require.NoError(t, os.Chmod(path, 0o666))
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 || entries[0].Name() != "index" {
		t.Errorf("there are %v", entries)
	}
}

// The next start takes away what killed processes left, and nothing else.
func TestOpenSweeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	left, theirs := filepath.Join(filepath.Dir(path), ".index.caliper-123"), filepath.Join(filepath.Dir(path), ".index123")
	for _, name := range []string{left, theirs} {
		require.NoError(t, errors.Join(os.WriteFile(name, nil, 0o600), os.Chtimes(name, time.Time{}, time.Unix(1, 0))))
	}
	mustOpen(t, newFake(2), some(3), path)
	if _, err := os.Stat(left); err == nil {
		t.Error("an unfinished file is left")
	}
	if _, err := os.Stat(theirs); err != nil {
		t.Error(err)
	}
}

// TestOpenBesideAnUnfinishedFile has every part of a new index that a killed
// process can have left beside the old one.
func TestOpenBesideAnUnfinishedFile(t *testing.T) {
	f, path, tools := newFake(2), indexPath(t), some(3)
	mustOpen(t, f, tools[:2], path)
	old, _ := os.ReadFile(path)
	mustOpen(t, f, tools, path)
	fresh, _ := os.ReadFile(path)
	require.NoError(t, os.WriteFile(path, old, 0o600))
	for n := range len(fresh) + 1 {
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), ".index.vectors.caliper-123"), fresh[:n], 0o600))
		f.taken()
		if v := mustOpen(t, f, tools[:2], path); v.Rebuilt != nil || len(f.taken()) != 0 {
			t.Fatalf("after %d bytes: %v", n, v.Rebuilt)
		}
	}
	mustOpen(t, f, tools, path)
	if now, _ := os.ReadFile(path); !bytes.Equal(now, fresh) {
		t.Error("the next write is not the new index")
	}
}
