package embed

import (
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockName is the file in a folder of indexes that is locked.
const lockName = ".lock"

// lock locks a folder until release is called or the process ends. Writers take the
// shared lock, which waits for a sweep to end. A sweep takes the exclusive lock
// without waiting. ok is false when another process has the lock, or when the
// folder cannot be locked, as on some network disks.
func lock(folder string, exclusive bool) (release func(), ok bool) {
	l := flock.New(filepath.Join(folder, lockName), flock.SetPermissions(0o600))
	var err error
	if exclusive {
		ok, err = l.TryLock()
	} else {
		err = l.RLock()
		ok = err == nil
	}
	return func() { _ = l.Close() }, ok && err == nil
}
