//go:build unix

package atomicfile

import (
	"os"

	"github.com/gofrs/flock"
)

// hold locks an unfinished file until release is called or the process ends, so
// that no sweep takes it for one that was left. It makes no file: one in the place
// of a file that a sweep has just removed would be empty, and become the target.
func hold(name string) (release func()) {
	lease := flock.New(name, flock.SetFlag(os.O_RDWR))
	_, _ = lease.TryLock() // where a disk has no locks, sweep finds none free either
	return func() { _ = lease.Close() }
}

// removeAbandoned removes an unfinished file whose writer has ended: nobody
// holds its lock.
func removeAbandoned(name string) {
	lease := flock.New(name, flock.SetFlag(os.O_RDWR))
	if free, err := lease.TryLock(); err == nil && free {
		os.Remove(name)
	}
	lease.Close()
}
