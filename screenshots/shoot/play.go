package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"caliper/screenshots/scene"
	"caliper/screenshots/tmux"
)

const (
	captureInterval = 25 * time.Millisecond
	keyEcho         = 3 * time.Second
	shellTimeout    = 30 * time.Second

	// atOnce is how many plays run at once. They wait most of the time.
	atOnce = 16
)

// playAll plays every scene for each of its themes, several at once, and hands the takes on in
// order. After the first error nothing more is begun, and what runs is ended.
func (j *job) playAll(ctx context.Context, scenes []*scene.Scene, done func(*scene.Scene, string, *scene.Take) error) error {
	program, cleanup, err := j.build(ctx)
	if err != nil {
		return err
	}
	defer cleanup()
	ctx, cancel := context.WithCancel(ctx)
	var plays sync.WaitGroup
	defer plays.Wait()
	defer cancel()
	type outcome struct {
		take *scene.Take
		err  error
	}
	type run struct {
		scene   *scene.Scene
		theme   string
		outcome chan outcome
	}
	var runs []run
	free := make(chan struct{}, atOnce)
	for _, s := range scenes {
		for _, theme := range s.Themes {
			r := run{s, theme, make(chan outcome, 1)}
			runs = append(runs, r)
			plays.Go(func() {
				free <- struct{}{}
				defer func() { <-free }()
				take, err := j.play(ctx, program, s, theme)
				r.outcome <- outcome{take, err}
			})
		}
	}
	for _, r := range runs {
		o := <-r.outcome
		if o.err != nil {
			return o.err
		}
		if err := done(r.scene, r.theme, o.take); err != nil {
			return err
		}
	}
	return nil
}

// build returns the program's path; without one it builds the project.
func (j *job) build(ctx context.Context) (program string, cleanup func(), err error) {
	if j.program != "" {
		program, err = filepath.Abs(j.program)
		if err == nil {
			_, err = os.Stat(program)
		}
		return program, func() {}, err
	}
	folder, err := os.MkdirTemp("", "shoot-")
	if err != nil {
		return "", nil, err
	}
	cleanup = func() { _ = os.RemoveAll(folder) }
	program = filepath.Join(folder, "caliper")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		cleanup()
		return "", nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, cleanup, nil
}

// newStage makes the folder in which a program is played. Its path may be on screen, where
// its length moves what stands behind it, so that it has the same length everywhere,
// whatever TMPDIR is; only a machine without /tmp has it elsewhere.
func newStage() (string, error) {
	name := "shoot-" + rand.Text()[:8]
	stage := filepath.Join("/tmp", name)
	err := os.Mkdir(stage, 0o700)
	if err != nil {
		stage = filepath.Join(os.TempDir(), name)
		err = os.Mkdir(stage, 0o700)
	}
	return stage, err
}

// play runs the program in a fresh home, with the files that the scene puts there, and a fresh
// temporary folder, and plays one scene.
func (j *job) play(ctx context.Context, program string, s *scene.Scene, theme string) (take *scene.Take, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stage, err := newStage()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	home, temp := filepath.Join(stage, "home"), filepath.Join(stage, "tmp")
	for _, folder := range []string{home, temp} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			return nil, err
		}
	}
	for _, f := range s.Home {
		path := filepath.Join(home, f.Path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(f.Content), 0o600)); err != nil {
			return nil, err
		}
	}
	options := tmux.Options{
		Columns: s.Columns, Rows: s.Rows, Folder: home,
		Command: []string{program},
		Env:     []string{"HOME=" + home, "TMPDIR=" + temp},
	}
	for _, arg := range append(append([]string(nil), j.args...), s.Args...) {
		options.Command = append(options.Command, scene.Expand(arg, theme))
	}
	for _, entry := range s.Env {
		options.Env = append(options.Env, scene.Expand(entry, theme))
	}
	session, err := tmux.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	runner := scene.Runner{
		Terminal: session,
		Shell:    func(ctx context.Context, command string) error { return shell(ctx, command, temp, home, program) },
		Timeout:  j.timeout, Interval: captureInterval, Echo: keyEcho,
	}
	return runner.Run(ctx, s, theme)
}

// shell runs a command of a scene in the demo folder. $DEMO is its path, $WORK that of the
// working folder, and $CALIPER the program.
func shell(ctx context.Context, command, temp, work, program string) error {
	demo, err := demoFolder(temp)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, shellTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-eu", "-c", command)
	cmd.Dir = demo
	cmd.Env = append(os.Environ(), "DEMO="+demo, "WORK="+work, "CALIPER="+program)
	cmd.WaitDelay = time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// demoFolder returns the one folder that the program made in its temporary folder.
func demoFolder(temp string) (string, error) {
	entries, err := os.ReadDir(temp)
	if err != nil {
		return "", err
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, e.Name())
		}
	}
	if len(folders) != 1 {
		return "", fmt.Errorf("$DEMO: the program made %d folders in its temporary folder %q, want one", len(folders), folders)
	}
	return filepath.Join(temp, folders[0]), nil
}
