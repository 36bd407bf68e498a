package cli

import (
	"bytes"
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
		{"after a second", []step{{0, 0, 2000, ""}, {time.Second, 500, 2000, "\r500 of 2,000 queries, 25%"}}, "\r                         \r"},
		{"not too often", []step{
			{time.Second, 1, 4, "\r1 of 4 queries, 25%"},
			{99 * time.Millisecond, 2, 4, ""},
			{time.Millisecond, 3, 4, "\r3 of 4 queries, 75%"},
		}, "\r                   \r"},
		{"a shorter line takes the longer away", []step{
			{time.Second, 10, 10, "\r10 of 10 queries, 100%"},
			{time.Second, 1, 9, "\r1 of 9 queries, 11%   "},
		}, "\r                   \r"},
		{"of nothing", []step{{time.Second, 0, 0, "\r0 of 0 queries, 0%"}}, "\r                  \r"},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		c := &clock{time.Unix(1000, 0)}
		p := &progress{out: &out, now: c.now, what: "queries", since: c.at}
		for i, s := range tt.steps {
			c.at = c.at.Add(s.after)
			out.Reset()
			p.report(s.done, s.total)
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
		r := &run{errOut: &out, env: Env{StderrTerminal: terminal}}
		p := r.progress("queries")
		p.since = p.since.Add(-time.Hour)
		p.report(1, 2)
		p.clear()
		if (out.Len() > 0) != terminal {
			t.Errorf("terminal %t: %q", terminal, out.String())
		}
	}
}
