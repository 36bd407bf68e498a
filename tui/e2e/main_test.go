//go:build unix

// Package e2e tests the program as its users meet it: the real binary, built
// once, in a pseudo-terminal with a terminal emulator on the other side.
//
// Goals:
//   - what only the whole can break: start-up, reload of real files, signals,
//     modes of the terminal, exit codes, files left on disk
//   - nothing is timed by guessing: a test waits for what the screen must show,
//     and a key is sent when the one before it was read
//   - every process is gone when its test ends
//
// Non-goals: what a pane draws, which package tui tests without a process, and
// the commands, which package cli tests. Tests hold on to facts (names of
// tools, words of verdicts, counts) and leave wording and colours alone.
package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// binary is the program under test.
var binary string

// atOnce is how many tests run at once: they wait most of the time, so more
// than there are processors.
const atOnce = "8"

func TestMain(m *testing.M) {
	if os.Getenv(editorSwitch) != "" {
		os.Exit(edit(os.Args[1:]))
	}
	if started := os.Getenv(startedSwitch); started != "" {
		os.Exit(serveTools(started))
	}
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", atOnce)
	}
	os.Exit(run(m))
}

// run builds the program, with the race detector when the tests have it, and
// runs the tests.
func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "caliper-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	binary = filepath.Join(folder, "caliper")
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", binary} // as a release is, which takes less time
	if raceEnabled {
		args = append(args, "-race")
	}
	out, err := exec.Command("go", append(args, "caliper")...).CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}
