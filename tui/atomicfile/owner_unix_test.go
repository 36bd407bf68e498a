//go:build unix

package atomicfile

import (
	"os"
	"syscall"
	"testing"
)

func TestReplaceKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	name := file(t, "old", 0o604)
	if err := os.Chown(name, 4711, 4712); err != nil {
		t.Skip(err)
	}
	if err := Replace(name, []byte("old"), []byte("new")); err != nil {
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
