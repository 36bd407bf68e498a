package transcript

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"caliper/model/require"
)

// TestSweep: what a killed process left is removed, and nothing else.
func TestSweep(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	if os.TempDir() != temporary {
		t.Skip("the folder for temporary files is not TMPDIR here")
	}
	folderOf := func(name string, mode os.FileMode, files ...string) string {
		folder := filepath.Join(temporary, name)
		require.NoError(t, os.Mkdir(folder, mode))
		for _, f := range files {
			require.NoError(t, os.WriteFile(filepath.Join(folder, f), []byte("x"), 0o600))
		}
		return folder
	}
	killed := folderOf(folderPrefix+"1", 0o700, leaseName, "state.db")
	unlocked := folderOf(folderPrefix+"2", 0o700, "state.db")
	held := folderOf(folderPrefix+"3", 0o700, leaseName, "state.db")
	open := folderOf(folderPrefix+"4", 0o755, leaseName)
	other := folderOf("caliper-other", 0o700, leaseName)
	linked := filepath.Join(temporary, folderPrefix+"5")
	if err := os.Symlink(other, linked); err != nil {
		t.Skip(err)
	}
	lease := flock.New(filepath.Join(held, leaseName))
	if ok, err := lease.TryLock(); err != nil || !ok {
		t.Skip("no locks here", err)
	}
	defer lease.Close()

	exists := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	sweep(temporary, time.Now())
	if !exists(killed) || !exists(unlocked) {
		t.Error("a young folder is removed")
	}
	made, err := newPrivate(time.Now().Add(2 * abandonedAfter))
	require.NoError(t, err)
	for path, want := range map[string]bool{killed: false, unlocked: false, held: true, open: true, other: true, linked: true, made.folder: true} {
		if exists(path) != want {
			t.Errorf("%s: there is %v", filepath.Base(path), exists(path))
		}
	}
	sweep(temporary, time.Now().Add(2*abandonedAfter)) // of another process, later
	if !exists(made.folder) {
		t.Error("a folder in use is removed")
	}
	made.remove()
	if made.remove(); exists(made.folder) {
		t.Error("the folder is left")
	}
}
