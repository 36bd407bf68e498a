//go:build unix

package embed

import (
	"os"
	"syscall"
	"testing"
)

// TestOpenPipe would wait for ever if a pipe were opened.
func TestOpenPipe(t *testing.T) {
	f, path, tools := newFake(2), t.TempDir()+"/index", some(2)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if v := mustOpen(t, f, tools, path); v.Rebuilt == nil {
		t.Error("a pipe was read")
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		t.Errorf("it was not replaced: %v", err)
	}
}
