//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package newfile

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// lease locks a new file until release is called or the process ends. It is not ok when a sweep,
// between creation and lock, took the file for one that was left.
func lease(made *os.File) (release func(), ok bool) {
	f, err := os.OpenFile(made.Name(), os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil { // a file that its owner may not read has no lock
		return func() {}, !errors.Is(err, fs.ErrNotExist)
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	_, gone := os.Lstat(made.Name())
	if errors.Is(err, unix.EWOULDBLOCK) || gone != nil {
		_ = f.Close()
		return nil, false
	}
	return func() { _ = f.Close() }, true
}

// removeAbandoned removes an unfinished file that nobody has locked, or that is old where there
// are no locks.
func removeAbandoned(name string, old bool) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return
	}
	defer f.Close() // after which it may be locked again, when it has no name
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil || old && !errors.Is(err, unix.EWOULDBLOCK) {
		os.Remove(name)
	}
}
