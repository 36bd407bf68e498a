//go:build unix

package live

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"caliper/model/require"
)

func TestFindCommand(t *testing.T) {
	folder := t.TempDir()
	for name, mode := range map[string]os.FileMode{"runs": 0o755, "plain": 0o644} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, mode))
	}
	require.NoError(t, os.Mkdir(filepath.Join(folder, "folder"), 0o755))
	t.Chdir(folder)
	for _, c := range []struct{ command, path, want string }{
		{"runs", "/no/such:" + folder, filepath.Join(folder, "runs")},
		{"./runs", "", "./runs"},
		{"runs", ".", ""}, // never of the folder one is in
		{"runs", "", ""},
		{"plain", folder, ""},
		{"folder", folder, ""},
	} {
		got, err := findCommand(c.command, []string{"PATH=/other", "PATH=" + c.path})
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s in %q: %q, %v", c.command, c.path, got, err)
		}
	}
}

// The watchdog ends a group when the pipe to it is closed, and no group once it
// is dismissed.
func TestWatchdogIsDismissed(t *testing.T) {
	w := newTether(t)
	s := w.child("silent")
	p, err := startProcess(s.hidden(), nil, false, redactor{}, newLines(redactor{}, 1<<20).readAll)
	require.NoError(t, err)
	p.keeper.dismiss()
	select {
	case <-w.ended:
		t.Error("the server was ended")
	default:
	}
	p.keeper.(*group).dog = func() {}
	p.end(true)
	if got := p.exit(); got != "it closed its output" && !strings.HasPrefix(got, "exit status") {
		t.Errorf("ended with %q", got)
	}
}

// A pipe is never opened: nobody may ever write to it.
func TestPipe(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(home, ".mcp.json"), 0o600); err != nil {
		t.Skip(err)
	}
	put(t, home, ".cursor/mcp.json", one)
	want := ".mcp.json : not a regular file\n.cursor/mcp.json cursor one\n"
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // for a Find that opens it
	defer cancel()
	if got := described(home, FindClients(ctx, ClientPlaces{Home: home})); got != want {
		t.Errorf("found\n%swant\n%s", got, want)
	}
}

// escape makes a command leave the process group of its parent.
func escape(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
