// Package shortpath gives tests whose screens show paths a folder whose path is short and
// has no blank, whatever TMPDIR is: a longer one is cut or wrapped on a screen.
package shortpath

import (
	"os"
	"testing"
)

// Folder returns a new folder below /tmp, which goes with the test. On a machine without
// /tmp it is the test's own.
func Folder(t testing.TB) string {
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
