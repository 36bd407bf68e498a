// Package watch reads files, and reads them again after every change. A consumer receives the
// complete current content of all its paths, never an event, and each lasting state once: after a
// rename over the file, a save by an editor that moves the old file away, a slow writer or a
// swapped symbolic link there is exactly one Change.
//
// It watches directories and not files, adds them again after every change, and a slow tick finds
// what causes no event (network file systems, mapped writes, a queue that overflowed, a renamed
// ancestor). Whether bytes are whole is for a function of the caller; the last good content of a
// file that broke is for the consumer to keep.
//
// One goroutine (loop.go) waits for events, ticks and Pokes. An event starts a wait for silence
// (debounce.go). Then it looks: it lists the directories to watch (links.go, source.go), reads the
// files whose stamps changed (read.go), and compares them with the last Change. A state that may be
// a moment of a longer change is doubtful and is looked at again until it has lasted for
// Options.Patience. If an editor truncates a file and writes it 100 ms later, the look 80 ms after
// the truncation finds an empty file, which is doubtful, and the one 80 ms after the write the new
// content, which alone is published.
//
// Invariants:
//   - a Change has all files, in the order of the paths
//   - two Changes in a row differ, unless there was a Poke between them
//   - a file whose bytes are the same has the same Data slice as before
//   - no goroutine and no watch of the system is left once Done is closed
package watch

import (
	"context"
	"time"

	"github.com/fsnotify/fsnotify"
)

// File is the content of one file at one moment. Data is shared and must not be modified.
type File struct {
	Name     string // path as given to Watch; for a file of a folder, the folder joined with its name
	InFolder bool   // found in a folder that was given
	Data     []byte // nil when Err is set
	Err      error  // why there is no Data: an *fs.PathError, possibly wrapped; of a folder ErrNoFiles
	Invalid  bool   // Options.Valid still refused Data when Options.Patience had passed
}

// Change is the complete content of all paths, in their order and, within a folder, that of names.
// A file whose bytes did not change has the same Data slice as before.
type Change struct {
	Files []File
	// Note is empty when the system reports changes, else "polling (reason)", for instance
	// "polling (inotify limit)". It accompanies Changes and never causes one.
	Note string
}

// Options tune a Watcher. A duration that is zero or negative means its default.
type Options struct {
	Quiet    time.Duration // silence after an event before a look; 80 ms
	Ceiling  time.Duration // the longest time from the first event to a look, however many follow; 500 ms
	Patience time.Duration // how long a doubtful state lasts before it is published; 500 ms
	// Tick is the interval at which the files are compared without any event; 5 s. It costs a few
	// stat calls, and finds only what the system does not report.
	Tick time.Duration
	Poll time.Duration // interval when polling, at most Tick; 1 s
	// Valid reports whether data is whole; nil accepts everything. It runs on the watcher's
	// goroutine, once for the same bytes, so that its result must depend on its arguments alone.
	Valid func(path string, data []byte) bool
	// Match reports whether a file with this name is read from a folder; nil accepts every file.
	Match     func(name string) bool
	Inside    string // name of a file that is read from each folder in a folder, hidden ones left out; empty for none
	FilesOnly bool   // a path that leads to a folder is an error
	ForcePoll bool   // never ask the system for events
}

// withDefaults returns o with a default for every duration that is absent.
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
}

// Watch starts to watch paths and returns at once. A path leads to a file or a folder, through any
// symbolic links, from the working directory at the time of the call. A folder stands for its
// regular files that Options.Match accepts, and those of Options.Inside; one without any is an
// error, as a missing file is. The watcher waits for a path that does not exist.
//
// The first Change comes as soon as everything was read once, with missing files, since a mistyped
// path should show at once. Later a state is doubtful when a file is gone, unreadable, empty,
// invalid, a mere beginning of its content in the last Change, or written to while it is read. It
// is published only when it has lasted for Options.Patience, which begins again as long as the file
// changes, up to four times.
func Watch(ctx context.Context, paths []string, o Options) *Watcher {
	return start(ctx, paths, o, fsnotify.NewWatcher)
}

// start is Watch with an event source that tests can replace.
func start(ctx context.Context, paths []string, o Options, open func() (*fsnotify.Watcher, error)) *Watcher {
	w := &Watcher{
		changes: make(chan Change, 1),
		pokes:   make(chan struct{}, 1),
	}
	go newLoop(w, paths, o.withDefaults(), open).run(ctx)
	return w
}

// Changes returns the channel of Changes, which holds the newest that was not received. It is
// closed when the watcher and its watches have ended.
func (w *Watcher) Changes() <-chan Change { return w.changes }

// Poke makes the watcher read and publish everything now, unless it is doubtful for a while. One
// Change answers all Pokes before it. Poke never blocks, and does nothing after the end.
func (w *Watcher) Poke() {
	select {
	case w.pokes <- struct{}{}:
	default:
	}
}
