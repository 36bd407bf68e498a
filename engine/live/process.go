package live

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
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

// process is a server that runs as a child, in a process group of its own.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	tail   *tail
	dog    func() // dismisses the watchdog of the group

	readers sync.WaitGroup
	quiet   chan struct{} // closed when nobody writes to its outputs any more
	once    sync.Once
}

// startProcess starts a server. read gets its standard output and must read
// that to the end.
func startProcess(h *hidden, env []string, r redactor, read func(io.Reader)) (*process, error) {
	env = environment(env, h.env)
	file, err := findCommand(h.command, env)
	if err != nil {
		return nil, err
	}
	p := &process{tail: &tail{redactor: r}, quiet: make(chan struct{})}
	p.cmd = &exec.Cmd{Path: file, Args: append([]string{h.command}, h.args...), Env: env, Dir: h.dir}
	ownGroup(p.cmd)
	stdin, err1 := p.cmd.StdinPipe()
	stdout, err2 := p.cmd.StdoutPipe()
	stderr, err3 := p.cmd.StderrPipe()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.stdin, p.stdout, p.dog = stdin, stdout, watchGroup(p.cmd)
	p.readers.Go(func() { read(stdout) })
	p.readers.Go(func() { _, _ = io.Copy(p.tail, stderr) }) // ends with the pipe
	go func() {
		p.readers.Wait()
		close(p.quiet)
	}()
	return p, nil
}

// end ends the server and its process group, and returns when none of them is
// left. It may be called again, and from several goroutines.
//
// The leader is not waited for before its group is killed and the watchdog
// dismissed: until then its number cannot become that of another group, so that
// nobody else is hit.
func (p *process) end(patient bool) {
	p.once.Do(func() {
		_ = p.stdin.Close()
		if !patient || !p.quietWithin(closeGrace) {
			signalGroup(p.cmd, false)
			p.quietWithin(termGrace)
		}
		signalGroup(p.cmd, true)
		p.quietWithin(pipeGrace)
		p.dog()
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

// exit says how the server ended by itself. It is asked after end.
func (p *process) exit() string {
	if s := p.cmd.ProcessState; s != nil && s.Exited() {
		return s.String()
	}
	return "it closed its output"
}

// environment returns base with the variables of a server, which hold against
// those of base.
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

// notFound is the error of a command that is nowhere.
func notFound(command string) error {
	return fmt.Errorf("command %q is not found", command)
}
