package rescue

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"caliper/model/newfile"
)

// files is the operations of a store on its folder. Tests put faults in between.
type files interface {
	OpenFile(name string, flag int, perm fs.FileMode) (file, error)
	Mkdir(name string, perm fs.FileMode) error
	Lstat(name string) (fs.FileInfo, error)
	Rename(from, to string) error
	Remove(name string) error
	RemoveAll(name string) error
	Chtimes(name string, used, changed time.Time) error
	Close() error
}

// file is an open file or folder of a store.
type file interface {
	io.Reader
	io.Writer
	io.Closer
	Stat() (fs.FileInfo, error)
	Sync() error
	ReadDir(n int) ([]fs.DirEntry, error)
}

// rooted is a folder of the system.
//
// SECURITY: every path goes through it, so none leads out, not even by a
// symbolic link.
type rooted struct{ *os.Root }

func (r rooted) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	f, err := r.Root.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// errNoFile reports that something other than a file stands at a name.
type errNoFile struct{ what string }

func (e *errNoFile) Error() string { return e.what + " is there instead of a file" }

// openFile opens a file of the store for reading.
//
// SECURITY: only a file is opened. A FIFO would keep the caller waiting for a
// writer for ever, and opening a device can do things.
func (s *Store) openFile(name string) (file, error) {
	info, err := s.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &errNoFile{fileKind(info.Mode())}
	}
	f, err := s.root.OpenFile(name, os.O_RDONLY|newfile.DoNotWait, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() { // replaced meanwhile
		err = &errNoFile{fileKind(info.Mode())}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// fileKind names a kind that is no regular file.
func fileKind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m&fs.ModeSymlink != 0:
		return "a link"
	}
	return "something"
}

// checkLock refuses a folder whose lock is no file, which opening could wait
// for.
func (s *Store) checkLock() error {
	info, err := s.root.Lstat("lock")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = &errNoFile{fileKind(info.Mode())}
	}
	if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	return nil
}

// checkOwner refuses a store that is not the user's alone.
//
// SECURITY: whoever can write into the folder can put a blob under a reference of
// hasMarker, or take the place of the lock, and read the results.
func checkOwner(dir string, isNew bool) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("rescue store: %w", err)
	}
	if why := newfile.FolderFault(info, isNew); why != "" {
		return &UnsafeStore{dir, why}
	}
	return nil
}
