package watch

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// deepTicks is how many ticks pass before one reads every file, even those that look unchanged.
const deepTicks = 12

// loop is the state of the watcher's goroutine; nothing else touches it.
type loop struct {
	*Watcher
	roots  []root
	source source
	pace   pace

	seen      []content // of the last look
	published []File    // of the last Change
	begun     bool      // there was a Change
	poked     bool      // there was a Poke since the last Change
	ticked    []entry   // found by a tick that started the wait; nil when an event started it
	deep      time.Time // when everything was last read
}

func newLoop(w *Watcher, paths []string, o Options, open func() (*fsnotify.Watcher, error)) *loop {
	roots := make([]root, 0, len(paths))
	for _, p := range paths {
		real := p
		if p != "" && !filepath.IsAbs(p) { // an empty path is missing, not the working directory
			if wd, err := os.Getwd(); err == nil {
				real = wd + string(filepath.Separator) + p
			}
		}
		roots = append(roots, root{p, real})
	}
	return &loop{
		Watcher: w,
		roots:   roots,
		source:  source{open: open},
		pace:    pace{opt: o},
	}
}

// run looks once and then whenever the pace says so, until ctx ends.
func (l *loop) run(ctx context.Context) {
	defer close(l.changes)
	defer l.source.close()
	l.look(true)
	every := l.interval()
	ticker, timer := time.NewTicker(every), time.NewTimer(0)
	defer ticker.Stop()
	defer timer.Stop()
	for {
		if d := l.interval(); d != every {
			every = d
			ticker.Reset(d)
		}
		var due <-chan time.Time
		if at, ok := l.pace.next(); ok {
			timer.Reset(time.Until(at))
			due = timer.C
		}
		var events <-chan fsnotify.Event // without a watcher nil, which blocks for ever
		var faults <-chan error
		if fs := l.source.fs; fs != nil {
			events, faults = fs.Events, fs.Errors
		}
		select {
		case <-ctx.Done():
			return
		case ev, ok := <-events:
			l.event(ev, ok)
		case err, ok := <-faults:
			l.sourceError(err, ok)
		case <-l.pokes:
			l.poked = true
			l.look(true)
		case <-due:
			l.look(false)
		case <-ticker.C:
			l.tick()
		}
	}
}

// interval returns the time between ticks.
func (l *loop) interval() time.Duration {
	if l.source.note != "" {
		return l.pace.opt.Poll
	}
	return l.pace.opt.Tick
}

// event takes any event as a sign of change: a stat costs little, and a swapped link has another
// name. Attributes change no bytes, but may make a file readable.
func (l *loop) event(ev fsnotify.Event, ok bool) {
	if !ok {
		l.source.lose(fsnotify.ErrClosed)
		return
	}
	unreadable := func(c content) bool { return c.Err != nil && !errors.Is(c.Err, fs.ErrNotExist) }
	if ev.Op == fsnotify.Chmod && !slices.ContainsFunc(l.seen, unreadable) {
		return
	}
	l.pace.poke(time.Now())
}

// sourceError looks after an overflow, which has lost events; any other error ends the source, and
// the next tick tries a new one.
func (l *loop) sourceError(err error, ok bool) {
	switch {
	case !ok:
		l.source.lose(fsnotify.ErrClosed)
	case errors.Is(err, fsnotify.ErrEventOverflow):
		l.pace.poke(time.Now())
	default:
		l.source.lose(err)
	}
}

// tick finds changes without events: it renews the watches and stats the files, whose stamps may
// be too young to prove anything. Once in deepTicks it reads all, for unreliable stamps.
func (l *loop) tick() {
	now := time.Now()
	if _, waiting := l.pace.next(); waiting {
		return // a look is coming that does as much
	}
	l.source.arm(l.roots, l.pace.opt)
	found := scan(l.roots, l.pace.opt)
	same := slices.EqualFunc(l.seen, found, func(c content, e entry) bool {
		return c.Name == e.shown && c.holds(e)
	})
	switch {
	case !same:
		l.ticked = found
		l.pace.poke(now)
	case now.Sub(l.deep) >= deepTicks*l.pace.opt.Tick:
		l.look(true)
	}
}

// look reads the changed files, or all when deep, and publishes them unless they are doubtful or
// as before.
func (l *loop) look(deep bool) {
	now := time.Now()
	l.source.arm(l.roots, l.pace.opt)
	found := scan(l.roots, l.pace.opt)
	if l.ticked != nil && !deep && l.pace.mayWait(now) && !slices.EqualFunc(l.ticked, found, func(x, y entry) bool {
		if x.shown != y.shown || (x.err == nil) != (y.err == nil) {
			return false
		}
		return x.err != nil || sameStamp(x.info, y.info)
	}) {
		// No event says when the writer is done, so two scans in a row must be the same.
		l.ticked = found
		l.pace.poke(now)
		return
	}
	l.ticked = nil
	l.pace.answer()
	if deep {
		l.deep = now
	}
	was := l.seen
	l.seen = load(found, was, l.published, deep, l.pace.opt.Valid)
	files := filesOf(l.seen)
	if l.begun && !l.poked && slices.EqualFunc(l.published, files, sameFile) {
		l.pace.settle()
		return
	}
	if l.doubtful() {
		fresh := !slices.EqualFunc(filesOf(was), files, sameFile)
		if l.pace.doubt(now, fresh) {
			return
		}
	}
	l.pace.settle()
	l.published, l.begun, l.poked = files, true, false
	select { // in place of an unreceived Change; it cannot block, since the loop alone sends
	case <-l.changes:
	default:
	}
	l.changes <- Change{Files: slices.Clone(files), Note: l.source.note}
}

// doubtful reports whether the last look may have seen a change that is not over.
func (l *loop) doubtful() bool {
	before := byName(l.published)
	present := make(map[string]bool, len(l.seen))
	for i := range l.seen {
		c := &l.seen[i]
		old, known := before[c.Name]
		present[c.Name] = true
		switch {
		case known && sameFile(old, c.File):
		case c.Err != nil:
			if known && old.Err == nil {
				return true
			}
		case c.Invalid, c.torn, len(c.Data) == 0:
			return true
		case known && bytes.HasPrefix(old.Data, c.Data):
			return true // truncated, and the rest may follow; valid when the format is lines
		}
	}
	return slices.ContainsFunc(l.published, func(f File) bool {
		return f.Err == nil && !present[f.Name]
	})
}

// sameFile reports whether a consumer sees no difference between two files.
func sameFile(a, b File) bool {
	if a.Name != b.Name || (a.Err == nil) != (b.Err == nil) {
		return false
	}
	if a.Err != nil {
		return a.Err.Error() == b.Err.Error()
	}
	return a.Invalid == b.Invalid && bytes.Equal(a.Data, b.Data)
}

func filesOf(contents []content) []File {
	files := make([]File, len(contents))
	for i, c := range contents {
		files[i] = c.File
	}
	return files
}
