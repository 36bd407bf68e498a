package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	v2 "github.com/go-json-experiment/json"
	"github.com/spf13/pflag"

	"caliper/model/require"
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

// TestWritesToStreams: what is written to a standard stream follows what was printed there,
// also where the stream goes into a file.
func TestWritesToStreams(t *testing.T) {
	for name, stream := range map[string]**os.File{"/dev/stdout": &os.Stdout, "/dev/fd/2": &os.Stderr, "/proc/self/fd/1": &os.Stdout} {
		for what, write := range map[string]func(string, []byte) error{"file": new(Run).WriteFile, "own file": new(Run).WriteOwnFile} {
			file, err := os.Create(filepath.Join(t.TempDir(), "out"))
			require.NoError(t, err)
			kept := *stream
			*stream = file
			_, err = file.WriteString("printed, ")
			if err == nil {
				err = write(name, []byte("written, "))
			}
			if err == nil {
				_, err = file.WriteString("printed")
			}
			*stream = kept
			if got, _ := os.ReadFile(file.Name()); err != nil || string(got) != "printed, written, printed" {
				t.Errorf("%s, %s: %q, %v", what, name, got, err)
			}
			_ = file.Close()
		}
	}
}

// TestWritesWhatItHeld: what another program saves to the file of a flag while the command works stays, and
// the command may write again what it wrote.
func TestWritesWhatItHeld(t *testing.T) {
	t.Parallel()
	for _, own := range []bool{false, true} {
		for _, c := range []struct{ name, before, meanwhile, want string }{
			{"as it was", "old", "old", "new"},
			{"missing", "", "", "new"},
			{"saved meanwhile", "old", "edited", "edited"},
			{"made meanwhile", "", "edited", "edited"},
			{"the same is there by now", "old", "new", "new"},
		} {
			name := filepath.Join(t.TempDir(), "out")
			put := func(text string) {
				if text != "" {
					require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
				}
			}
			put(c.before)
			var file string
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			FlagSet{Set: flags}.Out(&file)
			require.NoError(t, flags.Parse([]string{"-o", name}))
			r := &Run{}
			r.hold(flags)
			put(c.meanwhile)
			write := r.WriteFile
			if own {
				write = r.WriteOwnFile
			}
			err := write(file, []byte("new"))
			if got, _ := os.ReadFile(name); string(got) != c.want || (err != nil) != (c.want != "new") {
				t.Errorf("%s, own %v: %q, %v; want %q", c.name, own, got, err, c.want)
			}
			if err == nil {
				err = write(file, []byte("next"))
				if got, _ := os.ReadFile(name); err != nil || string(got) != "next" {
					t.Errorf("%s, own %v, once more: %q, %v", c.name, own, got, err)
				}
			}
		}
	}
}

// JSON printed in pieces equals what encoding/json indents in one.
func TestPrintJSONInPieces(t *testing.T) {
	t.Parallel()
	numbers := func(n int) Elements {
		return Each(make([]int, n), func(int) Object { return Object{{"a", []int{1, 2}}, {"b", Object{}}} })
	}
	for name, value := range map[string]any{
		"a number":       1,
		"no members":     Object{},
		"no elements":    Object{{"list", numbers(0)}},
		"elements":       Object{{"before", true}, {"list", numbers(3)}, {"after", "<x>"}},
		"nested":         Object{{"inner", Object{{"list", numbers(2)}}}, {"other", []Object{{{"c", nil}}}}},
		"bare elements":  numbers(2),
		"a list of none": []Object{},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			r := &Run{Out: bufio.NewWriter(&out)}
			require.NoError(t, r.PrintJSON(value))
			_ = r.Out.Flush()
			text, err := v2.Marshal(value, jsonOptions)
			require.NoError(t, err)
			var want bytes.Buffer
			require.NoError(t, json.Indent(&want, text, "", "  "))
			if out.String() != want.String()+"\n" {
				t.Errorf("%s\nwant\n%s", &out, &want)
			}
		})
	}
}
