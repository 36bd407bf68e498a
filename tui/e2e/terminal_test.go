//go:build unix

package e2e

import (
	"bytes"
	"image/color"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/term"

	"caliper/model/require"
)

// patience is how long a test waits for what must come. It is generous: it
// matters only where something is broken.
const patience = 30 * time.Second

// setup is how a program is started. Its zero value is the demo in a terminal
// of 120×36 cells that answers no question, with colours.
type setup struct {
	program string // empty: the one under test
	args    []string
	env     []string // on top of the clean environment, as KEY=value
	home    string   // empty: a fresh folder
	w, h    int
	answer  bool // the terminal answers questions, such as that for its background
	light   bool // its background is white
}

// terminal is a program in a pseudo-terminal, with the emulator that shows its
// output. A screen read from it is a snapshot; it may change at any time.
type terminal struct {
	t    testing.TB
	home string

	cmd    *exec.Cmd
	master *os.File
	modes  *term.State // of the terminal before the program started
	left   *term.State // and as it left them

	side  sync.Mutex // guards slave
	slave *os.File   // nil once the program has ended; modes and input queue are looked at through it

	mu      sync.Mutex
	emu     *vt.Emulator
	cursor  bool   // shown
	output  []byte // all that the program wrote
	watch   func(screen)
	changed chan struct{} // closed and replaced at every piece of output

	exited chan struct{} // the process ended
	ended  chan struct{} // and all it wrote was read
}

// start starts the program. It and all its children are killed when the test
// ends.
func start(t testing.TB, s setup) *terminal {
	t.Helper()
	if s.program == "" {
		s.program = binary
	}
	if s.w == 0 {
		s.w, s.h = 120, 36
	}
	if s.home == "" {
		s.home = t.TempDir()
	}
	x := &terminal{
		t: t, home: s.home, cursor: true, emu: vt.NewEmulator(s.w, s.h),
		changed: make(chan struct{}), exited: make(chan struct{}), ended: make(chan struct{}),
	}
	var err error
	if x.master, x.slave, err = pty.Open(); err != nil {
		t.Fatal(err)
	}
	if x.modes, err = term.GetState(int(x.slave.Fd())); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, pty.Setsize(x.slave, &pty.Winsize{Cols: uint16(s.w), Rows: uint16(s.h)}))
	if s.light {
		x.emu.SetDefaultBackgroundColor(color.White)
	}
	x.emu.SetCallbacks(vt.Callbacks{CursorVisibility: func(shown bool) { x.cursor = shown }})
	x.cmd = exec.Command(s.program, s.args...)
	races := raceLog(t)
	x.cmd.Env = append(environment(t, s.home), "GORACE=exitcode=0 log_path="+races)
	x.cmd.Env = append(x.cmd.Env, s.env...)
	x.cmd.Dir = s.home
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = x.slave, x.slave, x.slave
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, x.cmd.Start())
	replies := make(chan struct{})
	go x.reply(s.answer, replies)
	go x.read()
	go x.wait()
	t.Cleanup(func() {
		_ = syscall.Kill(-x.cmd.Process.Pid, syscall.SIGKILL) // its group: it leads a session
		select {
		case <-x.ended:
		case <-time.After(patience):
			// Reading cannot be interrupted, and a test that waits for it for
			// ever hides what failed. What it holds is left to the process.
			t.Error("the program was killed, and its terminal still does not end")
			return
		}
		x.master.Close()
		x.emu.InputPipe().(io.Closer).Close() // the emulator's own Close may not be called while it is read
		<-replies
		for _, report := range raceReports(t, races) {
			t.Errorf("race:\n%s", report)
		}
	})
	return x
}

// environment is all that a program under test knows of the machine: nothing
// of it. NO_COLOR and the like of whoever runs the tests are not in it.
func environment(t testing.TB, home string) []string {
	return []string{
		"HOME=" + home, "XDG_STATE_HOME=" + stateHome(home), "TMPDIR=" + require.ShortFolder(t), "PATH=" + os.Getenv("PATH"),
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
	}
}

// read feeds the emulator until nothing can be written to it any more. The
// emulator draws what it was given even when the next piece would have joined
// it, so that only what ends in ASCII is given to it.
func (x *terminal) read() {
	defer close(x.ended)
	buf := make([]byte, 32<<10)
	fed := 0
	for {
		n, err := x.master.Read(buf)
		if n > 0 {
			x.mu.Lock()
			x.output = append(x.output, buf[:n]...)
			if end := bytes.LastIndexFunc(x.output[fed:], func(r rune) bool { return r < utf8.RuneSelf }) + 1; end > 0 {
				_, _ = x.emu.Write(x.output[fed : fed+end])
				fed += end
			}
			if x.watch != nil {
				x.watch(x.snapshot())
			}
			close(x.changed)
			x.changed = make(chan struct{})
			x.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// reply takes the answers of the emulator, which it blocks on, and passes them
// on to the program or not.
func (x *terminal) reply(pass bool, done chan<- struct{}) {
	defer close(done)
	buf := make([]byte, 1<<10)
	for {
		n, err := x.emu.Read(buf)
		if err != nil {
			return
		}
		if pass {
			_, _ = x.master.Write(buf[:n])
		}
	}
}

// wait waits for the process to end, and lets go of the terminal so that
// reading ends too.
func (x *terminal) wait() {
	_ = x.cmd.Wait()
	x.onSlave(func(fd int) { x.left, _ = term.GetState(fd) })
	close(x.exited)
	x.side.Lock()
	defer x.side.Unlock()
	x.slave.Close()
	x.slave = nil
}

// onSlave calls f with the program's side of the terminal, unless the program
// has ended.
func (x *terminal) onSlave(f func(fd int)) {
	x.side.Lock()
	defer x.side.Unlock()
	if x.slave != nil {
		f(int(x.slave.Fd()))
	}
}

// screen is the picture of a terminal at one moment.
type screen struct {
	w, h  int
	lines []string    // without trailing blanks
	cells [][]string  // what each cell holds; the second of a wide character is empty
	alt   bool        // the alternate screen is shown
	whole bool        // no frame is half drawn
	ink   color.Color // of the first cell; nil if it has none
}

// String returns the screen as text.
func (s screen) String() string { return strings.Join(s.lines, "\n") }

// Has reports whether every text stands on the screen, each within one line.
func (s screen) Has(texts ...string) bool {
	for _, text := range texts {
		if _, _, ok := s.Find(text); !ok {
			return false
		}
	}
	return true
}

// Find returns the cell where a text first stands.
func (s screen) Find(text string) (x, y int, ok bool) {
	for y, line := range s.lines {
		if i := strings.Index(line, text); i >= 0 {
			return ansi.StringWidth(line[:i]), y, true
		}
	}
	return 0, 0, false
}

// Line returns the first line that holds a text.
func (s screen) Line(text string) string {
	if _, y, ok := s.Find(text); ok {
		return s.lines[y]
	}
	return ""
}

// snapshot returns the screen; the caller holds the lock.
func (x *terminal) snapshot() screen {
	s := screen{w: x.emu.Width(), h: x.emu.Height(), alt: x.emu.IsAltScreen()}
	s.whole = !s.alt || frameEnd(x.output) > bytes.LastIndex(x.output, frameStart)
	if c := x.emu.CellAt(0, 0); c != nil {
		s.ink = c.Style.Fg
	}
	for y := range s.h {
		row := make([]string, s.w)
		for i := 0; i < s.w; {
			c := x.emu.CellAt(i, y)
			if c == nil || c.Content == "" {
				row[i] = " "
				i++
				continue
			}
			row[i] = c.Content
			i += max(1, c.Width)
		}
		s.cells = append(s.cells, row)
		s.lines = append(s.lines, strings.TrimRight(strings.Join(row, ""), " "))
	}
	return s
}

// Every frame on the alternate screen begins at the top left cell and ends at
// the start of its last line.
var frameStart = []byte("\x1b[H")

// frameEnd returns where the last frame that is whole ends, or -1.
func frameEnd(output []byte) int {
	end := bytes.LastIndex(output, []byte(";H"))
	for i := end - 1; i >= 0; i-- {
		if c := output[i]; c == '[' {
			return end
		} else if c < '0' || c > '9' {
			break
		}
	}
	if end < 0 {
		return -1
	}
	return frameEnd(output[:end])
}

// Screen returns what the terminal shows now.
func (x *terminal) Screen() screen {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.snapshot()
}

// Output returns all that the program wrote so far.
func (x *terminal) Output() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.output)
}

// Each calls f with the screen after every piece of output from now on. f must
// not call methods of the terminal.
func (x *terminal) Each(f func(screen)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.watch = f
}

// UntilFunc waits until a whole screen is as wanted and returns it.
func (x *terminal) UntilFunc(what string, ok func(screen) bool) screen {
	x.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		x.mu.Lock()
		s, changed := x.snapshot(), x.changed
		x.mu.Unlock()
		if s.whole && ok(s) {
			return s
		}
		select {
		case <-changed:
			continue
		case <-x.ended:
			if s := x.Screen(); ok(s) {
				return s
			}
			<-x.exited
			x.t.Fatalf("the program ended (%v), and the screen never showed %s:\n%s", x.cmd.ProcessState, what, x.Screen())
		case <-deadline.C:
			x.t.Fatalf("the screen never shows %s:\n%s", what, x.Screen())
		}
	}
}

// Until waits until every text stands on the screen.
func (x *terminal) Until(texts ...string) screen {
	x.t.Helper()
	return x.UntilFunc(strings.Join(texts, " and "), func(s screen) bool { return s.Has(texts...) })
}

// Resize changes the size of the terminal.
func (x *terminal) Resize(w, h int) {
	x.t.Helper()
	x.mu.Lock()
	x.emu.Resize(w, h)
	x.mu.Unlock()
	if err := pty.Setsize(x.master, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		x.t.Fatal(err)
	}
}

// Exit waits for the program to end by itself and returns its exit code.
func (x *terminal) Exit() int {
	x.t.Helper()
	select {
	case <-x.ended:
	case <-time.After(patience):
		x.t.Fatalf("the program does not end:\n%s", x.Screen())
	}
	<-x.exited
	if !x.cmd.ProcessState.Exited() {
		x.t.Fatalf("the program did not exit: %v", x.cmd.ProcessState)
	}
	return x.cmd.ProcessState.ExitCode()
}

// Raw reports whether the modes of the terminal are other than they were
// before the program started.
func (x *terminal) Raw() bool {
	x.t.Helper()
	select {
	case <-x.exited:
		return !reflect.DeepEqual(x.left, x.modes)
	default:
	}
	var now *term.State
	x.onSlave(func(fd int) { now, _ = term.GetState(fd) })
	return !reflect.DeepEqual(now, x.modes)
}
