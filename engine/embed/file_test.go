package embed

import (
	"bytes"
	"errors"
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
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 2 || entries[0].Name() != lockName || entries[1].Name() != "index" {
		t.Errorf("there are %v", entries)
	}
}

// The next start takes away what killed processes left, and nothing else.
// While somebody writes it must be old, for it could be theirs.
func TestOpenSweeps(t *testing.T) {
	old := time.Now().Add(-2 * abandoned)
	for name, left := range map[string]bool{
		".index123": true, ".index9223372036854775807": true,
		".index": false, ".indexer": false, ".index12x": false, "index123": false, ".other1": false, "other": false,
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, "index")
		swept := func(written time.Time, writing bool) bool {
			file := filepath.Join(folder, name)
			if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chtimes(file, written, written)); err != nil {
				t.Fatal(err)
			}
			if writing {
				release, _ := lock(folder, false)
				defer release()
			}
			mustOpen(t, newFake(2), some(3), path)
			_, err := os.Stat(file)
			return err != nil
		}
		if swept(old, true) != left || swept(old, false) != left {
			t.Errorf("%s, old: want it swept: %t", name, left)
		}
		if swept(time.Now(), true) {
			t.Errorf("%s is swept while somebody writes", name)
		}
		release, locks := lock(folder, true)
		release()
		if got := swept(time.Now(), false); got != (left && locks) {
			t.Errorf("%s, young: swept: %t", name, got)
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
