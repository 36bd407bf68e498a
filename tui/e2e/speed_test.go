//go:build linux

package e2e

import (
	"bytes"
	"caliper/model/require"
	"caliper/tui/demo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// The tests of this file measure the real binary in a pseudo-terminal of
// 200×60 and print figures: go test ./tui/e2e -run Speed -slow -v. They say
// nothing about right or wrong, and fail only when a frame never comes.

// stopwatch is a program in a pseudo-terminal that nothing emulates, so that
// no more is measured than the program.
type stopwatch struct {
	t      testing.TB
	cmd    *exec.Cmd
	master *os.File
	began  time.Time

	mu     sync.Mutex
	output []byte    // since the last key
	at     time.Time // when the last piece of it came
	all    []byte    // since the reload began
	more   chan struct{}
}

// clock starts the program.
func clock(t testing.TB, home string, args ...string) *stopwatch {
	t.Helper()
	x := &stopwatch{t: t, cmd: exec.Command(binary, args...), more: make(chan struct{}, 1)}
	x.cmd.Env, x.cmd.Dir = environment(t, home), home
	x.began = time.Now()
	var err error
	if x.master, err = pty.StartWithSize(x.cmd, &pty.Winsize{Cols: 200, Rows: 60}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go x.read(ended)
	t.Cleanup(func() {
		_ = syscall.Kill(-x.cmd.Process.Pid, syscall.SIGKILL)
		_ = x.cmd.Wait()
		x.master.Close()
		<-ended
	})
	return x
}

func (x *stopwatch) read(ended chan<- struct{}) {
	defer close(ended)
	buf := make([]byte, 64<<10)
	for {
		n, err := x.master.Read(buf)
		if err != nil {
			return
		}
		x.mu.Lock()
		x.output, x.at = append(x.output, buf[:n]...), time.Now()
		x.all = append(x.all, buf[:n]...)
		x.mu.Unlock()
		select {
		case x.more <- struct{}{}:
		default:
		}
	}
}

// until waits until the output since the last key is as wanted, and returns
// when its last piece came.
func (x *stopwatch) until(what string, ok func(output []byte) bool) time.Time {
	x.t.Helper()
	deadline := time.After(patience)
	for {
		x.mu.Lock()
		done, at := ok(x.output), x.at
		x.mu.Unlock()
		if done {
			return at
		}
		select {
		case <-x.more:
		case <-deadline:
			x.t.Fatalf("never %s: %q", what, x.output)
		}
	}
}

// frame reports whether output ends with the end of a frame: of a synchronized
// update.
func frame(output []byte) bool { return bytes.HasSuffix(output, []byte("\x1b[?2026l")) }

// key presses a key and returns how long it took to the end of a frame.
func (x *stopwatch) key(text string) time.Duration {
	x.t.Helper()
	x.mu.Lock()
	x.output = x.output[:0]
	x.mu.Unlock()
	pressed := time.Now()
	if _, err := x.master.WriteString(text); err != nil {
		x.t.Fatal(err)
	}
	return x.until("a frame", frame).Sub(pressed)
}

// quantile returns a share of durations, in milliseconds.
func quantile(took []time.Duration, share float64) string {
	sorted := slices.Sorted(slices.Values(took))
	return fmt.Sprintf("%.2f ms", sorted[int(share*float64(len(sorted)-1))].Seconds()*1000)
}

func report(t *testing.T, what string, took []time.Duration) {
	t.Logf("%s: p50 %s, p90 %s, p99 %s, max %s (n=%d)", what,
		quantile(took, 0.5), quantile(took, 0.9), quantile(took, 0.99), quantile(took, 1), len(took))
}

// large writes n synthetic tools to a file.
func large(t testing.TB, n int) (home, path string) {
	t.Helper()
	home = t.TempDir()
	path = filepath.Join(home, "large.json")
	write(t, path, demo.Bulk(n))
	return home, path
}

// loaded waits until n tools are shown and the notices of the start are gone.
func (x *stopwatch) loaded(tools string) {
	x.t.Helper()
	x.until("loaded", func(output []byte) bool { return bytes.Contains(output, []byte(tools)) && frame(output) })
}

func TestSpeedStart(t *testing.T) {
	if !*slow {
		t.Skip("-slow measures")
	}
	var first, full []time.Duration
	for range 20 {
		x := clock(t, t.TempDir(), "--no-state")
		first = append(first, x.until("a frame", func(output []byte) bool { return bytes.Contains(output, []byte("caliper")) }).Sub(x.began))
		full = append(full, x.until("the demo", func(output []byte) bool { return bytes.Contains(output, []byte("192 tools")) && frame(output) }).Sub(x.began))
		x.master.WriteString("\x03")
		_ = x.cmd.Wait()
	}
	report(t, "start to first frame", first)
	report(t, "start to the demo's tools", full)
}

// BenchmarkFirstFrame starts the program with registries of all sizes: until the end
// of the first frame.
func BenchmarkFirstFrame(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			home, path := large(b, n)
			var took []time.Duration
			for b.Loop() {
				x := clock(b, home, "--no-state", "--registry", path)
				took = append(took, x.until("a frame", func(output []byte) bool { return bytes.Contains(output, []byte("1 Explore")) && frame(output) }).Sub(x.began))
				_, _ = x.master.WriteString("\x03")
				_ = x.cmd.Wait()
			}
			b.ReportMetric(float64(slices.Min(took).Microseconds())/1000, "least-ms")
		})
	}
}

// reloadedIn is the notice of a reload, which may be of two rows; the duration is its group.
var reloadedIn = regexp.MustCompile(`(?s)registry reloaded .{0,1000}?· in ([0-9.]+m?s)`)

// typed is the text that is typed, letter by letter.
const typed = "create a new branch list all files of the user search issues delete the invoice send mail to channel "

func TestSpeedKey(t *testing.T) {
	if !*slow {
		t.Skip("-slow measures")
	}
	for _, n := range []int{1000, 100_000} {
		home, path := large(t, n)
		x := clock(t, home, "--no-state", "--registry", path)
		x.loaded(map[int]string{1000: "1,000 tools", 100_000: "100,000 tools"}[n])
		time.Sleep(time.Second)
		before := x.used()
		var took []time.Duration
		for range 2 {
			for i, r := range typed {
				took = append(took, x.key(string(r)))
				time.Sleep(60*time.Millisecond + time.Duration(i%7)*3*time.Millisecond) // out of step with any clock
			}
			x.key("\x15")
		}
		report(t, fmt.Sprintf("key to frame at %d tools", n), took)
		t.Logf("processor: %v for %d keys", x.used()-before, len(took))
		x.mu.Lock()
		x.output = x.output[:0]
		x.mu.Unlock()
		burst := strings.Repeat(typed, 5)[:500]
		began := time.Now()
		if _, err := x.master.WriteString(burst); err != nil {
			t.Fatal(err)
		}
		tail := []byte(burst[len(burst)-20:])
		end := x.until("the end of the burst", func(output []byte) bool { return bytes.Contains(output, tail) && frame(output) })
		t.Logf("a burst of %d keys at %d tools: %v", len(burst), n, end.Sub(began))
	}
}

func TestSpeedReload(t *testing.T) {
	if !*slow {
		t.Skip("-slow measures")
	}
	home, path := large(t, 100_000)
	x := clock(t, home, "--no-state", "--registry", path)
	began := x.until("loaded", func(output []byte) bool { return bytes.Contains(output, []byte("100,000 tools")) && frame(output) })
	t.Logf("start to 100,000 tools: %v", began.Sub(x.began))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var took []time.Duration
	var whole []string
	for i := range 5 {
		other := bytes.Replace(data, []byte(`"description":"`), fmt.Appendf(nil, `"description":"Revised %d. `, i), 1)
		write(t, path+".tmp", other)
		time.Sleep(2 * time.Second) // let the disk settle
		x.mu.Lock()
		x.all = nil
		x.mu.Unlock()
		began := time.Now()
		rename(t, path+".tmp", path)
		deadline := began.Add(patience)
		for k := 0; ; k++ {
			took = append(took, x.key(string(typed[k%len(typed)])))
			x.mu.Lock()
			found := reloadedIn.FindSubmatch(x.all)
			x.mu.Unlock()
			if found != nil {
				whole = append(whole, fmt.Sprintf("in %s, seen after %v", found[1], time.Since(began).Round(time.Millisecond)))
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("never reloaded")
			}
			time.Sleep(33 * time.Millisecond)
		}
		time.Sleep(6 * time.Second) // the notice goes
		x.key("\x15")
	}
	report(t, "key to frame while 100,000 tools reload", took)
	t.Logf("reloads: %s", strings.Join(whole, "; "))
	if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", x.cmd.Process.Pid)); err == nil {
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "VmHWM") || strings.HasPrefix(line, "VmRSS") {
				t.Log(strings.Join(strings.Fields(line), " "))
			}
		}
	}
}

func TestSpeedIdle(t *testing.T) {
	if !*slow {
		t.Skip("-slow measures")
	}
	x := clock(t, t.TempDir(), "--no-state")
	x.loaded("192 tools")
	time.Sleep(7 * time.Second) // the notice goes
	const watched = 10 * time.Second
	used, woken := x.used(), x.woken()
	time.Sleep(watched)
	t.Logf("idle for %v: %v of the processor, woken %d times", watched, x.used()-used, x.woken()-woken)
}

// used returns the time of the processor that the program has used: proc(5),
// first field of schedstat.
func (x *stopwatch) used() time.Duration {
	total := 0
	for _, task := range x.tasks() {
		data, _ := os.ReadFile(filepath.Join(task, "schedstat"))
		if fields := strings.Fields(string(data)); len(fields) > 0 {
			n, _ := strconv.Atoi(fields[0])
			total += n
		}
	}
	return time.Duration(total)
}

// woken returns how often threads of the program gave up the processor to
// wait: proc(5), voluntary_ctxt_switches.
func (x *stopwatch) woken() int {
	total := 0
	for _, task := range x.tasks() {
		data, _ := os.ReadFile(filepath.Join(task, "status"))
		if _, rest, ok := strings.Cut(string(data), "\nvoluntary_ctxt_switches:"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			total += n
		}
	}
	return total
}

// tasks returns the folders of the program's threads in /proc.
func (x *stopwatch) tasks() []string {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", x.cmd.Process.Pid))
	if err != nil || len(tasks) == 0 {
		x.t.Fatal("no threads in /proc", err)
	}
	return tasks
}
