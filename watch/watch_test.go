package watch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// newStage returns a stage for a test in real time.
func newStage(t *testing.T) *stage {
	t.Parallel()
	return &stage{t: t, dir: t.TempDir(), opt: quick()}
}

// begin watches r.json with an event source until the test ends.
func (s *stage) begin(open func() (*fsnotify.Watcher, error)) *Watcher {
	ctx, cancel := context.WithCancel(context.Background())
	w := start(ctx, []string{s.path("r.json")}, s.opt, open)
	s.t.Cleanup(func() {
		cancel()
		for range w.Changes() {
		}
	})
	return w
}

func TestDefaults(t *testing.T) {
	o := Options{Quiet: -1, Tick: 200 * time.Millisecond}.withDefaults()
	if o.Quiet != 80*time.Millisecond || o.Ceiling != 500*time.Millisecond || o.Patience != 500*time.Millisecond {
		t.Errorf("defaults are %+v", o)
	}
	if o := (Options{}).withDefaults(); o.Tick != 5*time.Second || o.Poll != time.Second {
		t.Errorf("ticks every %v, polls every %v", o.Tick, o.Poll)
	}
	if o.Poll != o.Tick {
		t.Errorf("polls every %v, less often than it ticks (%v)", o.Poll, o.Tick)
	}
}

func TestPokePublishesTheSameBytes(t *testing.T) {
	s := newStage(t)
	s.opt.Quiet, s.opt.Ceiling = time.Hour, time.Hour
	s.write("r.json", a)
	s.watch("r.json", "gone.json")
	defer s.stop()
	first := s.expect("r.json="+a, "gone.json?")
	for range 3 {
		s.w.Poke()
		sameSlice(t, first.Files[0], s.expect("r.json="+a, "gone.json?").Files[0])
	}
	s.write("r.json", b)
	s.w.Poke() // without waiting for the debounce, which takes an hour
	s.expect("r.json="+b, "gone.json?")
}

func TestPokeInTheMiddleOfAWriteIsAnsweredAfterIt(t *testing.T) {
	s := newStage(t)
	s.write("r.json", a)
	s.watch("r.json")
	defer s.stop()
	s.expect("r.json=" + a)
	s.write("r.json", a[:3])
	s.w.Poke()
	s.silence()
	s.appendTo("r.json", a[3:]) // the same bytes as before: only the poke makes them a change
	s.expect("r.json=" + a)
	s.write("r.json", a) // answered once: now the same bytes are nothing again
	s.silence()
}

func TestSlowConsumerSeesTheNewest(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := &stage{t: t, dir: dir, opt: quick()}
		s.opt.ForcePoll = true
		s.write("r.json", a)
		w := Watch(ctx, []string{s.path("r.json")}, s.opt)
		for _, data := range []string{b, c, d} {
			s.write("r.json", data)
			s.gap(time.Second)
		}
		if got := <-w.Changes(); string(got.Files[0].Data) != d {
			t.Errorf("received %q, want the newest", got.Files[0].Data)
		}
		select {
		case got := <-w.Changes():
			t.Errorf("an older change was kept: %q", got.Files[0].Data)
		default:
		}
		s.write("r.json", a)
		s.gap(time.Second)
		cancel()
		synctest.Wait()
		if got, ok := <-w.Changes(); !ok || string(got.Files[0].Data) != a {
			t.Error("the last change was lost at the end")
		}
		if _, ok := <-w.Changes(); ok {
			t.Error("the channel is not closed at the end")
		}
	})
}

func TestEndJoinsEverything(t *testing.T) {
	s := newStage(t)
	var inner *fsnotify.Watcher
	open := func() (_ *fsnotify.Watcher, err error) {
		inner, err = fsnotify.NewWatcher()
		return inner, err
	}
	s.write("r.json", a)
	ctx, cancel := context.WithCancel(context.Background())
	w := start(ctx, []string{s.path("r.json")}, s.opt, open)
	<-w.Changes()
	select {
	case <-w.Changes():
		t.Fatal("changed or done before the context")
	default:
	}
	cancel()
	if _, ok := <-w.Changes(); ok {
		t.Error("a change came after the end")
	}
	if _, ok := <-inner.Events; ok {
		t.Error("the event source is still open")
	}
	w.Poke()
	w.Poke() // must not block
}

func TestEndWhileWaiting(t *testing.T) {
	s := newStage(t)
	s.opt.Patience = time.Hour
	s.write("r.json", a[:3])
	s.watch("r.json")
	s.silence()
	s.stop()
	if _, ok := <-s.changes; ok {
		t.Error("a doubtful state was published at the end")
	}
}

func TestNothingToWatch(t *testing.T) {
	s := newStage(t)
	s.watch()
	defer s.stop()
	s.expect()
	s.w.Poke()
	s.expect()
	s.silence()
}

func TestRelativePathsAreShownAsGiven(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s := &stage{t: t, dir: dir, opt: quick()}
	s.write("r.json", a)
	ctx, cancel := context.WithCancel(t.Context())
	w := Watch(ctx, []string{"r.json", "gone.json"}, s.opt)
	first := (<-w.Changes()).Files
	if first[0].Name != "r.json" || string(first[0].Data) != a {
		t.Errorf("the first file is %+v", first[0])
	}
	t.Chdir(t.TempDir()) // the path is still the one in the folder of before
	s.write("r.json", b)
	if next := (<-w.Changes()).Files; string(next[0].Data) != b {
		t.Errorf("the file from another folder is %+v", next[0])
	}
	if got, want := first[1].Err.Error(), "open gone.json: no such file or directory"; got != want {
		t.Errorf("the error is %q, want %q", got, want)
	}
	cancel()
	for range w.Changes() {
	}
}

func TestNote(t *testing.T) {
	closed := func() (*fsnotify.Watcher, error) {
		w, err := fsnotify.NewWatcher()
		if err == nil {
			err = w.Close()
		}
		return w, err
	}
	for _, tc := range []struct {
		name string
		open func() (*fsnotify.Watcher, error)
		opt  func(*Options)
		want string
	}{
		{"events", fsnotify.NewWatcher, nil, ""},
		{"forced", fsnotify.NewWatcher, func(o *Options) { o.ForcePoll = true }, "polling (forced)"},
		{"too many instances", noOpen(fmt.Errorf("couldn't initialize inotify: %w", syscall.EMFILE)), nil, "polling (inotify limit)"},
		{"too many watches", noOpen(syscall.ENOSPC), nil, "polling (inotify limit)"},
		{"another errno", noOpen(fmt.Errorf("wrapped: %w", syscall.ENOSYS)), nil, "polling (function not implemented)"},
		{"another error", noOpen(errors.New("not supported")), nil, "polling (not supported)"},
		{"adding fails", closed, nil, "polling (fsnotify: watcher already closed)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStage(t)
			if tc.opt != nil {
				tc.opt(&s.opt)
			}
			s.write("r.json", a)
			w := s.begin(tc.open)
			if got := (<-w.Changes()).Note; got != tc.want {
				t.Errorf("the note is %q, want %q", got, tc.want)
			}
			s.write("r.json", b)
			select { // whatever the source: the change is found
			case got := <-w.Changes():
				if string(got.Files[0].Data) != b {
					t.Errorf("received %q", got.Files[0].Data)
				}
			case <-time.After(deadline):
				t.Error("no change came")
			}
		})
	}
}

// TestSourceReturns: once the limit is lifted, events are used again, and the note goes away.
func TestSourceReturns(t *testing.T) {
	s := newStage(t)
	s.write("r.json", a)
	tries := 0
	open := func() (*fsnotify.Watcher, error) {
		if tries++; tries <= 3 {
			return nil, syscall.EMFILE
		}
		return fsnotify.NewWatcher()
	}
	w := s.begin(open)
	note := (<-w.Changes()).Note
	for i := 0; note != ""; i++ {
		s.write("r.json", fmt.Sprintf(`{"n":%d}`, i))
		note = (<-w.Changes()).Note
		if i > 10 {
			t.Fatalf("the note is still %q", note)
		}
	}
}

// TestLossOfTheSourceIsPolledFor: a watcher whose events end goes on at the pace of polling at once,
// not at the safety net's, which is an hour here.
func TestLossOfTheSourceIsPolledFor(t *testing.T) {
	s := newStage(t)
	s.write("r.json", a)
	sources := make(chan *fsnotify.Watcher, 1)
	tries := 0
	open := func() (*fsnotify.Watcher, error) {
		if tries++; tries > 1 {
			return nil, syscall.EMFILE
		}
		fs, err := fsnotify.NewWatcher()
		sources <- fs
		return fs, err
	}
	w := s.begin(open)
	if c := <-w.Changes(); c.Note != "" {
		t.Fatalf("begins with %q", c.Note)
	}
	s.must((<-sources).Close())
	s.write("r.json", b)
	select {
	case c := <-w.Changes():
		if string(c.Files[0].Data) != b || c.Note != "polling (inotify limit)" {
			t.Errorf("received %q with note %q", c.Files[0].Data, c.Note)
		}
	case <-time.After(deadline):
		t.Error("no change came: it is not polled for")
	}
}

// newTestLoop returns a loop that no goroutine runs, after its first look.
func newTestLoop(s *stage, open func() (*fsnotify.Watcher, error), paths ...string) *loop {
	for i, p := range paths {
		paths[i] = filepath.Join(s.dir, p)
	}
	w := &Watcher{changes: make(chan Change, 1), pokes: make(chan struct{}, 1)}
	l := newLoop(w, paths, s.opt.withDefaults(), open)
	s.t.Cleanup(l.source.close)
	l.look(true)
	return l
}

func TestTroubleOfTheSource(t *testing.T) {
	s := newStage(t)
	s.write("r.json", a)
	l := newTestLoop(s, fsnotify.NewWatcher, "r.json")
	due := func() bool { _, ok := l.pace.next(); return ok }
	if due() || l.source.fs == nil || l.interval() != s.opt.Tick {
		t.Fatal("not at rest after the first look")
	}
	l.event(fsnotify.Event{Op: fsnotify.Chmod}, true)
	if due() {
		t.Error("a bare chmod leads to a look")
	}
	l.sourceError(fsnotify.ErrEventOverflow, true)
	if !due() || l.source.fs == nil {
		t.Error("an overflow must lead to a look, and keep the source")
	}
	for _, after := range []string{a, b} { // the doubt of an emptied file ends with the old bytes, and with new ones
		s.write("r.json", "")
		if l.look(false); !due() {
			t.Error("an empty file is not looked at again")
		}
		s.write("r.json", after)
		if l.look(false); due() {
			t.Errorf("still in doubt with %q", after)
		}
	}
	l.sourceError(syscall.EINVAL, true)
	if l.source.fs != nil {
		t.Error("a broken source was kept")
	}
	if l.interval() != s.opt.Poll || l.source.note != "polling (invalid argument)" {
		t.Errorf("ticks every %v with note %q", l.interval(), l.source.note)
	}
	l.tick()
	if l.source.fs == nil || l.source.note != "" {
		t.Error("the tick did not try a new source")
	}
	l.event(fsnotify.Event{}, false)
	if l.source.fs != nil {
		t.Error("a closed source was kept")
	}
	if l.look(false); l.source.fs == nil {
		t.Fatal("the look did not try a new source")
	}
	l.sourceError(nil, false)
	if l.source.fs != nil {
		t.Error("a closed source was kept")
	}
}

// TestTick: an idle tick stats and reads nothing; it finds what no event told of; it reads
// everything now and then. The clock of the bubble is years behind the time stamps of the files,
// which makes these old enough to be trusted.
func TestTick(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t, dir: dir, opt: quick()}
		s.write("r.json", a)
		l := newTestLoop(s, noOpen(syscall.EMFILE), "r.json", "gone.json")
		<-l.changes
		beginning := l.deep
		due := func() bool { _, ok := l.pace.next(); return ok }
		if l.tick(); due() || l.deep != beginning {
			t.Error("an idle tick leads to a look")
		}
		s.write("r.json", b)
		if l.tick(); !due() {
			t.Fatal("the tick missed a change")
		}
		s.appendTo("r.json", " ")
		if l.look(false); !due() || len(l.changes) != 0 {
			t.Error("did not wait for the file to stand still")
		}
		s.gap(l.pace.opt.Quiet)
		if l.look(false); due() {
			t.Error("waits on although the file stands still")
		}
		if got := <-l.changes; string(got.Files[0].Data) != b+" " {
			t.Errorf("received %q", got.Files[0].Data)
		}
		s.gap(12*l.pace.opt.Tick - l.pace.opt.Quiet - 1)
		if l.tick(); l.deep != beginning {
			t.Error("read everything too early")
		}
		s.gap(1)
		if l.tick(); !l.deep.After(beginning) {
			t.Error("did not read everything after so many ticks")
		}
	})
}
