// Package newfile writes a file beside its final path and then gives it that
// path in one step.
//
// Goals: who opens the path at any moment finds the old content or the new,
// never half of one; the new content is on the disk before it has the path; the
// same code on every system.
//
// Non-goals: finding out whether the old content may be replaced, which package
// tui/atomicfile does, and folders, which must be there.
//
// Invariants:
//   - the path changes in Commit or CommitNew and nowhere else;
//   - an unfinished file is in the folder of its path, and Unfinished lists it;
//   - a path that is a symbolic link becomes a regular file: nothing is written
//     through the link.
package newfile

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// File is a file that does not have its path yet. It is written like any file,
// and ended by Commit, CommitNew or Discard.
type File struct {
	*os.File
	path string
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
			return &File{f, path}, nil
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

// Commit closes the file and gives it its path, where it replaces what was
// there. After an error the path is as before and the file is removed.
func (f *File) Commit() error {
	// Without it a crash could leave the new name on an empty file.
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Discard())
	}
	err := f.Close() // Windows renames no open file
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// CommitNew is Commit for a path at which there is nothing: the error wraps
// fs.ErrExist when there is something by now, which stays as it is. On a disk
// without hard links, who reads the path at that moment may find an empty file.
func (f *File) CommitNew() error {
	err := errors.Join(f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), f.path)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return f.reserve()
		}
	}
	return errors.Join(err, os.Remove(f.Name()))
}

// reserve is CommitNew of a closed file by an empty file at the path, which the
// content then replaces.
func (f *File) reserve() error {
	empty, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = empty.Close()
	}
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Discard closes and removes the file. The path is as before.
func (f *File) Discard() error {
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Write puts data at path in one step, with those permissions less the umask.
func Write(path string, data []byte, perm fs.FileMode) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Commit()
}

// Unfinished returns the regular files in the folder of path that Create made
// for it and that are not committed, of this process and of others, sorted by
// name; none when the folder cannot be read. Whether somebody still writes one
// is for the caller to find out.
func Unfinished(path string) []fs.DirEntry {
	entries, _ := os.ReadDir(filepath.Dir(path)) // sorted
	var unfinished []fs.DirEntry
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), unfinishedPrefix(path))
		if _, err := strconv.ParseUint(digits, 10, 64); ok && err == nil && e.Type().IsRegular() {
			unfinished = append(unfinished, e)
		}
	}
	return unfinished
}

// unfinishedPrefix returns how the names of unfinished files for path begin;
// digits follow.
func unfinishedPrefix(path string) string { return "." + filepath.Base(path) }
