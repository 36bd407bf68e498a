package live

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Supervise supervises a server if the arguments of the process say so, and returns the code to
// exit with; ok is false if not. A program that lists servers with Options.Supervise calls it
// first.
func Supervise(args, env []string) (code int, ok bool) {
	if len(args) < 3 || args[0] != superviseWord {
		return 0, false
	}
	runtime.LockOSThread() // what dies with its parent dies with the thread that started it
	v := supervisor{children: make(chan os.Signal, 1)}
	for _, fd := range []int{controlFile, answerFile} {
		syscall.CloseOnExec(fd)
	}
	// To be caught is not handed on to the server, as to be ignored would be.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	signal.Notify(v.children, syscall.SIGCHLD)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 1, true // without an answer, so that the server is started otherwise
	}
	var err error
	v.server, err = syscall.ForkExec(args[1], args[2:], &syscall.ProcAttr{Env: env, Files: []uintptr{0, 1, 2},
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}})
	var number syscall.Errno
	if err != nil && !errors.As(err, &number) {
		number = syscall.EINVAL
	}
	answer := os.NewFile(answerFile, "answer")
	_, _ = fmt.Fprintf(answer, "%d\n", uint(number)) // who does not read it any more has closed control too
	_ = answer.Close()
	if err != nil {
		return 1, true
	}
	// Give up the standard files, which are the server's.
	null, err := syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	for fd := range 3 {
		if err != nil || syscall.Dup3(null, fd, 0) != nil {
			_ = syscall.Close(fd)
		}
	}
	return v.run(os.NewFile(controlFile, "control")), true
}

// supervisor is the state of a supervising process.
type supervisor struct {
	children chan os.Signal // has one when a child has ended
	server   int            // process number, which is also its group's
	ended    bool           // the server has, and its number may be another's
	status   syscall.WaitStatus
}

// run waits for commands, ends what there is and returns the server's code.
func (v *supervisor) run(control io.Reader) int {
	commands := make(chan struct{})
	go func() {
		defer close(commands)
		for b := []byte{0}; ; {
			if n, err := control.Read(b); err != nil {
				return
			} else if n == 1 && b[0] == askToEnd {
				commands <- struct{}{}
			}
		}
	}()
	asked := false // it was told to end before it did
	for {
		select {
		case _, ok := <-commands:
			v.reap()
			if ok {
				asked = asked || !v.ended
				v.signal(syscall.SIGTERM)
				continue
			}
			byItself := v.ended && !asked
			v.kill()
			switch s := v.status; {
			case v.ended && s.Exited():
				return s.ExitStatus()
			case v.ended && s.Signaled() && (byItself || s.Signal() != syscall.SIGKILL && s.Signal() != syscall.SIGTERM):
				return signalled + int(s.Signal()) // as shells have it
			}
			// The supervisor of a server that it killed ends as it did.
			_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
			return signalled
		case <-v.children:
			v.reap()
		}
	}
}

// reap takes the children that have ended, and reports whether none is left. Then no descendant
// is, since orphans become children of this process.
func (v *supervisor) reap() (none bool) {
	for {
		var status syscall.WaitStatus
		switch n, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil); {
		case errors.Is(err, syscall.EINTR):
		case n <= 0:
			return err != nil
		case n == v.server:
			v.ended, v.status = true, status
		}
	}
}

// signal sends a signal to the group of the server and to every child.
//
// SECURITY: no other process can be hit: the number of a child, and of a group
// that a child leads, is nobody else's before reap has taken the child. That is
// why the children of children are left to be orphans first.
func (v *supervisor) signal(s syscall.Signal) {
	if !v.ended {
		_ = syscall.Kill(-v.server, s) // nobody left is the goal
	}
	for _, child := range childrenOf(syscall.Getpid()) {
		_ = syscall.Kill(child, s)
	}
}

// kill kills all descendants: children are killed until there are none.
func (v *supervisor) kill() {
	late := time.NewTimer(killGrace)
	defer late.Stop()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !v.reap() {
		v.signal(syscall.SIGKILL)
		select {
		case <-v.children:
		case <-again.C:
		case <-late.C:
			return
		}
	}
}

// childrenOf returns the processes whose parent is a process, as proc(5) has them.
func childrenOf(parent int) []int {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is sound
	var out []int
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// "12 (name, which may hold anything) S 3 ...": the parent is the second
		// field behind the name.
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		if len(fields) < 2 || fields[1] != strconv.Itoa(parent) {
			continue
		}
		if n, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// startSupervised starts cmd under a supervisor, or returns errNoSupervisor or the server's error.
func startSupervised(cmd *exec.Cmd) (keeper, error) {
	controlRead, control, err := os.Pipe()
	if err != nil {
		return nil, errNoSupervisor
	}
	answer, answerWrite, err := os.Pipe()
	if err != nil {
		_, _ = controlRead.Close(), control.Close()
		return nil, errNoSupervisor
	}
	defer answer.Close()
	file := cmd.Path
	cmd.Args = append([]string{"caliper", superviseWord, file}, cmd.Args...)
	cmd.Path = "/proc/self/exe" // this program, even if its file has been replaced
	cmd.ExtraFiles = []*os.File{controlRead, answerWrite}
	ownGroup(cmd) // so that an interrupt of the terminal does not reach it
	err = cmd.Start()
	_, _ = controlRead.Close(), answerWrite.Close() // the supervisor has its own
	if err != nil {
		_ = control.Close()
		return nil, errNoSupervisor
	}
	_ = answer.SetReadDeadline(time.Now().Add(startGrace)) // pipes have deadlines
	if err = startAnswer(answer); err != nil {
		_ = control.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		if !errors.Is(err, errNoSupervisor) {
			err = &os.PathError{Op: "fork/exec", Path: file, Err: err}
		}
		return nil, err
	}
	return &supervised{control}, nil
}

// supervised is a server under a supervisor.
type supervised struct{ control *os.File }

func (s *supervised) terminate() { _, _ = s.control.Write([]byte{askToEnd}) } // one that has ended needs no asking
func (s *supervised) kill()      { _ = s.control.Close() }
func (s *supervised) dismiss()   {}
