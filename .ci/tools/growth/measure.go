//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// bench runs commands in a folder with the files of one size.
type bench struct {
	o      options
	folder string
}

// patience is how many times the limit a command may take by the clock.
const patience = 20

// measure is what one command took.
type measure struct {
	cpu        time.Duration // user and system time
	memory     int64         // bytes that were resident at most
	unfinished bool          // it was ended at the limit
	skipped    bool          // not tried, because a smaller size was not finished
}

// enough is the CPU time after which a command is not run again: what takes long
// varies little.
const enough = 3 * time.Second

// least runs a command so many times, or until enough, and returns the least CPU
// time and the most memory. A command that reaches the limit is not run again.
func (b bench) least(ctx context.Context, c command, rounds int) (measure, error) {
	home, err := os.MkdirTemp(b.folder, "home-")
	if err != nil {
		return measure{}, err
	}
	defer func() { _ = os.RemoveAll(home) }()
	if c.warm {
		if m, err := b.once(ctx, c, home); err != nil || m.unfinished {
			return m, err
		}
	}
	var best measure
	var spent time.Duration
	for i := 0; i < rounds && spent < enough; i++ {
		in := home
		if !c.warm {
			in = filepath.Join(home, fmt.Sprint(i)) // no cache of a round before
		}
		m, err := b.once(ctx, c, in)
		if err != nil || m.unfinished {
			return m, err
		}
		spent += m.cpu
		if i > 0 {
			m.cpu, m.memory = min(m.cpu, best.cpu), max(m.memory, best.memory)
		}
		best = m
	}
	return best, nil
}

// once runs a command with an own home folder. Its exit code may be 1, which
// says no.
func (b bench) once(ctx context.Context, c command, home string) (measure, error) {
	// By the clock only what stands still is ended, since the processors may be
	// shared with others.
	limited, stop := context.WithTimeout(ctx, patience*b.o.limit)
	defer stop()
	args := slices.Clone(c.args)
	if c.tool {
		name, err := os.ReadFile(filepath.Join(b.folder, "tool.txt"))
		if err != nil {
			return measure{}, err
		}
		for i, a := range args {
			if a == "TOOL" {
				args[i] = string(name)
			}
		}
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return measure{}, err
	}
	run := exec.CommandContext(limited, b.o.binary, args...)
	run.Dir = b.folder
	run.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "LANG=C.UTF-8"}
	var stderr bytes.Buffer
	run.Stderr = &stderr
	if c.in != "" {
		in, err := os.Open(filepath.Join(b.folder, c.in))
		if err != nil {
			return measure{}, err
		}
		defer func() { _ = in.Close() }()
		run.Stdin = in
	}
	if err := run.Start(); err != nil {
		return measure{}, err
	}
	limitErr := limitCPU(run.Process.Pid, b.o.limit)
	err := run.Wait()
	if err := cmp.Or(ctx.Err(), limitErr); err != nil {
		return measure{}, err
	}
	m := measure{cpu: run.ProcessState.UserTime() + run.ProcessState.SystemTime(), memory: resident(run.ProcessState)}
	var exit *exec.ExitError
	switch {
	case limited.Err() != nil, err != nil && m.cpu >= b.o.limit-b.o.limit/10:
		return measure{unfinished: true}, nil
	case err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1):
		return measure{}, fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	return m, nil
}

// resident returns the bytes that a process had resident at most.
func resident(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss) // bytes there, kilobytes elsewhere
	}
	return int64(usage.Maxrss) << 10
}
