// Package newfile writes a file beside its final path and then gives it that path in one step: who
// opens the path at any moment finds the old content or the new, never half of one, and the new
// content is on the disk before it has the path. Whether the old content may be replaced is for the
// caller to find out; the folder must be there.
//
// Invariants:
//   - the path changes in Commit, CommitNew or Exchange and nowhere else;
//   - an unfinished file is in the folder of its path, has a name that only this package gives, and
//     is locked as long as its writer lives: Sweep removes those that are not;
//   - a path that is a symbolic link becomes a regular file: nothing is written through the link.
//
// # Cache
//
// A CacheFolder keeps what was computed from content, so that a later process need not compute it
// again. An entry is found by its kind and a key, the SHA-256 of everything that it depends on: the
// content, the parameters, and the build of the program. So an entry is never out of date.
//
// Whatever is wrong with the folder or a file in it, the program computes anew. Several processes
// use the folder at a time; nobody but the user reads it. The content of an entry is not checked,
// nor what somebody with the user's rights forges.
//
// An entry is a file called KIND-DIGITS.cache, of the first 32 hexadecimal digits of the key. All
// numbers are little endian:
//
//	 0  8 bytes  "calcache"
//	 8  uint32   format, 1
//	12  uint32   CRC-32C of what follows
//	16  32 bytes the key
//	48  the content
//
// A file with another format is a later program's: it is neither read, nor replaced, nor removed.
// Any other file of that name that cannot be read is damaged, and is removed.
//
// When a write makes the entries larger than CacheFolder.Most together, those that were used
// longest ago are removed, and those that nobody used for 90 days. Reading an entry sets the time
// of its file to now.
//
// Invariants:
//   - Read returns exactly what Write was given with the same kind and key, or nothing;
//   - after Write the entries have at most CacheFolder.Most bytes, except for a later program's and
//     those that cannot be removed;
//   - no file is touched that is not named like an entry, and none outside of the folder.
package newfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// File is a file without its path yet. It is written, and ended by Commit, CommitNew or Discard.
type File struct {
	*os.File
	path    string
	release func() // ends the lock of the file
}

// attempts is how many names Create tries. One in 2^64 is taken.
const attempts = 10

// Create returns a new empty file that will be at path, with those permissions less the umask. Its
// folder must exist. An error names path, not the unfinished file.
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

// Close syncs and closes the file, which still has no path. A second Close does nothing.
func (f *File) Close() error {
	// Without Sync a crash could leave the path on an empty file.
	if err := errors.Join(f.Sync(), f.File.Close()); !errors.Is(err, fs.ErrClosed) {
		return err
	}
	return nil
}

// Commit closes the file and moves it to its path. After an error the file is removed and the path
// is as before.
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

// CommitNew is Commit for a path at which there is nothing; else the error wraps fs.ErrExist.
// Without hard links a reader may find an empty file for a moment.
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

// reserve is CommitNew without hard links, by an empty file that the content replaces.
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

// Exchange swaps the paths of the closed file and of the file at its path, in one step. Another
// Exchange undoes it; Discard ends it. The error wraps errors.ErrUnsupported where the disk or the
// system cannot; nothing is then changed.
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

// Write puts data at path in one step, with those permissions less the umask, and sweeps it.
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

// mark stands between the name that an unfinished file will have and its digits, as in nobody
// else's file.
const mark = ".caliper-"

// unfinishedPrefix returns how the names of unfinished files for path begin, cut to what a name
// may be.
func unfinishedPrefix(path string) string {
	base := filepath.Base(path)
	for len(base) > 200 {
		_, size := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-size]
	}
	return "." + base + mark
}

// Finished returns the name that a file will have; ok is false for the name of no unfinished file.
func Finished(name string) (base string, ok bool) {
	base, dotted := strings.CutPrefix(name, ".")
	at := strings.LastIndex(base, mark)
	if !dotted || at < 0 {
		return "", false
	}
	_, err := strconv.ParseUint(base[at+len(mark):], 10, 64)
	return base[:at], err == nil
}

// abandoned is the age of an unfinished file, without locks, that nobody writes any more.
const abandoned = time.Hour

// Sweep removes the unfinished files for path that nobody writes any more and that can be removed.
func Sweep(path string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // nothing to sweep where it cannot be read
	for _, e := range entries {
		if _, ok := Finished(e.Name()); !ok || !e.Type().IsRegular() || !strings.HasPrefix(e.Name(), unfinishedPrefix(path)) {
			continue
		}
		if info, err := e.Info(); err == nil {
			removeAbandoned(filepath.Join(filepath.Dir(path), e.Name()), time.Since(info.ModTime()) > abandoned)
		}
	}
}

// FolderFault returns why a folder is no safe place for files of the user, or nothing.
// With isNew it may be writable by others, because it is given its own mode
// before anything is in it. On systems where the owner of a file is not known
// there is no fault.
//
// SECURITY: whoever can write into a folder can put files in the place of ours,
// and read what we keep.
func FolderFault(info fs.FileInfo, isNew bool) string {
	owner, user, known := Owners(info)
	if !known {
		return ""
	}
	return folderFault(info.Mode(), owner, user, isNew)
}

func folderFault(mode fs.FileMode, owner, user int, isNew bool) string {
	switch {
	case owner != user:
		return fmt.Sprintf("it belongs to another user (%d, and this is %d)", owner, user)
	case mode.Perm()&0o022 != 0 && !isNew:
		return fmt.Sprintf("other users can write to it (mode %04o): chmod 700 it if you trust what is in it", mode.Perm())
	}
	return ""
}
