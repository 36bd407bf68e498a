package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/tui/cli/runner"
)

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "out.json")
	for _, text := range []string{"first, which is long", "second", "second", ""} {
		require.NoError(t, runner.WriteFile(name, []byte(text)))
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
	}
	if err := runner.WriteFile(dir, nil); err == nil || !strings.HasSuffix(err.Error(), "is a directory") {
		t.Error(err)
	}
	if _, err := os.Stat("/dev/null"); err == nil {
		if err := runner.WriteFile("/dev/null", []byte("gone")); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
			t.Error("a device is replaced")
		}
	}
}

// TestWriteOwnFile: the user alone may read the file, whatever its mode was before.
func TestWriteOwnFile(t *testing.T) {
	t.Parallel()
	if os.PathSeparator != '/' {
		t.Skip("modes are those of Unix")
	}
	for _, before := range []os.FileMode{0, 0o644, 0o664, 0o600, 0o400} { // 0: there is none
		name := filepath.Join(t.TempDir(), "out.json")
		if before != 0 {
			require.NoError(t, os.WriteFile(name, []byte("old"), 0o600))
			require.NoError(t, os.Chmod(name, before))
		}
		err := runner.WriteOwnFile(name, []byte("new"))
		info, statErr := os.Stat(name)
		if statErr != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%v became %v, %v", before, info.Mode(), statErr)
		}
		if before != 0o400 && err != nil { // which root may write, and others may not
			t.Errorf("%v: %v", before, err)
		}
	}
	if _, err := os.Stat("/dev/null"); err == nil {
		if err := runner.WriteOwnFile("/dev/null", nil); err != nil {
			t.Error(err)
		}
	}
}
