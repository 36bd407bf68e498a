package background

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"caliper/model/require"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// hang is far above what a start takes and far below the five seconds that
// bubbletea waits for a terminal that does not answer.
const hang = 2 * time.Second

func TestStartInMuteTerminal(t *testing.T) {
	if took := start(t, "./testdata/mute"); took > hang {
		t.Errorf("first output after %v: the terminal was asked and waited for", took)
	}
}

// TestMuteTerminalIsMute shows that the other test can fail.
func TestMuteTerminalIsMute(t *testing.T) {
	if !*slow {
		t.Skip("waits five seconds: -slow")
	}
	if took := start(t, "./testdata/asking"); took < hang {
		t.Errorf("first output after %v without this package: the test terminal proves nothing", took)
	}
}

func TestImportsOnlyLipgloss(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{join .Imports " "}}`, ".").Output()
	require.NoError(t, err)
	got := strings.Fields(string(out))
	if want := []string{"github.com/charmbracelet/lipgloss"}; !slices.Equal(got, want) {
		t.Errorf("imports %v, want %v: an import that is initialised late brings the wait back", got, want)
	}
}

// start builds the command in dir, runs it in a terminal that never answers
// and returns the time to its first line.
func start(t *testing.T, dir string) time.Duration {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "command")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin, dir).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	cmd := exec.Command(bin)
	cmd.Env = []string{"TERM=xterm-256color", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	began := time.Now()
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no pty here: %v", err)
	}
	defer tty.Close()
	defer cmd.Process.Kill()
	if err := tty.SetReadDeadline(began.Add(20 * time.Second)); err != nil && !errors.Is(err, os.ErrNoDeadline) {
		t.Fatal(err)
	}
	var got bytes.Buffer
	chunk := make([]byte, 256)
	for !bytes.Contains(got.Bytes(), []byte("ready")) {
		n, err := tty.Read(chunk)
		got.Write(chunk[:n])
		if err != nil {
			t.Fatalf("read after %q: %v", got.Bytes(), err)
		}
	}
	took := time.Since(began)
	_ = cmd.Wait()
	return took
}
