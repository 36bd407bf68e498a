package replay

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/engine/transcript/logs"
	"caliper/model/newfile"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// replaying is a screen that has replayed the sessions of the demo, packed.
func replaying(t *testing.T) *Screen {
	t.Helper()
	folder := t.TempDir()
	for _, name := range demo.SessionFiles {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), demo.Session(name), 0o600))
	}
	st, err := workbench.New().Load(t.Context(), workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}}, Config: &watch.File{Name: "config.yaml", Data: demo.Config()}})
	require.NoError(t, err)
	s := New(desk.Desk{Host: host{}}, ui.Glyphs{}, Options{Paths: []string{folder}, Still: true, Read: func(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error) {
		if !o.Pack {
			t.Error("sessions are read into memory")
		}
		return logs.Read(ctx, paths, agent, o, newfile.CacheFolder{})
	}})
	s.Update(desk.Loaded{After: &st})
	s.w, s.h = 100, 30
	settle(s)
	if s.report == nil || len(s.report.Sessions) == 0 {
		t.Fatalf("nothing was replayed: %v %v", s.reading.Err, s.computing.Err)
	}
	return s
}

// settle does what a screen begins until it begins nothing.
func settle(s *Screen) { settleWith(s, make(chan tea.Msg, 100)) }

// settleWith is settle where what has begun already reports to a channel.
func settleWith(s *Screen, messages chan tea.Msg) {
	for {
		gather(s.Start(true), messages)
		if !s.reading.Running && !s.computing.Running && !s.single.Running {
			return
		}
		gather(s.Update(<-messages), messages)
	}
}

// TestRequestsOfOneSession: the screen has the requests of the session that is open,
// and they equal a replay's that has the requests of all.
func TestRequestsOfOneSession(t *testing.T) {
	s := replaying(t)
	in := s.report.inputs
	in.Steps, in.Detail = true, replay.EveryCall
	all, err := replay.Run(t.Context(), in)
	require.NoError(t, err)
	for i, want := range all.Sessions {
		if got := s.report.Sessions[i].Strategies[0].Steps; got != nil {
			t.Errorf("session %d: %d requests are kept", i, len(got))
		}
		s.openSession(keyOf(want), nil)
		if s.current() != nil || s.noRequests() == "" {
			t.Errorf("session %d: those of another are shown", i)
		}
		settle(s)
		for s.strategy = range want.Strategies {
			if got := s.steps(); len(got) == 0 || !reflect.DeepEqual(got, want.Strategies[s.strategy].Steps) {
				t.Errorf("session %d under %s: %d requests, want %d", i, want.Strategies[s.strategy].Strategy, len(got), len(want.Strategies[s.strategy].Steps))
			}
		}
		s.strategy = 0
		for at, calls := range s.requests.calls {
			for _, k := range calls {
				if c := s.requests.report.Calls[k]; c.Session != i || c.Context != at.context || c.Entry != at.entry {
					t.Errorf("session %d: %+v is at %+v", i, c, at)
				}
			}
		}
	}
}

// TestCallIsFound: a place in a session is opened at the request that is there, whether
// the requests of the session are known already or not.
func TestCallIsFound(t *testing.T) {
	s := replaying(t)
	key := keyOf(s.report.Sessions[s.report.Chains[s.report.Verdict.Loops[0]].Session])
	s.openSession(key, nil)
	settle(s)
	steps := s.steps()
	last := steps[len(steps)-1]
	at := &answerPosition{last.Context, last.Entry}
	for _, known := range []bool{true, false} {
		if !known {
			s.requests, s.session = nil, ""
			s.single.Reset()
		}
		s.step = 0
		if s.openSession(key, at); (s.current() != nil) != known {
			t.Fatalf("known %t", !known)
		}
		settle(s)
		if got := s.steps()[s.step]; got.Context != last.Context || got.Entry != last.Entry || s.step == 0 || s.goal != nil {
			t.Errorf("known %t: it is opened at request %d: %+v, want %+v", known, s.step, got, last)
		}
	}
}

// TestLoopOfNow: a loop is opened in the requests of the report that has it, not of
// one before.
func TestLoopOfNow(t *testing.T) {
	s := replaying(t)
	key := keyOf(s.report.Sessions[s.report.order[0]])
	s.openSession(key, nil)
	settle(s)
	s.report = newReplayed(s.report.Report, s.report.inputs) // as after the log has grown
	last := s.steps()[len(s.steps())-1]
	s.requests.report.Sessions[0].Strategies[s.strategy].Steps = nil
	s.openSession(key, &answerPosition{last.Context, last.Entry})
	if settle(s); s.step == 0 || s.steps()[s.step] != last {
		t.Errorf("it is opened at request %d", s.step)
	}
}

// TestSessionIsCancelled: esc ends the replay of a session, and enter begins it again.
func TestSessionIsCancelled(t *testing.T) {
	s := replaying(t)
	s.ShowView(int(viewSession))
	if s.Start(true); !strings.Contains(s.text(), "esc cancels") {
		t.Error(s.text())
	}
	if !s.Back() || !strings.Contains(s.text(), "enter starts it again") || s.noOpen() != "" {
		t.Error(s.text(), s.noOpen())
	}
	if s.Start(true); s.single.Running {
		t.Error("it began again by itself")
	}
	s.ShowView(int(viewMisses))
	if s.Start(true); s.waits() {
		t.Error("enter on another view begins it")
	}
	s.ShowView(int(viewSession))
	s.Start(true)
	s.Back()
	s.open()
	settle(s)
	if !strings.Contains(s.text(), "tokens of input") {
		t.Error(s.text())
	}
}

// TestLinesAreOfNow: the lines that are kept are those that would be built.
func TestLinesAreOfNow(t *testing.T) {
	s := replaying(t)
	all := s.report
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(1, 10).Draw(t, "changes") {
			switch rapid.IntRange(0, 8).Draw(t, "change") {
			case 0:
				s.ShowView(rapid.IntRange(0, int(viewCount)-1).Draw(t, "view"))
			case 1:
				s.Filter(rapid.SampledFrom([]string{"", "a", "loop", "nothing has this"}).Draw(t, "filter"))
			case 2:
				s.openSession(keyOf(all.Sessions[rapid.IntRange(0, len(all.Sessions)-1).Draw(t, "session")]), nil)
			case 3:
				settle(s)
			case 4:
				s.w, s.h = rapid.IntRange(30, 150).Draw(t, "w"), rapid.IntRange(8, 40).Draw(t, "h")
			case 5:
				if s.noRequests() == "" {
					s.scrub(rapid.IntRange(-2, 2).Draw(t, "by"))
				}
			case 6:
				if s.noRequests() == "" {
					s.turn(1)
				}
			case 7:
				s.CountBy(rapid.SampledFrom([]string{"", replay.CalibratedAll}).Draw(t, "tokenizer"))
			case 8:
				s.Back()
			}
			got := s.lines(s.w)
			s.builtOf = "" // so that they are built anew
			if want := s.lines(s.w); !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v\nwould be\n%+v", got, want)
			}
		}
	})
}

// TestMostListed: of many sessions the first are listed, the filter finds the others, and both say
// how many are left.
func TestMostListed(t *testing.T) {
	rep := new(replay.Report)
	for i := range 3 * mostListed {
		rep.Sessions = append(rep.Sessions, replay.Session{ID: fmt.Sprintf("s-%04d-0199a2c4-in-the-middle-%04d-6f5d1f3c8e42", i, i)})
	}
	s := &Screen{report: newReplayed(rep, replay.Inputs{})}
	listed := func(filter string) (sessions int, last string) {
		s.Filter(filter)
		lines := s.lines(100)
		for _, r := range lines {
			if r.session != "" {
				sessions++
			}
		}
		return sessions, lines[len(lines)-1].text
	}
	for _, c := range []struct {
		filter string
		want   int
		last   string
	}{
		{"", mostListed, "2,000 more sessions: / finds those with a text"},
		{"s-2345", 1, "s-2345"},
		{"middle-2345", 1, "s-2345"},
		{"s-", mostListed, "not looked at: 2,000 more sessions; a longer text finds fewer"},
	} {
		if got, last := listed(c.filter); got != c.want || !strings.HasPrefix(last, c.last) {
			t.Errorf("%q: %d sessions, then %q", c.filter, got, last)
		}
	}
}
