package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"
	"github.com/muesli/termenv"

	"caliper/model/require"
	"caliper/tui"
	"caliper/tui/cli"
	"caliper/tui/ui"
	"caliper/watch"
)

var (
	slow    = flag.Bool("slow", false, "run the slow suites")
	reloads = flag.Int("reloads", 1_500, "reloads of the long run; with -slow")
	queries = flag.Int("queries", 10_000, "queries of the long run; with -slow")
)

// The tests start this test binary again as caliper itself.
const asCaliper = "CALIPER_TEST_AS_MAIN"

func TestMain(m *testing.M) {
	if code, ok := cli.Supervise(os.Args[1:], os.Environ()); ok {
		os.Exit(code) // a server's environment is its own
	}
	if os.Getenv(asCaliper) != "" {
		main()
	}
	os.Exit(m.Run())
}

// caliper returns a command that runs main with arguments.
func caliper(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	// Under the race detector the process would linger for a second.
	cmd.Env = []string{asCaliper + "=1", "GORACE=atexit_sleep_ms=0", "TERM=xterm-256color", "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	return cmd
}

func TestWithoutTerminal(t *testing.T) {
	cmd := caliper(t)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 || !strings.HasPrefix(string(out), "caliper  a workbench") || bytes.ContainsRune(out, '\x1b') {
		t.Errorf("%v, %q, %q", err, out, &complaints)
	}
}

// The exit code of every outcome leaves the process.
func TestExitCodes(t *testing.T) {
	for want, args := range map[int][]string{
		0: {"search", "open a change"},
		1: {"search", "zzzz"},
		2: {"--no-such-flag"},
	} {
		cmd := caliper(t, args...)
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%q: exit code %d, want %d", args, got, want)
		}
	}
}

func TestInterrupt(t *testing.T) {
	cmd := caliper(t, "search", "-")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer cmd.Process.Kill()
	if _, err := in.Write([]byte("open a change\n")); err != nil {
		t.Fatal(err)
	}
	// The answer says that the command is up and waits for the next query.
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"query":"open a change"`) {
		t.Fatalf("%q, %v", line, err)
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
}

// A terminal is not asked for its colours, since the library that would ask waits five seconds
// for the answer.
func TestMuteTerminal(t *testing.T) {
	cmd := caliper(t, "--help")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no pty here: %v", err)
	}
	defer tty.Close()
	defer cmd.Process.Kill()
	var got bytes.Buffer
	chunk := make([]byte, 4096)
	for !strings.Contains(got.String(), "Usage") {
		n, err := tty.Read(chunk)
		got.Write(chunk[:n])
		if err != nil {
			t.Fatalf("%v after %q", err, &got)
		}
	}
	if asked := regexp.MustCompile(`\x1b\]1[01];\?|\x1b\[6n`).FindString(got.String()); asked != "" {
		t.Errorf("the terminal was asked %q before the page", asked)
	}
	_ = cmd.Wait()
}

// Two programs of one size and one time are different builds.
func TestBuildOf(t *testing.T) {
	at := time.Unix(1, 0)
	var builds []string
	for _, content := range []string{"one", "two", "two"} {
		path := filepath.Join(t.TempDir(), "caliper")
		require.NoError(t, os.WriteFile(path, []byte(content), 0o700))
		require.NoError(t, os.Chtimes(path, at, at))
		builds = append(builds, buildOf(path))
	}
	if builds[0] == "" || builds[0] == builds[1] || builds[1] != builds[2] {
		t.Errorf("%q", builds)
	}
	if got := buildOf(filepath.Join(t.TempDir(), "caliper")); got != "" {
		t.Errorf("no file is the build %q", got)
	}
}

// session is an explorer on files of its own, with the watchers of main and
// bubbletea's loop, but no terminal.
type session struct {
	t        testing.TB
	registry string
	config   string
	program  *tea.Program
	screen   *lastScreen
	stop     context.CancelFunc
	ended    chan error
}

// lastScreen is a model that keeps the last view of another.
type lastScreen struct {
	tea.Model
	mu      sync.Mutex
	view    string
	awaited string        // text that is waited for; empty for none
	seen    chan struct{} // closed when it is on the screen
}

// Update passes a message on.
func (s *lastScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	s.Model, cmd = s.Model.Update(msg)
	return s, cmd
}

// View draws the screen and looks for the text that is waited for.
func (s *lastScreen) View() string {
	view := s.Model.View()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.view = view
	if s.awaited != "" && strings.Contains(view, s.awaited) {
		s.awaited = ""
		close(s.seen)
	}
	return view
}

// await returns a channel that is closed once the screen has text.
func (s *lastScreen) await(text string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = make(chan struct{})
	if strings.Contains(s.view, text) {
		close(s.seen)
		return s.seen
	}
	s.awaited = text
	return s.seen
}

// open opens an explorer whose watchers have a pace. A still one has no timers.
func open(t testing.TB, pace watch.Options, still bool) *session {
	t.Helper()
	folder := t.TempDir()
	s := &session{
		t: t, registry: filepath.Join(folder, "registry.json"), config: filepath.Join(folder, "config.yaml"),
		ended: make(chan error, 1),
	}
	s.write(0)
	require.NoError(t, os.WriteFile(s.config, []byte("tools: {tool_search: {enabled: true}}\nsessions: {default: {}, few: {enabled_toolsets: [one]}}\n"), 0o600))
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	opt := tui.Options{Registry: []string{s.registry}, Config: s.config, Look: ui.Look{Profile: termenv.TrueColor}, Now: time.Now, Still: still, Pace: pace}
	s.screen = &lastScreen{Model: tui.NewApp(ctx, opt)}
	s.program = tea.NewProgram(s.screen, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithFPS(1), tea.WithoutSignalHandler(), tea.WithContext(ctx))
	go func() {
		_, err := s.program.Run()
		s.ended <- err
	}()
	s.program.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.wait(marker(0))
	return s
}

// close ends the explorer.
func (s *session) close() {
	s.stop()
	<-s.ended
}

// marker returns the name of the tool that only one revision of the registry has.
func marker(revision int) string { return fmt.Sprintf("mark_%d_", revision) }

// write writes a revision of the registry in one step. Of its thirty tools, one
// is new and three have another of twenty descriptions. One is long, so that a part
// of the file that is kept shows in the heap.
func (s *session) write(revision int) {
	s.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `{"tools":[{"toolset":"one","function":{"name":"%s","description":"the newest"}}`, marker(revision))
	for i := range 29 {
		text := "reads the records of a table"
		if i < 3 {
			text = fmt.Sprintf("writes record %d of a table", revision%20)
		}
		if i == 3 {
			text = strings.Repeat("reads the records of a table. ", 1000)
		}
		fmt.Fprintf(&b, `,{"toolset":"two","function":{"name":"tool_%d","description":%q,`+
			`"parameters":{"type":"object","properties":{"table":{"type":"string","description":"name of the table"}}}}}`, i, text)
	}
	b.WriteString("]}")
	if err := os.WriteFile(s.registry+".new", []byte(b.String()), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(s.registry+".new", s.registry); err != nil {
		s.t.Fatal(err)
	}
}

// wait waits until the screen has text.
func (s *session) wait(text string) {
	s.t.Helper()
	select {
	case <-s.screen.await(text):
	case <-time.After(time.Minute):
		s.screen.mu.Lock()
		defer s.screen.mu.Unlock()
		s.t.Fatalf("the screen never has %q:\n%s", text, s.screen.view)
	}
}

// reloads makes so many revisions and waits for each to be on the screen.
func (s *session) reloads(from, n int) {
	for i := from; i < from+n; i++ {
		s.write(i)
		s.wait(marker(i))
	}
}

// queries types so many queries, one after another, and then none. Every fiftieth
// time it goes through the screens, whose jobs then begin.
func (s *session) queries(from, n int) {
	for i := from; i < from+n; i++ {
		s.program.Send(tea.KeyMsg{Type: tea.KeyCtrlU})
		s.program.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(fmt.Sprintf("record %d table", i))})
		if i%50 == 0 {
			for screen := '1'; screen <= '7'; screen++ {
				s.program.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{screen}, Alt: true})
			}
			s.program.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'1'}, Alt: true})
		}
	}
	s.program.Send(tea.KeyMsg{Type: tea.KeyCtrlU})
}

// held is the memory of a process.
type held struct {
	heap       uint64 // bytes in use after a collection
	goroutines int
	threads    int // 0 where the system does not say
	files      int // open file descriptors; 0 where the system does not say
}

// entries returns how many entries a folder has; 0 if there is no such folder.
func entries(folder string) int {
	list, _ := os.ReadDir(folder)
	return len(list)
}

// holds returns what the process holds.
func holds() held {
	debug.FreeOSMemory() // collects, too
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return held{m.HeapAlloc, runtime.NumGoroutine(), entries("/proc/self/task"), entries("/proc/self/fd")}
}

// more returns what a process holds more than a baseline after so many reloads, empty
// for nothing. What is allowed: work that has not ended yet; and the terms of each
// new tool, which retrieval keeps for catalogs to come, 8 MB of them.
func (h held) more(base held, reloads int) string {
	const (
		heap    = 1 << 20
		tool    = 300
		threads = 6 // the runtime keeps threads that once were blocked by the system
	)
	switch {
	case h.heap > base.heap+base.heap/8+heap+uint64(min(reloads*tool, 8<<20)):
		return fmt.Sprintf("%d KB of heap, and %d before", h.heap>>10, base.heap>>10)
	case h.goroutines > base.goroutines:
		return fmt.Sprintf("%d goroutines, and %d before", h.goroutines, base.goroutines)
	case h.threads > base.threads+threads:
		return fmt.Sprintf("%d threads, and %d before", h.threads, base.threads)
	case h.files > base.files:
		return fmt.Sprintf("%d open files, and %d before", h.files, base.files)
	}
	return ""
}

// returns demands that the process holds no more than the baseline, as soon as
// all work has ended.
func returns(t *testing.T, base held, reloads int) {
	t.Helper()
	var now held
	for range 100 {
		now = holds()
		if now.more(base, reloads) == "" {
			t.Logf("before %+v, after %+v", base, now)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%s\n%s", now.more(base, reloads), stacks[:runtime.Stack(stacks, true)])
}

// TestLongRun: reloads and queries leave nothing behind, with the events of the
// system and the real clock. The baseline is what the explorer holds after a
// warm-up of the same kind. A whole day's work takes some eight minutes:
//
//	go test . -run TestLongRun -slow -reloads 10000 -queries 100000 -timeout 30m
func TestLongRun(t *testing.T) {
	reloads, queries, warm := *reloads, *queries, 100
	if !*slow {
		reloads, queries, warm = 60, 400, 40
	}
	s := open(t, watch.Options{Quiet: time.Millisecond, Ceiling: 10 * time.Millisecond}, true)
	defer s.close()
	s.reloads(1, warm)
	s.queries(0, 5*warm)
	s.reloads(warm+1, 1)
	base := holds()
	for step := range 10 {
		s.reloads(warm+2+step*reloads/10, reloads/10)
		s.queries(5*warm+step*queries/10, queries/10)
	}
	s.reloads(warm+2+reloads, 1)
	returns(t, base, reloads)
}

// TestIdleWeek: an explorer that nobody touches for a week, with a reload and a
// query every hour, holds after it what it held after the first hour. The clock
// is that of synctest. It stands still while a goroutine waits for the system's
// events, so that the watchers poll here.
func TestIdleWeek(t *testing.T) {
	hours := 3
	if *slow {
		hours = 7 * 24
	}
	synctest.Test(t, func(t *testing.T) {
		s := open(t, watch.Options{ForcePoll: true}, false)
		defer s.close()
		hour := func(n int) {
			s.reloads(n, 1)
			s.queries(n, 1)
			time.Sleep(time.Hour)
		}
		hour(1)
		base := holds()
		for n := range hours {
			hour(2 + n)
		}
		returns(t, base, hours)
	})
}

// Beside a small heap two fifths of it may be garbage, beside a larger one 40 MB, or what a
// collection scans, and beside a very large one an eighth. Replay may have more.
func TestGarbageShare(t *testing.T) {
	for _, c := range []struct {
		live, scanned uint64 // MB
		want          int    // percent
	}{
		{0, 0, 40},
		{1, 1, 40},
		{90, 0, 40},
		{200, 0, 20},
		{200, 30, 20},
		{200, 60, 30},
		{200, 90, 40},
		{330, 0, 12},
		{900, 0, 12},
		{900, 90, 12},
		{900, 180, 20},
	} {
		if got := garbageOf(nil).share(c.live<<20, c.scanned<<20); got != c.want {
			t.Errorf("%d MB live, %d MB scanned: %d %%, want %d", c.live, c.scanned, got, c.want)
		}
	}
	if got := garbageOf([]string{"lint"}).share(330<<20, 300<<20); got != 12 {
		t.Errorf("lint: %d %% beside 330 MB, want 12", got)
	}
	replay := garbageOf([]string{"replay", "logs"})
	for live, want := range map[uint64]int{20: 200, 64: 100, 200: 32} {
		if got := replay.share(live<<20, 0); got != want {
			t.Errorf("replay: %d %% beside %d MB, want %d", got, live, want)
		}
	}
}
