package replay

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/transcript"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// host is all that reading needs of the app.
type host struct{ screen.Host }

func (host) Context() context.Context        { return context.Background() }
func (host) Notify(ui.Level, string) tea.Cmd { return nil }
func (host) Finding() (string, bool)         { return "", false }
func (host) Now() time.Time                  { return time.Time{} }

// AskPath is told a path that is not there.
func (host) AskPath(_, _ string, _ bool, take func(string) tea.Cmd) tea.Cmd { return take("nowhere") }

// reader is a screen that reads by read.
func reader(t *testing.T, paths []string, read func(ctx context.Context) error) *Screen {
	t.Helper()
	s := New(desk.Desk{Host: host{}}, ui.Glyphs{}, Options{Paths: paths, Still: true, Read: func(ctx context.Context, _ []string, _ transcript.Agent, _ transcript.Options) (transcript.Log, error) {
		return transcript.Log{Sessions: []transcript.Session{{ID: "s"}}}, read(ctx)
	}})
	s.Update(desk.Loaded{After: &workbench.State{Snapshot: &engine.Snapshot{}}})
	return s
}

// gather runs a command and those that it leads to beside each other, and sends what they
// report, but does not give it to the screen.
func gather(cmd tea.Cmd, to chan<- tea.Msg) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				gather(c, to)
			}
			return
		}
		to <- msg
	}()
}

// A read that goes on for long ends when the user cancels it, what it reports later changes
// nothing, and it begins again when the user asks for it, but not when the log grows.
func TestReadIsCancelled(t *testing.T) {
	began, ended := make(chan bool, 2), make(chan error, 2)
	s := reader(t, []string{"log"}, func(ctx context.Context) error {
		began <- true
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	messages := make(chan tea.Msg, 10)
	gather(s.Start(true), messages)
	<-began
	if s.Start(true); !s.reading.Running || !strings.Contains(strings.Join(s.nothing(), " "), "esc cancels") {
		t.Fatalf("%q", s.nothing())
	}
	if !s.Back() {
		t.Fatal("nothing was cancelled")
	}
	if err := <-ended; err != context.Canceled {
		t.Fatal(err)
	}
	s.Update(<-messages)
	if got := s.nothing(); s.reading.Running || got[0] != "cancelled" {
		t.Fatalf("%q", got)
	}
	s.Update(lookMsg{s.revision, "1"})
	if gather(s.Start(true), messages); s.reading.Running {
		t.Error("it began again by itself")
	}
	s.open()
	gather(s.Start(true), messages)
	<-began
	s.Back()
	<-ended
}

// A log that grew is read again, once; one that is as it was is not.
func TestGrowthIsRead(t *testing.T) {
	s := reader(t, []string{"log"}, func(context.Context) error { return nil })
	s.log = &logged{before: "one"}
	for _, c := range []struct {
		name     string
		revision int
		now      string
		again    bool
	}{
		{"as it was", 0, "one", false},
		{"of other paths", 7, "more", false},
		{"grown", 0, "more", true},
	} {
		before := s.revision
		s.Update(lookMsg{c.revision, c.now})
		if again := s.revision != before; again != c.again {
			t.Errorf("%s: read again %v", c.name, again)
		}
	}
}

// A log that cannot be read is read once more at the next look, and then when it changes; so
// is a folder in which nothing was found at the start.
func TestFailureIsFollowed(t *testing.T) {
	fails := errors.New("no session that can be read")
	s := reader(t, []string{"log"}, func(context.Context) error { return fails })
	messages := make(chan tea.Msg, 10)
	read := func() {
		gather(s.Start(true), messages)
		for s.reading.Running {
			s.Update(<-messages)
		}
	}
	if read(); s.reading.Err == nil {
		t.Fatal("it was read")
	}
	for _, c := range []struct {
		now   string
		again bool
	}{
		{"", true}, // it may have come back between the read and the look
		{"", false},
		{"one", true},
		{"one", false},
	} {
		before := s.revision
		s.Update(lookMsg{s.revision, c.now})
		if again := s.revision != before; again != c.again {
			t.Errorf("%+v: read again %v", c.now, again)
		}
		read()
	}
	fails = nil
	s.Update(lookMsg{s.revision, "more"})
	if read(); s.log == nil || s.unread != nil {
		t.Error("it is not read though it is there")
	}
}

// What was read stays when other paths cannot be read, and goes when they are.
func TestOtherPaths(t *testing.T) {
	s := replaying(t)
	read, log, report := s.options.Read, s.log, s.report
	first := s.paths
	s.ShowView(int(viewMisses))
	s.ask()
	if settle(s); s.log != log || s.report != report || s.view != viewMisses || s.waits() || s.paths[0] != first[0] {
		t.Errorf("after paths that cannot be read: %v, in view %s, waiting %v", s.paths, views[s.view], s.waits())
	}
	s.options.Read = func(ctx context.Context, _ []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error) {
		return read(ctx, first, agent, o)
	}
	s.ask()
	if settle(s); s.log == log || s.report == nil || s.report == report || s.view != viewSessions || s.paths[0] != "nowhere" || s.shownPaths != nil {
		t.Errorf("after others: %v, in view %s", s.paths, views[s.view])
	}
}

// Who cancels the reading of other paths has what was read before, which follows its logs and
// is read again where other tokens are asked for meanwhile.
func TestOtherPathsAreCancelled(t *testing.T) {
	s := replaying(t)
	log, report, first := s.log, s.report, s.paths
	read := s.options.Read
	s.options.Read = func(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error) {
		if paths[0] == "nowhere" {
			<-ctx.Done()
			return transcript.Log{}, ctx.Err()
		}
		return read(ctx, paths, agent, o)
	}
	s.ask()
	messages := make(chan tea.Msg, 10)
	gather(s.Start(true), messages)
	if !s.reading.Running || !s.Back() {
		t.Fatal("nothing is read")
	}
	if settle(s); s.log != log || s.report != report || s.paths[0] != first[0] || s.waits() {
		t.Errorf("after others were cancelled: %v, waiting %v", s.paths, s.waits())
	}
	before := s.revision
	s.Update(lookMsg{s.revision, "1"})
	if s.revision == before {
		t.Error("the logs are not followed")
	}
	settle(s)
	s.ask()
	gather(s.Start(true), messages)
	s.agent = transcript.OpenAI
	s.Back()
	log = s.log
	if settle(s); s.log == log && s.reading.Err == nil {
		t.Error("what was asked for meanwhile is not read")
	}
}

// When the session that is open is not in a new report, the first of it is open, at its
// beginning.
func TestOpenSessionGoes(t *testing.T) {
	s := replaying(t)
	s.openSession(keyOf(s.report.Sessions[s.report.order[1]]), nil)
	settle(s)
	gone := s.session
	s.scrub(2)
	sessions := s.report.inputs.Sessions
	at := s.report.numberOf(gone)
	s.log = &logged{of: s.log.of, before: s.log.before, Log: transcript.Log{Sessions: append(append([]transcript.Session(nil), sessions[:at]...), sessions[at+1:]...)}}
	if settle(s); s.session == gone || s.session != keyOf(s.report.Sessions[s.report.order[0]]) || s.step != 0 || s.current() == nil {
		t.Errorf("at request %d of %q", s.step, s.session)
	}
}

// Esc in a session that is replayed cancels that, not the reading of logs that grow.
func TestEscIsOfWhatIsSeen(t *testing.T) {
	s := replaying(t)
	s.revision++
	s.ShowView(int(viewSession))
	messages := make(chan tea.Msg, 100)
	gather(s.Start(true), messages)
	if !s.reading.Running || !s.single.Running {
		t.Fatal("one of both does not run")
	}
	if s.Back(); !s.reading.Running || s.single.Running {
		t.Errorf("reading %v, replaying the session %v", s.reading.Running, s.single.Running)
	}
	if settleWith(s, messages); s.current() != nil || !s.single.Stopped {
		t.Error("it began again by itself")
	}
}
