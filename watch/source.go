package watch

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// maxWalks bounds how often arming follows directories that change under it.
const maxWalks = 4

// source is where events come from: the system while it can be had, else nothing, and the loop
// polls. A file itself is never watched, only directories: the watch of a file follows the inode,
// and is lost for good when another file is renamed over it.
type source struct {
	open   func() (*fsnotify.Watcher, error)
	forced bool // poll, whatever the system offers

	fs   *fsnotify.Watcher // nil: no events at all
	dirs []string          // what fs was told to watch, sorted
	note string            // why events cannot be relied on; empty when they can
}

// events returns the channel of events; nil, which never delivers, when there is none.
func (s *source) events() <-chan fsnotify.Event {
	if s.fs == nil {
		return nil
	}
	return s.fs.Events
}

// errors returns the channel of errors; nil when there is none.
func (s *source) errors() <-chan error {
	if s.fs == nil {
		return nil
	}
	return s.fs.Errors
}

// arm watches every directory that matters for roots. It is called before every look and on every
// tick: adding a directory again costs nothing and revives the watch of one that was replaced. It
// walks again after adding a new one, since an entry may have appeared in it before its watch did.
func (s *source) arm(roots []root, match func(string) bool) {
	if s.forced {
		s.note = polling("forced")
		return
	}
	for range maxWalks {
		want := directories(roots, match)
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

// renew opens a new fsnotify.Watcher when there is none, or when the present one watches what is
// no longer wanted; the function it returns closes the old one, after the new one was filled.
// Removing directories one by one would be shorter, but fsnotify 1.10 panics in Remove when a path
// came to mean a directory that it knows by another name.
func (s *source) renew(want []string) (stop func()) {
	wanted := func(dir string) bool { _, ok := slices.BinarySearch(want, dir); return ok }
	if s.fs != nil && !slices.ContainsFunc(s.dirs, func(d string) bool { return !wanted(d) }) {
		return func() {}
	}
	fresh, err := s.open()
	if err != nil {
		if s.fs == nil {
			s.note = polling(reason(err))
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

// add watches want and reports whether that included a directory not watched before.
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
			s.note = polling(reason(err))
		}
	}
	s.dirs = dirs
	return fresh
}

// lose gives up the fsnotify.Watcher because of err. The next arm tries a new one.
func (s *source) lose(err error) {
	s.close()
	s.note = polling(reason(err))
}

// close ends the watches.
func (s *source) close() {
	if s.fs != nil {
		s.fs.Close()
		s.fs, s.dirs = nil, nil
	}
}

// polling returns the note of a Change for a reason to poll.
func polling(reason string) string { return "polling (" + reason + ")" }

// reason says in a few words why the system gives no events. On Linux an exhausted limit comes as
// "too many open files" (instances) or "no space left on device" (watches), which would mislead.
func reason(err error) string {
	for _, limit := range []error{syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, limit) {
			return "inotify limit"
		}
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	return err.Error()
}
