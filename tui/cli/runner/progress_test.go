package runner

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a time that moves when it is told to.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func TestProgress(t *testing.T) {
	t.Parallel()
	type step struct {
		after       time.Duration
		done, total int
		want        string
	}
	tests := []struct {
		name    string
		steps   []step
		cleared string
	}{
		{"a short command says nothing", []step{{999 * time.Millisecond, 9, 10, ""}}, ""},
		{"after a second", []step{{0, 0, 2000, ""}, {time.Second, 500, 2000, "\r500 of 2,000 queries, 25%; ctrl-c stops it"}}, "\r                                          \r"},
		{"not too often", []step{
			{time.Second, 1, 4, "\r1 of 4 queries, 25%; ctrl-c stops it"},
			{99 * time.Millisecond, 2, 4, ""},
			{time.Millisecond, 3, 4, "\r3 of 4 queries, 75%; ctrl-c stops it"},
		}, "\r                                    \r"},
		{"a shorter line takes the longer away", []step{
			{time.Second, 10, 10, "\r10 of 10 queries, 100%; ctrl-c stops it"},
			{time.Second, 1, 9, "\r1 of 9 queries, 11%; ctrl-c stops it   "},
		}, "\r                                    \r"},
		{"of nothing", []step{{time.Second, 0, 0, "\r0 of 0 queries, 0%; ctrl-c stops it"}}, "\r                                   \r"},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		c := &clock{time.Unix(1000, 0)}
		p := &progress{lock: new(sync.Mutex), out: &out, now: c.now, What: "queries", since: c.at}
		for i, s := range tt.steps {
			c.at = c.at.Add(s.after)
			out.Reset()
			p.Report(s.done, s.total)
			if out.String() != s.want {
				t.Errorf("%s: step %d writes %q, want %q", tt.name, i+1, out.String(), s.want)
			}
		}
		out.Reset()
		p.clear()
		p.clear()
		if out.String() != tt.cleared {
			t.Errorf("%s: clearing writes %q, want %q", tt.name, out.String(), tt.cleared)
		}
	}
}

// Where standard error is no terminal, a command that takes long says nothing.
func TestProgressNeedsATerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for _, terminal := range []bool{false, true} {
		r := &Run{ErrOut: &out, Env: Env{StderrTerminal: terminal}}
		p := r.Progress("queries")
		p.since = p.since.Add(-time.Hour)
		p.Report(1, 2)
		r.EndWaiting()
		if (out.Len() > 0) != terminal || terminal && !strings.HasSuffix(out.String(), " \r") {
			t.Errorf("terminal %t: %q", terminal, out.String())
		}
	}
}

// A command that has nothing to count tells what it does, and the line goes before
// the first output.
func TestWaiting(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{false, true} {
		var out, complaints bytes.Buffer
		r := New(t.Context(), strings.NewReader(""), &out, &complaints, Env{StderrTerminal: terminal})
		r.Wait(time.Hour)
		r.EndWaiting()
		r.Wait(time.Millisecond)
		r.Doing("reading")
		if terminal {
			r.complaining.Lock()
			r.waiting.since = time.Now().Add(-3 * time.Second)
			r.complaining.Unlock()
			for shown := false; !shown; time.Sleep(time.Millisecond) {
				r.complaining.Lock()
				shown = strings.Contains(complaints.String(), "\rreading, 3 s; ctrl-c stops it")
				r.complaining.Unlock()
			}
		}
		_, _ = r.Out.WriteString("answer")
		if err := r.Out.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := complaints.String(); terminal != strings.HasSuffix(got, " \r") || !terminal && got != "" {
			t.Errorf("terminal %t: %q", terminal, got)
		}
	}
}

// The count is in the line of a command that waits.
func TestTally(t *testing.T) {
	t.Parallel()
	r := &Run{waiting: new(progress)}
	tally := r.Tally("counting tokens", "tool")
	read := r.Tallied(strings.NewReader(strings.Repeat("x", 3000)), 6000)
	piped := r.Tallied(strings.NewReader("x"), 0)
	for _, tt := range []struct {
		does func()
		want string
	}{
		{func() { tally(256, 5000) }, "counting tokens: 256 of 5,000 tools"},
		{func() { tally(5000, 5000) }, "working on 5,000 tools"},
		{func() { _, _ = io.ReadFull(read, make([]byte, 3000)) }, "reading: 3.0 kB of 6.0 kB"},
		{func() { _, _ = io.ReadFull(piped, make([]byte, 1)) }, "reading: 1 byte"},
	} {
		if tt.does(); r.waiting.doing != tt.want {
			t.Errorf("%q, want %q", r.waiting.doing, tt.want)
		}
	}
	r.waiting = nil
	tally(1, 2) // nobody waits
}
