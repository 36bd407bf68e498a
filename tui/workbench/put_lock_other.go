//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package workbench

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lock locks a file against other calipers of this user. It returns nil when another has
// the lock. Locks are binding on Windows, so that another file is locked in its place.
func lock(name string) (release func(), err error) {
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	l := flock.New(filepath.Join(os.TempDir(), fmt.Sprintf("caliper-%x.lock", sha256.Sum256([]byte(name)))))
	if ok, err := l.TryLock(); err == nil && !ok {
		return nil, nil
	}
	return func() { _ = l.Close() }, nil
}
