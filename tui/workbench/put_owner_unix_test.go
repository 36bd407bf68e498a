//go:build unix

package workbench

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestPutKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	name := file(t, "old", 0o604)
	if err := os.Chown(name, 4711, 4712); err != nil {
		t.Skip(err)
	}
	if err := PutFile(name, []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	expect(t, name, "new", 0o604)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 4711 || s.Gid != 4712 {
		t.Errorf("owner %d:%d", s.Uid, s.Gid)
	}
}

// A FIFO is refused: whoever reads it waits for a writer, and whoever writes over it
// makes it a file.
func TestFIFO(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config.yaml")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	_, read := ReadFile(name)
	_, _, rewritten := RewriteFile(name, 0o600, upper)
	for what, err := range map[string]error{"Read": read, "Put": PutFile(name, nil, []byte("new")), "Rewrite": rewritten} {
		if !errors.Is(err, errNotFile) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("%v, %v", info, err)
	}
}
