//go:build unix

package e2e

import (
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"

	"caliper/model/require"
)

// TestNoTerminal runs the program where its input is no terminal: it prints a summary on the
// terminal, and asks that nothing.
func TestNoTerminal(t *testing.T) {
	t.Parallel()
	master, slave, err := pty.Open()
	require.NoError(t, err)
	defer master.Close()
	require.NoError(t, pty.Setsize(slave, &pty.Winsize{Cols: 120, Rows: 36}))
	cmd := exec.CommandContext(t.Context(), binary)
	cmd.Env, cmd.Stdout = environment(t, t.TempDir()), slave
	read := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(master) // until nobody can write to it
		read <- string(all)
	}()
	require.NoError(t, cmd.Run())
	slave.Close()
	text := sgr.ReplaceAllString(strings.ReplaceAll(<-read, "\r\n", "\n"), "") // bold is fine there
	for _, want := range []string{"192 tools", "default", "kanban-worker", "33,056"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
		t.Errorf("a control character: %q", text)
	}
}
