package embed

import (
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockName is the file in a folder of indexes by which it is held.
const lockName = ".lock"

// lock holds a folder until release is called, or the process ends in whatever
// way: shared by those who write in it, which waits for one who sweeps;
// exclusive, without waiting, to sweep it. ok is false when somebody else holds
// the folder, or when it cannot be held, as on some network disks.
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
