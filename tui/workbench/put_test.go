package workbench

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"caliper/model/require"
)

// file writes a file into a folder of its own.
func file(t *testing.T, content string, mode fs.FileMode) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(name, []byte(content), mode))
	if err := os.Chmod(name, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
	return name
}

// expect checks what a file has, and that it is alone in its folder.
func expect(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil || string(data) != content {
		t.Errorf("%q, %v, want %q", data, err, content)
	}
	info, err := os.Lstat(name)
	if err != nil || info.Mode() != mode {
		t.Errorf("mode %v, %v, want %v", info.Mode(), err, mode)
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v, want one file", entries, err)
	}
}

func TestPutKeepsTheMode(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o666, 0o751} {
		name := file(t, "old", mode)
		require.NoError(t, PutFile(name, []byte("old"), []byte("new and longer")))
		expect(t, name, "new and longer", mode)
	}
}

func TestPutThroughLinks(t *testing.T) {
	name := file(t, "old", 0o640)
	folder := t.TempDir()
	near, far := filepath.Join(folder, "near"), filepath.Join(folder, "far")
	require.NoError(t, errors.Join(os.Symlink(name, near), os.Symlink("near", far)))
	require.NoError(t, PutFile(far, []byte("old"), []byte("new")))
	expect(t, name, "new", 0o640)
	for link, want := range map[string]string{near: name, far: "near"} {
		if got, err := os.Readlink(link); err != nil || got != want {
			t.Errorf("%s leads to %s, %v", link, got, err)
		}
	}
}

func TestPutRefusesWhatHasChanged(t *testing.T) {
	name := file(t, "theirs", 0o644)
	err := PutFile(name, []byte("old"), []byte("new"))
	var changed *ChangedError
	if !errors.As(err, &changed) || changed.Path != name || string(changed.Data) != "theirs" {
		t.Errorf("%v", err)
	}
	if want := name + ": changed by somebody else meanwhile"; err.Error() != want {
		t.Errorf("%q", err)
	}
	expect(t, name, "theirs", 0o644)
}

func TestPutMakesAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "q.jsonl")
	require.NoError(t, PutFile(name, nil, []byte("one")))
	expect(t, name, "one", 0o644)
	var changed *ChangedError
	if err := PutFile(name, nil, []byte("two")); !errors.As(err, &changed) || string(changed.Data) != "one" {
		t.Errorf("over a file that was missing: %v", err)
	}
}

func TestPutRefuses(t *testing.T) {
	folder := t.TempDir()
	if err := PutFile(filepath.Join(folder, "gone"), []byte("old"), []byte("new")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := PutFile(folder, nil, []byte("new")); err == nil {
		t.Error("a folder was replaced")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("%v %v", entries, err)
	}
	if os.Geteuid() == 0 {
		return // root may write everything
	}
	name := file(t, "old", 0o444)
	if err := PutFile(name, []byte("old"), []byte("new")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a file that is read only: %v", err)
	}
	expect(t, name, "old", 0o444)
}
