//go:build unix

package workbench

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"caliper/engine/skills"
	"caliper/model/require"
)

func TestPutKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	name := file(t, "old", 0o604)
	if err := os.Chown(name, 4711, 4712); err != nil {
		t.Skip(err)
	}
	require.NoError(t, PutFile(name, []byte("old"), []byte("new")))
	expect(t, name, "new", 0o604)
	info, err := os.Stat(name)
	require.NoError(t, err)
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

// A SKILL.md that is a FIFO, a device or larger than a skill is refused, not read; the skills beside it are read.
func TestSkillsThatAreNoFiles(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"fifo", "device", "large", "whole"} {
		require.NoError(t, os.Mkdir(filepath.Join(folder, name), 0o700))
	}
	at := func(name string) string { return filepath.Join(folder, name, skills.File) }
	for _, err := range []error{syscall.Mkfifo(at("fifo"), 0o600), os.Symlink("/dev/zero", at("device")),
		os.WriteFile(at("large"), make([]byte, skills.MaxSize+1), 0o600), os.WriteFile(at("whole"), []byte(ovenSkill), 0o600)} {
		if err != nil {
			t.Skip(err)
		}
	}
	files, err := ReadRegistry(folder)
	if err != nil || len(files) != 4 {
		t.Fatalf("%v, %v", files, err)
	}
	for i, want := range []error{errNotFile, errNotFile, errLargeSkill, nil} {
		if f := files[i]; !errors.Is(f.Err, want) || (want == nil) != (f.Err == nil) || len(f.Data) > 0 && want != nil {
			t.Errorf("%s: %v, want %v", f.Name, f.Err, want)
		}
	}
}
