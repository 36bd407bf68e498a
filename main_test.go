package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// The tests start this test binary again as caliper itself.
const asCaliper = "CALIPER_TEST_AS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asCaliper) != "" {
		main()
	}
	os.Exit(m.Run())
}

// caliper returns a command that runs main with arguments.
func caliper(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	// Under the race detector the process would linger for a second.
	cmd.Env = []string{asCaliper + "=1", "GORACE=atexit_sleep_ms=0", "TERM=xterm-256color", "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	return cmd
}

func TestWithoutTerminal(t *testing.T) {
	cmd := caliper(t)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 || !strings.HasPrefix(string(out), "caliper  a workbench") || bytes.ContainsRune(out, '\x1b') {
		t.Errorf("%v, %q, %q", err, out, &complaints)
	}
}

// The exit code of every outcome leaves the process.
func TestExitCodes(t *testing.T) {
	for want, args := range map[int][]string{
		0: {"search", "open a change"},
		1: {"search", "zzzz"},
		2: {"--no-such-flag"},
	} {
		cmd := caliper(t, args...)
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%q: exit code %d, want %d", args, got, want)
		}
	}
}

func TestInterrupt(t *testing.T) {
	cmd := caliper(t, "search", "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if _, err := in.Write([]byte("open a change\n")); err != nil {
		t.Fatal(err)
	}
	// The answer says that the command is up and waits for the next query.
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"query":"open a change"`) {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
}

// A terminal that never answers a question is not waited for. The library
// that would ask waits five seconds.
func TestMuteTerminal(t *testing.T) {
	cmd := caliper(t, "--help")
	began := time.Now()
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no pty here: %v", err)
	}
	defer tty.Close()
	defer cmd.Process.Kill()
	var got bytes.Buffer
	chunk := make([]byte, 4096)
	for !strings.Contains(got.String(), "Usage") {
		n, err := tty.Read(chunk)
		got.Write(chunk[:n])
		if err != nil {
			t.Fatalf("%v after %q", err, &got)
		}
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the first page took %v: the terminal was asked and waited for", took)
	}
	_ = cmd.Wait()
}

// The program builds without C and runs from anywhere.
func TestBuild(t *testing.T) {
	if !*slow {
		t.Skip("builds the program: -slow")
	}
	bin := filepath.Join(t.TempDir(), "caliper")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(bin, "check", "--json")
	cmd.Dir, cmd.Env = t.TempDir(), []string{}
	if out, err := cmd.Output(); err != nil || !strings.HasPrefix(string(out), "{\n  \"ok\": true,") {
		t.Errorf("%v\n%s", err, out)
	}
}
