// Package watch turns paths into the bytes behind them, again after every change.
//
// Goals. A consumer receives the complete current content of all its paths, never an event, and
// receives it once for each state worth having: after a rename over the file, a save by an editor
// that moves the old file away, a slow writer or a swapped symbolic link there is exactly one
// Change, and the blank and half-written moments in between are never seen unless they last. A
// watcher does not go blind: directories are watched rather than files, they are added anew after
// every change, and a slow tick looks at what no event told of (network file systems, mapped
// writes, an overflown queue, a renamed ancestor).
//
// Non-goals. The package does not know what the bytes mean: a function of the caller says whether
// they are whole. It does not descend into folders within folders, does not report which operation
// happened, and does not keep the last good content of a file that broke; that is the consumer's.
// It neither logs nor reads the environment, and writes nothing.
package watch

import (
	"context"
	"time"

	"github.com/fsnotify/fsnotify"
)

// File is the content of one file at one moment. Data is shared with later Changes and with the
// watcher itself: it must not be modified.
type File struct {
	Path    string // as given to Watch; for a file of a folder, the folder joined with its name
	Data    []byte // nil when Err is set
	Err     error  // missing, unreadable or a folder with ErrNoFiles: an *fs.PathError, possibly wrapped
	Invalid bool   // Options.Valid still refused Data when patience ended
}

// Change is the complete content of all paths, in the order of the paths and, within a folder, of
// names. A file whose bytes did not change since the previous Change has the very same Data slice,
// so that its consumer can skip it.
type Change struct {
	Files []File
	// Note is empty when the system reports changes, else "polling (reason)", for instance
	// "polling (inotify limit)". It accompanies Changes and never causes one.
	Note string
}

// Options tune a Watcher. A duration that is zero or negative means its default.
type Options struct {
	Quiet    time.Duration // silence after an event before looking; 80 ms
	Ceiling  time.Duration // at most this long after the first event, however many follow; 500 ms
	Patience time.Duration // how long a doubtful state may last before it is published; 500 ms
	// Tick is the interval of the safety net; 5 s. It is the only thing that wakes an idle watcher,
	// which is why it is not shorter: it costs a few stat calls, and what it finds late is only what
	// the system never reported.
	Tick time.Duration
	Poll time.Duration // interval when polling, at most Tick; 1 s
	// Valid says whether data is whole; nil accepts everything. It depends on its arguments alone,
	// since it is asked once for the same bytes, and runs on the watcher's goroutine.
	Valid func(path string, data []byte) bool
	// Match says by its name whether a file of a folder belongs to it; nil accepts every file.
	Match     func(name string) bool
	FilesOnly bool // every path is meant to be a file: a folder in its place is an error
	ForcePoll bool // never ask the system for events
}

// withDefaults returns o with every absent duration filled in.
func (o Options) withDefaults() Options {
	fill := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	fill(&o.Quiet, 80*time.Millisecond)
	fill(&o.Ceiling, 500*time.Millisecond)
	fill(&o.Patience, 500*time.Millisecond)
	fill(&o.Tick, 5*time.Second)
	fill(&o.Poll, time.Second)
	o.Poll = min(o.Poll, o.Tick)
	return o
}

// Watcher watches until its context ends. Its methods may be called from any goroutine.
type Watcher struct {
	changes chan Change
	pokes   chan struct{}
	done    chan struct{}
}

// Watch starts to watch paths and returns at once. A path is a file or a folder, through any
// symbolic links; a folder stands for those of its regular files that Options.Match accepts, not
// for its subfolders, nor for links that lead nowhere. A folder without any is an error, as a
// missing file is: its files were deleted, or it stands where a file was. A path that does not
// exist is waited for. Relative paths are taken from the working directory of the moment.
//
// The first Change comes as soon as everything was read once. What is missing then is reported at
// once, since there is nothing a moment's wait could save and a mistyped path should show; a file
// that is empty or invalid is given Options.Patience, as it is later.
//
// Later on a state is doubtful, and published only when it outlasts Options.Patience, when a file
// is gone, unreadable, empty, invalid, a mere beginning of what it held before, or written to while
// it is read. Patience counts anew while a doubtful file goes on changing, but four times at most.
func Watch(ctx context.Context, paths []string, o Options) *Watcher {
	return start(ctx, paths, o, fsnotify.NewWatcher)
}

// start is Watch with the constructor of the event source open to tests.
func start(ctx context.Context, paths []string, o Options, open func() (*fsnotify.Watcher, error)) *Watcher {
	w := &Watcher{
		changes: make(chan Change, 1),
		pokes:   make(chan struct{}, 1),
		done:    make(chan struct{}),
	}
	go newLoop(w, paths, o.withDefaults(), open).run(ctx)
	return w
}

// Changes returns the channel of Changes, the same at every call. It holds at most one: a newer
// Change replaces the one that was not received. It is closed when the watcher ends.
func (w *Watcher) Changes() <-chan Change { return w.changes }

// Poke makes the watcher read everything now and publish it even when no byte changed. Only a
// doubtful state waits, for Options.Patience at most. Pokes that come before the first of them was
// answered are answered together. It never blocks and does nothing after the watcher ended.
func (w *Watcher) Poke() {
	select {
	case w.pokes <- struct{}{}:
	default:
	}
}

// Done is closed when the context has ended and the watcher has stopped: no goroutine of it is
// left, no watch of the system either. A read in progress is finished first.
func (w *Watcher) Done() <-chan struct{} { return w.done }

// publish puts c into the channel in place of what was not received. It cannot block: the loop is
// the only sender.
func (w *Watcher) publish(c Change) {
	select {
	case <-w.changes:
	default:
	}
	w.changes <- c
}
