package cli

import (
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caliper/tui/cli/runner"
)

// terminal is a standard error that may be written to while it is read.
type terminal struct {
	lock sync.Mutex
	text strings.Builder
}

// Write takes a text.
func (e *terminal) Write(p []byte) (int, error) {
	e.lock.Lock()
	defer e.lock.Unlock()
	return e.text.Write(p)
}

// taken returns what was written since it was last asked.
func (e *terminal) taken() string {
	synctest.Wait()
	e.lock.Lock()
	defer e.lock.Unlock()
	defer e.text.Reset()
	return e.text.String()
}

// The count of a long command is one line, not written too often, and goes without a trace.
func TestProgress(t *testing.T) {
	t.Parallel()
	type step struct {
		after       time.Duration
		done, total int
		want        string
	}
	blank := func(n int) string { return "\r" + strings.Repeat(" ", n) + "\r" }
	for _, tt := range []struct {
		name     string
		terminal bool
		steps    []step
		cleared  string
	}{
		{"a short command says nothing", true, []step{{999 * time.Millisecond, 9, 10, ""}}, ""},
		{"after a second", true, []step{{0, 0, 2000, ""}, {time.Second, 500, 2000, "\r500 of 2,000 queries, 25%; ctrl-c stops it"}}, blank(42)},
		{"not too often", true, []step{
			{time.Second, 1, 4, "\r1 of 4 queries, 25%; ctrl-c stops it"},
			{99 * time.Millisecond, 2, 4, ""},
			{time.Millisecond, 3, 4, "\r3 of 4 queries, 75%; ctrl-c stops it"},
		}, blank(36)},
		{"a shorter line takes the longer away", true, []step{
			{time.Second, 10, 10, "\r10 of 10 queries, 100%; ctrl-c stops it"},
			{time.Second, 1, 9, "\r1 of 9 queries, 11%; ctrl-c stops it   "},
		}, blank(36)},
		{"of nothing", true, []step{{time.Second, 0, 0, "\r0 of 0 queries, 0%; ctrl-c stops it"}}, blank(35)},
		{"no terminal", false, []step{{time.Hour, 1, 2, ""}}, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out terminal
			r := runner.New(t.Context(), strings.NewReader(""), io.Discard, &out, runner.Env{StderrTerminal: tt.terminal})
			report := r.Counts("queries")
			for i, s := range tt.steps {
				time.Sleep(s.after)
				report(s.done, s.total)
				if got := out.taken(); got != s.want {
					t.Errorf("%s: step %d writes %q, want %q", tt.name, i+1, got, s.want)
				}
			}
			r.EndWaiting()
			r.EndWaiting()
			if got := out.taken(); got != tt.cleared {
				t.Errorf("%s: clearing writes %q, want %q", tt.name, got, tt.cleared)
			}
		})
	}
}

// A command that has nothing to count tells what it does, on a terminal, until its first output.
func TestWaiting(t *testing.T) {
	t.Parallel()
	for _, on := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var out terminal
			r := runner.New(t.Context(), strings.NewReader(""), io.Discard, &out, runner.Env{StderrTerminal: on})
			r.Wait(time.Hour)
			r.EndWaiting()
			r.Wait(time.Second)
			tally := r.Tally("counting tokens", "tool")
			read := r.Tallied(strings.NewReader(strings.Repeat("x", 3000)), 6000)
			piped := r.Tallied(strings.NewReader("x"), 0)
			for _, tt := range []struct {
				does func()
				want string
			}{
				{func() {}, "working, 1 s"},
				{func() { r.Doing("reading") }, "reading, 2 s"},
				{func() { tally(256, 5000) }, "counting tokens: 256 of 5,000 tools, 3 s"},
				{func() { tally(5000, 5000) }, "working on 5,000 tools, 4 s"},
				{func() { _, _ = io.ReadFull(read, make([]byte, 3000)) }, "reading: 3.0 kB of 6.0 kB, 5 s"},
				{func() { _, _ = io.ReadFull(piped, make([]byte, 1)) }, "reading: 1 byte, 6 s"},
			} {
				tt.does()
				time.Sleep(time.Second)
				if got := out.taken(); on && strings.TrimRight(got, " ") != "\r"+tt.want+"; ctrl-c stops it" || !on && got != "" {
					t.Errorf("terminal %t: %q, want %q", on, got, tt.want)
				}
			}
			_, _ = r.Out.WriteString("answer")
			_ = r.Out.Flush()
			tally(1, 2) // nobody waits
			time.Sleep(time.Minute)
			if got := out.taken(); on != strings.HasSuffix(got, " \r") || strings.TrimSpace(got) != "" {
				t.Errorf("terminal %t: the first output leaves %q", on, got)
			}
		})
	}
}
