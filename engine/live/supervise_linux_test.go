package live

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"caliper/model/require"
)

// A grandchild in a session of its own, which ignores every signal that can be
// ignored, ends with the server.
func TestSupervisedListLeavesNoProcess(t *testing.T) {
	t.Parallel()
	for mode, processes := range map[string]int{"raw": 1, "stubborn": 1, "parent": 2, "parent-inherits": 2, "parent-escapes": 2, "orphans": 3} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			w := newTether(t)
			l, err := List(t.Context(), w.child(mode), Options{Supervise: true})
			if err != nil || len(l.Tools) == 0 {
				t.Errorf("%d tools, %v", len(l.Tools), err)
			}
			w.here(processes)
			w.gone(processes)
		})
	}
}

// Nothing survives the end of caliper by a signal that nothing can catch,
// neither what left the group nor what was orphaned before.
func TestSupervisedEndsWithItsParent(t *testing.T) {
	t.Parallel()
	for mode, processes := range map[string]int{"silent": 1, "parent-escapes": 2, "orphans": 3} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			w := newTether(t)
			lister := exec.Command(os.Args[0])
			lister.Env = []string{modeVariable + "=lister", listedVariable + "=" + mode, tetherVariable + "=" + w.listener.Addr().String()}
			require.NoError(t, lister.Start())
			w.here(processes + 1)
			require.NoError(t, lister.Process.Kill())
			_ = lister.Wait() // it was killed
			w.gone(processes + 1)
		})
	}
}

// The supervisor is not seen: what a server is given, says and exits with comes
// through, and so does why it cannot be started.
func TestSupervisedIsLikeUnsupervised(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"half", "shut", "rubbish", "refuses"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			var said []string
			for _, supervise := range []bool{false, true} {
				w := newTether(t)
				_, err := List(t.Context(), w.child(mode), Options{Supervise: supervise, Timeout: 2 * time.Minute})
				w.gone(map[bool]int{true: 2, false: 1}[mode == "refuses"]) // by initialize and by server/discover
				var e *Error
				if !errors.As(err, &e) {
					t.Fatalf("error is %v", err)
				}
				said = append(said, e.Error()+"\n"+e.Stderr)
			}
			if said[0] != said[1] {
				t.Errorf("unsupervised:\n%s\nsupervised:\n%s", said[0], said[1])
			}
		})
	}
	for name, s := range map[string]Server{"no such file": Stdio("x", "/no/such/file"), "permission denied": Stdio("x", "/etc/passwd")} {
		_, err := List(t.Context(), s, Options{Supervise: true})
		_, want := List(t.Context(), s, Options{})
		if err == nil || err.Error() != want.Error() || !strings.Contains(err.Error(), name) {
			t.Errorf("error is %v, want %v", err, want)
		}
	}
}

// Who asks why a server ended is told of its signal, but not of one that we sent.
func TestEndsBySignal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script    string
		supervise bool
		want      string
	}{
		{"sleep 0.5 & kill -KILL $$", true, "exit status 137, of signal 9: killed"}, // as for want of memory
		{"kill -SEGV $$", true, "exit status 139, of signal 11: segmentation fault"},
		{"kill -SEGV $$", false, "signal: segmentation fault"},
		{"exec >&- 2>&-; exec sleep 60", true, "it closed its output"},
		{"exec >&- 2>&-; exec sleep 60", false, "it closed its output"},
		{"exit 3", true, "exit status 3"},
		{"exit 255", true, "exit status 255"},
	} {
		s := Stdio("x", "/bin/sh", "-c", c.script)
		p, err := startProcess(s.hidden(), nil, c.supervise, redactor{}, newLines(redactor{}, 1<<20).readAll)
		require.NoError(t, err)
		<-p.quiet
		p.end(true)
		if got := p.exit(); got != c.want {
			t.Errorf("%s, supervised %v: %q, want %q", c.script, c.supervise, got, c.want)
		}
	}
}

func TestSuperviseIsAskedFor(t *testing.T) {
	for _, args := range [][]string{nil, {"import"}, {superviseWord}, {superviseWord, "/bin/true"}, {"x", superviseWord, "/bin/true", "true"}} {
		if code, ok := Supervise(args, nil); ok || code != 0 {
			t.Errorf("%q: %d, %v", args, code, ok)
		}
	}
}

func TestStartAnswer(t *testing.T) {
	for text, want := range map[string]error{"0\n": nil, "2\n": syscall.ENOENT, "": errNoSupervisor, "0": errNoSupervisor, "\n": errNoSupervisor,
		"x\n": errNoSupervisor, "-1\n": errNoSupervisor, "0\n0\n": errNoSupervisor} {
		if err := startAnswer(strings.NewReader(text)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// A program that does not know how to supervise is no obstacle: the server is
// started without.
func TestWithoutSupervisor(t *testing.T) {
	cmd := exec.Command("/no/such/file")
	if _, err := startSupervised(&exec.Cmd{Path: cmd.Path, Dir: "/no/such/folder"}); !errors.Is(err, errNoSupervisor) {
		t.Errorf("error is %v", err)
	}
}

// Only own children are found.
func TestChildrenOf(t *testing.T) {
	cmd := exec.Command("/bin/cat")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	if got := childrenOf(os.Getpid()); !slices.Contains(got, cmd.Process.Pid) || slices.Contains(got, os.Getpid()) {
		t.Errorf("children are %v, want %d among them", got, cmd.Process.Pid)
	}
	if got := childrenOf(cmd.Process.Pid); len(got) > 0 {
		t.Errorf("children of the child are %v", got)
	}
	_ = in.Close()
	_ = cmd.Wait()
}
