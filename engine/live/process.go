package live

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// How long a server has to end: after its input is closed, after the signal
// that asks it to, and for its pipes to close once it is killed. The first two
// are what the specification asks of a client (MCP 2025-11-25, transports,
// shutdown of stdio).
const (
	closeGrace = 500 * time.Millisecond
	termGrace  = time.Second
	pipeGrace  = 250 * time.Millisecond
)

// process is a server that runs as a child, in its own process group or under a supervisor.
type process struct {
	cmd    *exec.Cmd // of the server or its supervisor
	stdin  io.WriteCloser
	tail   *tail
	keeper keeper

	readers sync.WaitGroup
	quiet   chan struct{} // closed when nobody writes to its outputs any more
	once    sync.Once
}

// keeper ends the process of a server and the processes that it started.
type keeper interface {
	terminate() // asks it to end
	kill()      // ends it, and what it started
	dismiss()   // is called before the child is waited for
}

// startProcess starts a server, under a supervisor if that is wanted and can be had. read must
// read its output to the end.
func startProcess(h *hidden, env []string, supervise bool, r redactor, read func(io.Reader)) (*process, error) {
	env = environment(env, h.env)
	file, err := findCommand(h.command, env)
	if err != nil {
		return nil, err
	}
	p := &process{tail: &tail{redactor: r}, quiet: make(chan struct{})}
	launch := func(start func(*exec.Cmd) (keeper, error)) (stdout, stderr io.Reader, err error) {
		p.cmd = &exec.Cmd{Path: file, Args: append([]string{h.command}, h.args...), Env: env, Dir: h.dir}
		var err1, err2, err3 error
		p.stdin, err1 = p.cmd.StdinPipe()
		stdout, err2 = p.cmd.StdoutPipe()
		stderr, err3 = p.cmd.StderrPipe()
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, nil, err
		}
		p.keeper, err = start(p.cmd)
		return stdout, stderr, err
	}
	err = errNoSupervisor
	var stdout, stderr io.Reader
	if supervise {
		stdout, stderr, err = launch(startSupervised)
	}
	if errors.Is(err, errNoSupervisor) {
		stdout, stderr, err = launch(startGroup)
	}
	if err != nil {
		return nil, err
	}
	p.readers.Go(func() { read(stdout) })
	p.readers.Go(func() { _, _ = io.Copy(p.tail, stderr) }) // ends with the pipe
	go func() {
		p.readers.Wait()
		close(p.quiet)
	}()
	return p, nil
}

// end ends the server with its process group, or with all of its descendants under a supervisor,
// and returns when none of them is left. It may be called again, and from several goroutines. The
// leader is waited for last: until then its number cannot become another group's.
func (p *process) end(patient bool) {
	p.once.Do(func() {
		_ = p.stdin.Close()
		if !patient || !p.quietWithin(closeGrace) {
			p.keeper.terminate()
			p.quietWithin(termGrace)
		}
		p.keeper.kill()
		p.quietWithin(pipeGrace)
		p.keeper.dismiss()
		_ = p.cmd.Wait() // also closes the pipes, so that the readers end
		p.readers.Wait()
	})
}

// quietWithin waits for the outputs to close.
func (p *process) quietWithin(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.quiet:
		return true
	case <-t.C:
		return false
	}
}

// signalled is added to the number of a signal, in the exit code of a process that it ended.
const signalled = 128

// exit returns how the server ended by itself. It is called after end.
func (p *process) exit() string {
	s := p.cmd.ProcessState
	switch {
	case s != nil && s.ExitCode() > signalled && s.ExitCode() < signalled+32:
		return fmt.Sprintf("%s, of signal %d: %s", s, s.ExitCode()-signalled, syscall.Signal(s.ExitCode()-signalled))
	case s == nil:
		return "it closed its output"
	}
	status, _ := s.Sys().(syscall.WaitStatus)
	if status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGTERM) { // which can be ours
		return "it closed its output"
	}
	return s.String()
}

// environment returns base with a server's variables, which hold against base's.
func environment(base []string, own []pair) []string {
	env := make([]string, 0, len(base)+len(own)) // never nil: exec would take ours
	env = append(env, base...)
	for _, p := range own {
		env = append(env, p.name+"="+p.value)
	}
	return env
}

// variable returns the last value of a name in an environment.
func variable(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(env[i], name+"="); ok {
			return value
		}
	}
	return ""
}
