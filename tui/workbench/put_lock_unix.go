//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package workbench

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"caliper/model/newfile"
)

// lock locks a file against other calipers. It returns nil when another has the lock, or
// has replaced the file meanwhile. A disk without locks has none to wait for.
func lock(name string) (release func(), err error) {
	f, err := os.OpenFile(name, os.O_RDONLY|newfile.DoNotWait, 0)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	locked, statErr := f.Stat()
	named, nameErr := os.Stat(name)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Join(statErr, nameErr) != nil || !os.SameFile(locked, named) {
		_ = f.Close()
		return nil, nil
	}
	return func() { _ = f.Close() }, nil
}
