package desk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"caliper/model/require"
)

// TestTmux: within tmux a text goes to tmux and not by OSC 52; a tmux that does not take
// it is no clipboard, so that the file has the text.
func TestTmux(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	dir := t.TempDir()
	got := filepath.Join(dir, "got")
	script := "#!/bin/sh\n[ \"$1 $2 $3\" = 'load-buffer -w -' ] || exit 2\ncat > '" + got + "'\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tmux"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	env := func(name string) string { return map[string]string{"TMUX": "/tmp/tmux", "TERM": "tmux-256color"}[name] }
	c := NewClipper(io.Discard, filepath.Join(dir, "state.json"), env)
	if c.Terminal != nil {
		t.Error("OSC 52 is sent")
	}
	c.Desktop = throughTmux(nil)
	if msg := c.Copy("name", CopyLine, "a tool")().(CopiedMsg); msg.Err != nil || msg.file != "" {
		t.Errorf("%+v", msg)
	}
	if data, _ := os.ReadFile(got); string(data) != "a tool" {
		t.Errorf("tmux has %q", data)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tmux"), []byte("#!/bin/sh\nexit 1\n"), 0o700))
	if msg := c.Copy("name", CopyLine, "a tool")().(CopiedMsg); msg.Err != nil || msg.file == "" {
		t.Errorf("tmux refuses: %+v", msg)
	}
	if err := throughTmux(func(string) error { return nil })("x"); err != nil {
		t.Errorf("the desktop takes it: %v", err)
	}
	if err := throughTmux(func(string) error { return errors.New("none") })("x"); err == nil {
		t.Error("nobody takes it, and that is no error")
	}
}
