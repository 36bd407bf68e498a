package main

import (
	"bytes"
	"flag"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// TestScenesAreAsStored plays the project's scenes with the program as it is now and compares the
// screens with the pictures' text: one scene of about a second, all of them with -slow.
func TestScenesAreAsStored(t *testing.T) {
	t.Parallel()
	if err := missing(true, false); err != nil {
		t.Skip(err)
	}
	seeSources(t)
	program := filepath.Join(t.TempDir(), "caliper")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "caliper").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	args := []string{"-check", "-program", program, "-scenes", "../scenes", "-out", ".."}
	if !*slow {
		args = append(args, "stale")
	}
	var log bytes.Buffer
	if err := run(t.Context(), args, &log, &log); err != nil {
		t.Errorf("%v\n%s\ngo run ./screenshots/shoot takes the pictures again", err, log.String())
	}
}

// seeSources reads the folders of the program's sources. So they count as what the test depends
// on, and go test runs it again when one has changed: the build is out of its sight.
func seeSources(t *testing.T) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && path != root && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata") {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
