// Command properties runs the property tests of packages again and again, each
// time with another random seed, and prints every seed that fails with the
// command that repeats the failure.
//
// A property test is a function TestXxx that calls rapid.Check, itself or
// through other functions of its package's tests.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	runs, patterns := 20, []string{"./..."}
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil || n < 1 {
			fmt.Fprintln(os.Stderr, "properties: usage: .ci/properties [RUNS [PACKAGE...]]")
			os.Exit(2)
		}
		runs = n
	}
	if len(os.Args) > 2 {
		patterns = os.Args[2:]
	}
	failed, err := run(runs, patterns)
	if err != nil {
		fmt.Fprintln(os.Stderr, "properties:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// suite is one package with property tests, and its compiled tests.
type suite struct {
	ImportPath   string
	Dir          string
	TestGoFiles  []string
	XTestGoFiles []string

	tests  []string
	binary string
	took   time.Duration
}

// run makes the runs and returns how many of them failed.
func run(runs int, patterns []string) (failed int, err error) {
	suites, err := list(patterns)
	if err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp("", "properties-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	tests := 0
	for i, s := range suites {
		s.binary = filepath.Join(folder, strconv.Itoa(i)+".test")
		build := exec.Command("go", "test", "-c", "-vet=off", "-o", s.binary, s.ImportPath)
		if out, err := build.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("%s: %w\n%s", s.ImportPath, err, out)
		}
		tests += len(s.tests)
	}
	fmt.Printf("%d property tests in %d packages\n", tests, len(suites))
	started := time.Now()
	for i := range runs {
		wrong := 0
		for _, s := range suites {
			seed := rand.Uint64() | 1 // 0 would mean a seed that rapid draws
			if err := s.once(seed); err != nil {
				wrong++
				fmt.Printf("FAIL %s, to repeat:\n  go test %s -run '%s' -rapid.seed=%d\n%s\n",
					s.ImportPath, s.ImportPath, s.pattern(), seed, err)
			}
		}
		failed += wrong
		fmt.Printf("run %d of %d: %d failed, %s so far\n", i+1, runs, wrong, time.Since(started).Round(time.Second))
	}
	slices.SortFunc(suites, func(a, b *suite) int { return int(b.took - a.took) })
	fmt.Println("slowest, for all runs:")
	for _, s := range suites[:min(5, len(suites))] {
		fmt.Printf("  %8s %s\n", s.took.Round(100*time.Millisecond), s.ImportPath)
	}
	fmt.Printf("%d runs of %d packages with random seeds: %d failed\n", runs, len(suites), failed)
	return failed, nil
}

// list returns the packages that have property tests.
func list(patterns []string) ([]*suite, error) {
	command := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles"}, patterns...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var suites []*suite
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		s := &suite{}
		if err := d.Decode(s); errors.Is(err, io.EOF) {
			return suites, nil
		} else if err != nil {
			return nil, err
		}
		var files []string
		for _, name := range slices.Concat(s.TestGoFiles, s.XTestGoFiles) {
			files = append(files, filepath.Join(s.Dir, name))
		}
		if s.tests, err = propertyTests(files); err != nil {
			return nil, err
		}
		if len(s.tests) > 0 {
			suites = append(suites, s)
		}
	}
}

// pattern returns the regular expression of the suite's property tests.
func (s *suite) pattern() string { return "^(" + strings.Join(s.tests, "|") + ")$" }

// once runs the property tests with a seed. The error holds the end of what
// they printed.
func (s *suite) once(seed uint64) error {
	started := time.Now()
	defer func() { s.took += time.Since(started) }()
	command := exec.Command(s.binary, "-test.run", s.pattern(), "-test.timeout=10m",
		"-rapid.nofailfile", "-rapid.seed="+strconv.FormatUint(seed, 10))
	command.Dir = s.Dir
	out, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out[max(0, len(out)-4000):])
	}
	return nil
}
