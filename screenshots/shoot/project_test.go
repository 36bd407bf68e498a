package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"caliper/tui/picture/ansi"
)

// TestScenesAreAsStored plays all of the project's scenes with the program as it is now and
// compares the screens with the pictures' text. They wait more than they work: for what the screen
// must show, first of all for the welcome to go.
func TestScenesAreAsStored(t *testing.T) {
	t.Parallel()
	scenes, err := loadScenes("../scenes", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := missing(true, false); err != nil {
		t.Skipf("%d scenes are not played: %v", len(scenes), err)
	}
	if testing.Short() {
		t.Skipf("%d scenes are not played: -short", len(scenes))
	}
	seeSources(t)
	program := filepath.Join(t.TempDir(), "caliper")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "caliper").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	args := []string{"-check", "-program", program, "-scenes", "../scenes", "-out", ".."}
	var log bytes.Buffer
	if err := run(t.Context(), args, &log, &log); err != nil {
		t.Errorf("%v\n%s\ngo run ./screenshots/shoot takes the pictures again", err, log.String())
	}
}

// TestMasksTakeAnyDuration draws the lines of scenes that hold a duration as they are on a fast and
// on a slow machine: masked, they are the same.
func TestMasksTakeAnyDuration(t *testing.T) {
	const reloaded = "warning: config reloaded · search is now OFF in default, support-desk · in %s esc hide"
	for _, tt := range []struct {
		scene, line string
		durations   []string
	}{
		{"demo", reloaded, []string{"1ms", "12ms", "999ms", "1.2s", "20.123s", "1m0.5s"}},
		{"demo", "config reloaded · in %s", []string{"1ms", "12ms", "999ms", "1.2s", "20.123s", "1m0.5s"}},
		{"tune", reloaded, []string{"1ms", "12ms", "999ms", "1.2s", "20.123s", "1m0.5s"}},
		{"agents", "5 hits  1,220 tok  %s  harbour-agent, default", []string{"0.3 ms", "12.3 ms", "123 ms"}},
		{"strategies", "eager  33,056  in  0  %10s  same", []string{"0.04 ms", "7.12 ms", "12.3 ms", "123 ms", "20123 ms"}},
	} {
		t.Run(tt.scene, func(t *testing.T) {
			scenes, err := loadScenes("../scenes", []string{tt.scene})
			if err != nil {
				t.Fatal(err)
			}
			first := ""
			for _, d := range tt.durations {
				g := ansi.Parse(fmt.Appendf(nil, tt.line, d), 120, 1)
				for _, m := range scenes[0].Masks {
					if err := g.Mask(m.Pattern, m.Replacement); err != nil {
						t.Fatalf("%s: %v", d, err)
					}
				}
				if first == "" {
					first = g.String()
				}
				if got := g.String(); got != first || strings.Contains(got, d) {
					t.Errorf("%s: %q, but of %s: %q", d, got, tt.durations[0], first)
				}
			}
		})
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
