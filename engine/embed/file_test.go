package embed

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSaveModes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "index")
	for range 2 { // new, and replaced
		if err := save(path, []byte("x")); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700, filepath.Dir(filepath.Dir(path)): 0o700} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s has mode %v: %v", name, info.Mode(), err)
			}
		}
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("there are %d files", len(entries))
	}
}

func TestSaveSweeps(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "index")
	old := time.Now().Add(-2 * abandoned)
	for name, stays := range map[string]bool{
		".index123": false, ".index9223372036854775807": false,
		".index": true, ".indexer": true, ".index12x": true, "index123": true, ".other1": true, "other": true,
	} {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, old, old); err != nil {
			t.Fatal(err)
		}
		young := filepath.Join(folder, ".index77")
		if err := os.WriteFile(young, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := save(path, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(file); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(young); err != nil {
			t.Errorf("one that may be being written: %v", err)
		}
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
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	for n := range len(fresh) + 1 {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), ".index.vectors123"), fresh[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		f.taken()
		if v := mustOpen(t, f, tools[:2], path); v.Rebuilt() != nil || len(f.taken()) != 0 {
			t.Fatalf("after %d bytes: %v", n, v.Rebuilt())
		}
	}
	mustOpen(t, f, tools, path)
	if now, _ := os.ReadFile(path); !bytes.Equal(now, fresh) {
		t.Error("the next write is not the new index")
	}
}
