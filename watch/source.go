package watch

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// maxWalks bounds how often arm begins again because directories change meanwhile.
const maxWalks = 4

// source is the system's events or, when that fails, none. It watches directories: the watch of a
// file is lost when another one is renamed over it.
type source struct {
	open func() (*fsnotify.Watcher, error)

	fs   *fsnotify.Watcher // nil for no events
	dirs []string          // that fs watches, sorted
	note string            // why events may be missing; empty when they are not
}

// arm watches the directories of roots, before every look and tick, which renews the watch of a
// replaced one, and again after a new one, in which an entry may have appeared before.
func (s *source) arm(roots []root, o Options) {
	if o.ForcePoll {
		s.note = polling(errors.New("forced"))
		return
	}
	for range maxWalks {
		want := directories(roots, o)
		stop := s.renew(want)
		if s.fs == nil {
			return
		}
		fresh := s.add(want)
		stop()
		if !fresh {
			return
		}
	}
}

// renew opens a new fsnotify.Watcher when there is none, or it watches a directory not in want,
// and returns what closes the old one: Remove of fsnotify 1.10 panics for a directory with two
// names.
func (s *source) renew(want []string) (stop func()) {
	wanted := func(dir string) bool { _, ok := slices.BinarySearch(want, dir); return ok }
	if s.fs != nil && !slices.ContainsFunc(s.dirs, func(d string) bool { return !wanted(d) }) {
		return func() {}
	}
	fresh, err := s.open()
	if err != nil {
		if s.fs == nil {
			s.note = polling(err)
		}
		return func() {}
	}
	old := s.fs
	s.fs, s.dirs = fresh, nil
	return func() {
		if old != nil {
			old.Close()
		}
	}
}

// add watches want and reports whether one of the directories was not watched before.
func (s *source) add(want []string) (fresh bool) {
	s.note = ""
	var dirs []string
	for _, dir := range want {
		err := s.fs.Add(dir)
		switch {
		case err == nil:
			dirs = append(dirs, dir)
			_, known := slices.BinarySearch(s.dirs, dir)
			fresh = fresh || !known
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			fresh = true // gone since the walk: walk again
		default:
			s.note = polling(err)
		}
	}
	s.dirs = dirs
	return fresh
}

// lose gives up the fsnotify.Watcher because of err. The next arm opens a new one.
func (s *source) lose(err error) {
	s.close()
	s.note = polling(err)
}

// close ends the watches.
func (s *source) close() {
	if s.fs != nil {
		s.fs.Close()
		s.fs, s.dirs = nil, nil
	}
}

// polling returns the Note of a Change because the system reports no events. Linux' texts for an
// exhausted limit, such as "no space left on device", would mislead.
func polling(err error) string {
	text := err.Error()
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		text = errno.Error()
	}
	for _, limit := range []error{syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, limit) {
			text = "inotify limit"
		}
	}
	return "polling (" + text + ")"
}
