package stage

import (
	"os"
	"testing"
)

// ShortFolder returns a new folder below /tmp, which goes with the test: a longer path, or
// one with a blank, is cut or wrapped on a screen. On a machine without /tmp it is the test's own.
func ShortFolder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "caliper-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}
