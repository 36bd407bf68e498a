// Package newfile writes a file beside its final path and then gives it that
// path in one step.
//
// Goals: who opens the path at any moment finds the old content or the new,
// never half of one; the new content is on the disk before it has the path; the
// same code on every system.
//
// Non-goals: finding out whether the old content may be replaced, which
// PutFile of tui/workbench does, and folders, which must be there.
//
// Invariants:
//   - the path changes in Commit, CommitNew or Exchange and nowhere else;
//   - an unfinished file is in the folder of its path, has a name that only this
//     package gives, and is locked as long as its writer lives: Sweep removes those
//     that are not;
//   - a path that is a symbolic link becomes a regular file: nothing is written
//     through the link.
//
// # Folders
//
// FolderFault says whether a folder belongs to the user of this process
// alone, so that what is in it can be trusted and stays private.
//
// Non-goals: making folders, and access control lists, which no mode shows.
//
// # Cache
//
// A CacheFolder keeps in a folder what was computed from content, so that a
// later process need not compute it again.
//
// An entry is found by its kind and a key, which is the SHA-256 of everything that
// the entry depends on: the content, the parameters, and the build of the
// program. So an entry is never out of date, and a program never reads an entry
// of another build of itself.
//
// Goals: whatever is wrong with the folder or a file in it, the program computes
// anew and gives the same answer; the folder stays below a size; several
// processes use it at a time; nobody but the user reads it, since values computed
// of tools tell of them.
//
// Non-goals: the content of an entry, which the caller checks as it would check any
// file; entries that somebody with the user's rights forges on purpose.
//
// An entry is a file called KIND-DIGITS.cache, of the first 32 hexadecimal digits
// of the key. All numbers are little endian:
//
//	 0  8 bytes  "calcache"
//	 8  uint32   format, 1
//	12  uint32   CRC-32C of what follows
//	16  32 bytes the key
//	48  the content
//
// A file with another format is a later program's: it is neither read, nor
// replaced, nor removed. Any other file of that name that cannot be read is
// damaged, and is removed.
//
// When a write makes the entries larger than CacheFolder.Most together, those that were
// used longest ago are removed, and those that nobody used for 90 days. Reading an entry sets the time of its file to now.
//
// Invariants:
//   - Read returns exactly what Write was given with the same kind and key, or
//     nothing;
//   - after Write the entries have at most CacheFolder.Most bytes, except for those of
//     a later program and entries that cannot be removed;
//   - no file is touched that is not named like an entry, and none outside of
//     the folder.
package newfile

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// File is a file that does not have its path yet. It is written like any file,
// and ended by Commit, CommitNew or Discard.
type File struct {
	*os.File
	path    string
	release func() // ends the lock of the file
}

// attempts is how many names Create tries. One in 2^64 is taken.
const attempts = 10

// Create returns a new empty file that will be at path, with those permissions
// less the umask of the process. Its folder must exist. An error names path: nobody
// knows the unfinished file.
func Create(path string, perm fs.FileMode) (*File, error) {
	prefix := filepath.Join(filepath.Dir(path), unfinishedPrefix(path))
	for try := 1; ; try++ {
		f, err := os.OpenFile(prefix+strconv.FormatUint(rand.Uint64(), 10), os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err == nil {
			if release, ok := lease(f); ok {
				return &File{f, path, release}, nil
			}
			_ = f.Close()
			err = fs.ErrExist // a sweep was faster, and removes it
		}
		if !errors.Is(err, fs.ErrExist) || try == attempts {
			var fault *fs.PathError
			if errors.As(err, &fault) {
				fault.Path = path
			}
			return nil, err
		}
	}
}

// Close syncs the file and closes it for writing; it still has no path. A second Close
// does nothing.
func (f *File) Close() error {
	// Without Sync a crash could leave the path on an empty file.
	if err := errors.Join(f.Sync(), f.File.Close()); !errors.Is(err, fs.ErrClosed) {
		return err
	}
	return nil
}

// Commit closes the file and gives it its path, where it replaces what was
// there. After an error the path is as before and the file is removed.
func (f *File) Commit() error {
	err := f.Close() // Windows renames no open file
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, f.Discard())
	}
	f.release()
	return nil
}

// CommitNew is Commit for a path at which there is nothing: the error wraps
// fs.ErrExist when there is something by now, which stays as it is. On a disk
// without hard links, who reads the path at that moment may find an empty file.
func (f *File) CommitNew() error {
	err := f.Close()
	if err == nil {
		err = os.Link(f.Name(), f.path)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return f.reserve()
		}
	}
	return errors.Join(err, f.Discard())
}

// reserve is CommitNew of a closed file by an empty file at the path, which the
// content then replaces.
func (f *File) reserve() error {
	empty, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = empty.Close()
	}
	if err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Commit()
}

// Exchange gives the closed file its path and what is at the path the name of the file, in
// one step. It is undone by another Exchange, and then ended by
// Discard. The error wraps errors.ErrUnsupported on a disk or a system that does not
// know it; nothing is then changed.
func (f *File) Exchange() error {
	if err := exchange(f.Name(), f.path); err != nil {
		return &os.LinkError{Op: "exchange", Old: f.Name(), New: f.path, Err: err}
	}
	return nil
}

// Discard closes and removes the file. The path is as before.
func (f *File) Discard() error {
	defer f.release()
	err := f.File.Close() // which it may be
	if errors.Is(err, fs.ErrClosed) {
		err = nil
	}
	return errors.Join(err, os.Remove(f.Name()))
}

// Write puts data at path in one step, with those permissions less the umask, and
// sweeps it.
func Write(path string, data []byte, perm fs.FileMode) error {
	Sweep(path)
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Commit()
}
