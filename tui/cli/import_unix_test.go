//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"caliper/model/require"
	"caliper/tui/cli/runner"
)

func init() {
	leaveSession = func(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
}

// Whatever ends caliper in the middle, a server that ignores signals and its
// child are ended first, on Linux even one in a session of its own.
func TestInterruptedImportLeavesNoProcess(t *testing.T) {
	caliper, err := exec.LookPath("caliper") // of the scripts
	require.NoError(t, err)
	for name, signals := range map[string][]syscall.Signal{
		"interrupt": {syscall.SIGINT}, "twice": {syscall.SIGINT, syscall.SIGINT, syscall.SIGTERM},
		"terminate": {syscall.SIGTERM}, "hang up": {syscall.SIGHUP}, "quit": {syscall.SIGQUIT},
		"kill": {syscall.SIGKILL},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tether, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			defer tether.Close()
			server := "mcpserver hold " + tether.Addr().String()
			if runtime.GOOS == "linux" {
				server += " apart"
			}
			cmd := exec.Command(caliper, "import", "--stdio", server)
			require.NoError(t, cmd.Start())
			defer func() { _ = cmd.Process.Kill() }()
			var held []net.Conn
			for range 2 { // the server and its child
				c, err := tether.Accept()
				require.NoError(t, err)
				defer c.Close()
				if _, err := bufio.NewReader(c).ReadString('\n'); err != nil {
					t.Fatal(err)
				}
				held = append(held, c)
			}
			for _, s := range signals {
				require.NoError(t, cmd.Process.Signal(s))
			}
			want := runner.ExitInterrupted
			if name == "kill" {
				want = -1
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != want {
				t.Errorf("ended with %v", err)
			}
			for _, c := range held {
				require.NoError(t, c.SetReadDeadline(time.Now().Add(30*time.Second)))
				if _, err := io.Copy(io.Discard, c); err != nil && !errors.Is(err, syscall.ECONNRESET) {
					t.Error("a process was left behind")
				}
			}
		})
	}
}

// brokenPipe returns the end of a pipe that nobody reads.
func brokenPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

// A process whose standard error is gone ends as one that was interrupted, and
// not by the signal, which would leave it no time to end its servers.
func TestStandardErrorIsGone(t *testing.T) {
	t.Parallel()
	caliper, err := exec.LookPath("caliper") // of the scripts
	require.NoError(t, err)
	var out bytes.Buffer
	cmd := exec.Command(caliper, "import", "--stdio", "mcpserver mute")
	cmd.Stdout, cmd.Stderr = &out, brokenPipe(t)
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != runner.ExitInterrupted || out.Len() > 0 {
		t.Errorf("ended with %v, %s", err, out.String())
	}
}
