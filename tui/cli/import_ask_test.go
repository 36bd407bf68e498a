//go:build unix

package cli

import (
	"bytes"
	"caliper/tui/cli/runner"
	"errors"
	"os"
	"os/exec"
	"testing"
)

// brokenPipe returns the end of a pipe that nobody reads.
func brokenPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

// A process whose standard error is gone ends as one that was interrupted, and
// not by the signal, which would leave it no time to end its servers.
func TestStandardErrorIsGone(t *testing.T) {
	t.Parallel()
	caliper, err := exec.LookPath("caliper") // of the scripts
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.Command(caliper, "import", "--stdio", "mcpserver mute")
	cmd.Stdout, cmd.Stderr = &out, brokenPipe(t)
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != runner.ExitInterrupted || out.Len() > 0 {
		t.Errorf("ended with %v, %s", err, out.String())
	}
}
