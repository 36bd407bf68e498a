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
	folder  string // temporary
	tree    string // the copy of the tree
	env     []string

	mutex     sync.Mutex
	baselines map[*pkg]func() (time.Duration, error)
}

// newLaboratory copies the tree.
func newLaboratory(o options) (*laboratory, error) {
	folder, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return nil, err
	}
	l := &laboratory{options: o, folder: folder, tree: filepath.Join(folder, "module", "tree"), baselines: map[*pkg]func() (time.Duration, error){}}
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
	l.env = append(os.Environ(), "GOMAXPROCS=1", "GOFLAGS=-buildvcs=false")
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

// try builds a mutant and runs the tests of its package.
func (l *laboratory) try(c context.Context, m *mutant) outcome {
	if !m.pkg.tested() {
		return survived
	}
	usual, err := l.baseline(c, m.pkg)
	if err != nil {
		return untestable
	}
	folder, err := os.MkdirTemp(l.folder, "mutant-")
	if err != nil {
		return untestable
	}
	defer func() { _ = os.RemoveAll(folder) }()
	overlay, err := writeOverlay(folder, m)
	if err != nil {
		return untestable
	}
	binary, err := l.build(c, m.pkg, folder, overlay)
	if err != nil {
		return invalid
	}
	switch err := l.test(c, m.pkg, binary, folder, 3*usual+10*time.Second); {
	case err == nil:
		return survived
	case errors.Is(err, context.DeadlineExceeded):
		return timedOut
	}
	return noticed
}

// writeOverlay writes the changed file and the overlay that names it.
func writeOverlay(folder string, m *mutant) (string, error) {
	changed := filepath.Join(folder, m.file)
	if err := os.WriteFile(changed, m.source(), 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(m.pkg.Dir, m.file): changed}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "overlay.json")
	return name, os.WriteFile(name, overlay, 0o600)
}

// baseline runs the package's tests without a change, once, and returns how
// long they take.
func (l *laboratory) baseline(c context.Context, p *pkg) (time.Duration, error) {
	l.mutex.Lock()
	once := l.baselines[p]
	if once == nil {
		once = sync.OnceValues(func() (time.Duration, error) {
			folder, err := os.MkdirTemp(l.folder, "baseline-")
			if err != nil {
				return 0, err
			}
			defer func() { _ = os.RemoveAll(folder) }()
			binary, err := l.build(c, p, folder, "")
			if err != nil {
				return 0, err
			}
			started := time.Now()
			if err := l.test(c, p, binary, folder, 5*time.Minute); err != nil {
				fmt.Printf("the tests of %s fail without a change: %v\n", p.folder, err)
				return 0, err
			}
			return time.Since(started), nil
		})
		l.baselines[p] = once
	}
	l.mutex.Unlock()
	return once()
}

// build compiles the package's tests and returns the binary.
func (l *laboratory) build(c context.Context, p *pkg, folder, overlay string) (string, error) {
	binary := filepath.Join(folder, "package.test")
	command := exec.CommandContext(c, "go", "test", "-c", "-vet=off", "-p=1", "-overlay="+overlay, "-o", binary, "./"+p.folder)
	command.Env = l.env
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
}

// test runs the tests in the copy of the package's folder. A failure's error
// holds the end of what they printed.
func (l *laboratory) test(c context.Context, p *pkg, binary, folder string, timeout time.Duration) error {
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
	command.Env = append(l.env, "HOME="+home, "TMPDIR="+temporary, "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "XDG_DATA_HOME=")
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = 2 * time.Second
	err := command.Run()
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
