package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// outcome is what became of a mutant.
type outcome int

// The outcomes.
const (
	survived outcome = iota
	noticed
	timedOut   // noticed: the tests did not end
	invalid    // does not compile, so is not counted
	untestable // the package's tests fail without any change
)

// laboratory is where mutants are built and their tests run.
type laboratory struct {
	options options
	stop    context.Context // ends it
	folder  string          // temporary
	tree    string          // the copy of the tree
	env     []string

	packages map[*pkg]func() (*tests, error)
}

// newLaboratory copies the tree.
func newLaboratory(stop context.Context, o options) (*laboratory, error) {
	folder, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return nil, err
	}
	l := &laboratory{options: o, stop: stop, folder: folder, tree: filepath.Join(folder, "module", "tree"), packages: map[*pkg]func() (*tests, error){}}
	if err := copyTree(l.tree); err != nil {
		l.close()
		return nil, err
	}
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		l.close()
		return nil, fmt.Errorf("go env: %w", err)
	}
	var known map[string]string
	if err := json.Unmarshal(out, &known); err != nil {
		l.close()
		return nil, err
	}
	l.env = append(os.Environ(), "GOMAXPROCS=1", "GOFLAGS=-buildvcs=false "+os.Getenv("GOFLAGS"))
	for name, value := range known {
		l.env = append(l.env, name+"="+value)
	}
	return l, nil
}

// close removes the temporary folder.
func (l *laboratory) close() { _ = os.RemoveAll(l.folder) }

// copyTree copies the tree without what starts with a dot.
func copyTree(to string) error {
	return filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != "." && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		target := filepath.Join(to, path)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, info.Mode().Perm())
	})
}

// prepare numbers the mutants and notes which of them each package has.
func (l *laboratory) prepare(sample []*mutant) {
	of := map[*pkg][]*mutant{}
	for i, m := range sample {
		m.id = i + 1
		of[m.pkg] = append(of[m.pkg], m)
	}
	for p, mutants := range of {
		l.packages[p] = sync.OnceValues(func() (*tests, error) {
			t, err := l.compile(p, mutants)
			if err != nil {
				fmt.Printf("no mutant of %s could be tried: %v\n\n", p.folder, err)
			}
			return t, err
		})
	}
}

// tests are the compiled tests of a package with its mutants.
type tests struct {
	binary string
	apart  map[*mutant]bool // not in the binary
	took   time.Duration    // without a mutant
}

// compile builds the tests of a package with its mutants and runs them without
// one.
func (l *laboratory) compile(p *pkg, mutants []*mutant) (*tests, error) {
	folder, err := os.MkdirTemp(l.folder, "package-")
	if err != nil {
		return nil, err
	}
	t := &tests{apart: map[*mutant]bool{}}
	files, left := combined(p, mutants)
	for _, m := range left {
		t.apart[m] = true
	}
	if t.binary, err = l.build(l.stop, p, folder, files); err != nil {
		return nil, err
	}
	started := time.Now()
	if err := l.test(l.stop, p, t.binary, 0, "", 10*time.Minute); err != nil {
		return nil, fmt.Errorf("its tests fail without a change: %w", err)
	}
	t.took = time.Since(started)
	return t, nil
}

// try runs the tests of a mutant's package with the mutant.
func (l *laboratory) try(m *mutant) outcome {
	if !m.pkg.tested() {
		return survived
	}
	t, err := l.packages[m.pkg]()
	if err != nil {
		return untestable
	}
	binary, id := t.binary, m.id
	if t.apart[m] {
		folder, err := os.MkdirTemp(l.folder, "mutant-")
		if err != nil {
			return untestable
		}
		defer func() { _ = os.RemoveAll(folder) }()
		if binary, err = l.build(l.stop, m.pkg, folder, map[string][]byte{filepath.Join(m.pkg.Dir, m.file): m.source()}); err != nil {
			return invalid
		}
		id = 0
	}
	switch err := l.testTwice(m.pkg, binary, id, t.binary, 3*t.took+10*time.Second); {
	case l.stop.Err() != nil:
		return invalid
	case err == nil:
		return survived
	case errors.Is(err, context.DeadlineExceeded):
		return timedOut
	}
	return noticed
}

// testTwice returns the error of tests with a mutant that fail twice, and nil for others:
// tests that fail once may fail of themselves. Those that do not end count where they end in
// time without a mutant, in the binary called plain; on a busy machine the limit grows until
// they do.
func (l *laboratory) testTwice(p *pkg, binary string, id int, plain string, limit time.Duration) error {
	err := l.test(l.stop, p, binary, id, "", limit)
	for errors.Is(err, context.DeadlineExceeded) && errors.Is(l.test(l.stop, p, plain, 0, "", limit), context.DeadlineExceeded) {
		limit *= 2
		err = l.test(l.stop, p, binary, id, "", limit)
	}
	if err == nil {
		return nil
	}
	return l.test(l.stop, p, binary, id, "", limit)
}

// writeOverlay writes changed files and the overlay that names them, and
// returns its path.
func writeOverlay(folder string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for path, text := range files {
		changed := filepath.Join(folder, fmt.Sprintf("%d-%s", len(replace), filepath.Base(path)))
		if err := os.WriteFile(changed, text, 0o600); err != nil {
			return "", err
		}
		replace[path] = changed
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "overlay.json")
	return name, os.WriteFile(name, overlay, 0o600)
}

// build compiles the package's tests with changed files, by path, and returns
// the binary.
func (l *laboratory) build(c context.Context, p *pkg, folder string, files map[string][]byte) (string, error) {
	overlay, err := writeOverlay(folder, files)
	if err != nil {
		return "", err
	}
	binary := filepath.Join(folder, "package.test")
	command := exec.CommandContext(c, "go", "test", "-c", "-vet=off", "-p=1", "-overlay="+overlay, "-o", binary, "./"+p.folder)
	command.Env = l.env
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
}

// test runs the tests in the copy of the package's folder with the mutant of
// that number, or with no mutant for 0, which writes the numbers of the mutants
// whose functions are called to a file, if one is named. Its error holds the end
// of the output of the tests that failed.
func (l *laboratory) test(c context.Context, p *pkg, binary string, id int, reached string, timeout time.Duration) error {
	folder, err := os.MkdirTemp(l.folder, "run-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	home := filepath.Join(folder, "home")
	temporary := filepath.Join(folder, "tmp")
	for _, f := range []string{home, temporary} {
		if err := os.MkdirAll(f, 0o700); err != nil {
			return err
		}
	}
	limited, cancel := context.WithTimeout(c, timeout)
	defer cancel()
	// A mutant may ask for memory without end; systems without the limit go
	// on without it.
	arguments := []string{"-c", `ulimit -v 8000000 2>/dev/null; exec "$0" "$@"`, binary, "-test.failfast", "-test.timeout=0"}
	if p.usesRapid() {
		arguments = append(arguments, fmt.Sprintf("-rapid.seed=%d", l.options.seed), "-rapid.nofailfile", "-rapid.shrinktime=0s")
	}
	command := exec.CommandContext(limited, "sh", arguments...)
	command.Dir = filepath.Join(l.tree, filepath.FromSlash(p.folder))
	command.Env = append(slices.Clone(l.env), fmt.Sprintf("MUTANT=%d", id), "REACHED="+reached, "HOME="+home, "TMPDIR="+temporary, "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "XDG_DATA_HOME=")
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = 2 * time.Second
	err = command.Run()
	if command.Process != nil {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) // what the tests left running
	}
	if limited.Err() != nil {
		return limited.Err()
	}
	if err != nil {
		text := out.Bytes()
		return fmt.Errorf("%w\n%s", err, text[max(0, len(text)-2000):])
	}
	return nil
}
