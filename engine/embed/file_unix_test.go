//go:build unix

package embed

import (
	"os"
	"strings"
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

// TestSaveTooLarge: an index that would not be read again is not written. Its memory is never touched.
func TestSaveTooLarge(t *testing.T) {
	data, err := syscall.Mmap(-1, 0, maxFile+1, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Munmap(data)
	path := t.TempDir() + "/index"
	if err := save(path, data); err == nil || !strings.HasSuffix(err.Error(), "1073741825 bytes, more than 1073741824") {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("it was written: %v", err)
	}
}
