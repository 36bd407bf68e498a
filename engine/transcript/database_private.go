package transcript

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"caliper/model/newfile"
)

const (
	// folderPrefix begins the names of folders of copies.
	folderPrefix = "caliper-database-"
	// leaseName is a file in such a folder that its process has locked.
	leaseName = "lease"
	// abandonedAfter is how old a folder is at least that nobody holds: a younger one may
	// not be locked yet.
	abandonedAfter = time.Minute
)

// private is a folder for the copy of one database.
type private struct {
	folder string
	lease  *flock.Flock
}

// ErrNoFolder is why a database cannot be copied where there is no folder for temporary files.
var ErrNoFolder = errors.New("no folder for temporary files")

// newPrivate makes a folder for a copy, and removes those that processes left which were
// killed while they had one. The error is an ErrNoFolder.
//
// SECURITY: the folder is 0700.
func newPrivate(now time.Time) (*private, error) {
	sweep(os.TempDir(), now)
	folder, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoFolder, err)
	}
	c := &private{folder: folder, lease: flock.New(filepath.Join(folder, leaseName))}
	_, _ = c.lease.TryLock() // where a disk has no locks, sweep finds none free either
	return c, nil
}

// remove removes the folder, as often as it is called.
func (c *private) remove() {
	_ = c.lease.Close()
	_ = os.RemoveAll(c.folder)
}

// sweep removes the folders of copies that nobody holds.
//
// SECURITY: everybody can write to the folder for temporary files. Only a
// folder, not a link to one, that belongs to this user alone is removed.
func sweep(temporary string, now time.Time) {
	folders, _ := filepath.Glob(filepath.Join(temporary, folderPrefix+"*")) // the pattern is well formed but for odd names, and none of these is found
	for _, folder := range folders {
		info, err := os.Lstat(folder)
		if err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 || newfile.FolderFault(info, false) != "" || now.Sub(info.ModTime()) < abandonedAfter {
			continue
		}
		name := filepath.Join(folder, leaseName)
		info, err = os.Lstat(name)
		abandoned := os.IsNotExist(err) // its process was killed before it could lock it
		if err == nil && info.Mode().IsRegular() {
			lease := flock.New(name, flock.SetFlag(os.O_RDWR)) // which makes none
			free, err := lease.TryLock()
			abandoned = err == nil && free
			_ = lease.Close()
		}
		if abandoned {
			_ = os.RemoveAll(folder)
		}
	}
}
