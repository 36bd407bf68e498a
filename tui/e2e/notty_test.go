//go:build unix

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"

	"caliper/model/require"
)

// TestNoTerminal runs the program where the explorer cannot be: it prints a
// summary, and asks the terminal nothing.
func TestNoTerminal(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name          string
		stdin, stdout bool // is a terminal
		env           []string
	}{
		{name: "stdout is a pipe", stdin: true},
		{name: "stdin is not a terminal", stdout: true},
		{name: "neither"},
		{name: "neither, colours forced", env: []string{"CLICOLOR_FORCE=1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			master, slave, err := pty.Open()
			require.NoError(t, err)
			defer master.Close()
			defer slave.Close()
			require.NoError(t, pty.Setsize(slave, &pty.Winsize{Cols: 120, Rows: 36}))
			cmd := exec.CommandContext(t.Context(), binary)
			cmd.Env = append(environment(t, t.TempDir()), tt.env...)
			cmd.WaitDelay = patience
			var piped, errors bytes.Buffer
			cmd.Stderr = &errors
			if tt.stdin {
				cmd.Stdin = slave
			}
			read := make(chan string, 1)
			if tt.stdout {
				cmd.Stdout = slave
				go func() { read <- readAll(master) }()
			} else {
				cmd.Stdout = &piped
			}
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s%s", err, &piped, &errors)
			}
			text := piped.String()
			if tt.stdout {
				slave.Close()
				text = sgr.ReplaceAllString(strings.ReplaceAll(<-read, "\r\n", "\n"), "") // bold is fine there
			}
			for _, want := range []string{"192 tools", "default", "kanban-worker", "33,056"} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }); i >= 0 {
				t.Errorf("a control character: %q", text[max(0, i-20):min(len(text), i+20)])
			}
			if errors.Len() > 0 {
				t.Errorf("said %q", &errors)
			}
		})
	}
}

// readAll reads a terminal until nobody can write to it.
func readAll(file *os.File) string {
	var all bytes.Buffer
	_, _ = all.ReadFrom(file)
	return all.String()
}
