package rescue

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
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

// noFile reports what stands in the place of a file.
type noFile string

func (n noFile) Error() string { return string(n) + " is there instead of a file" }

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
		return nil, noFile(fileKind(info.Mode()))
	}
	f, err := s.root.OpenFile(name, os.O_RDONLY|newfile.DoNotWait, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() { // replaced meanwhile
		err = noFile(fileKind(info.Mode()))
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

// checkOwner refuses a store that is not the user's alone.
//
// SECURITY: whoever can write into the folder can put a blob under a reference of
// ours, or take the place of the lock, and read the results.
func checkOwner(dir string, isNew bool) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("rescue store: %w", err)
	}
	if why := newfile.FolderFault(info, isNew); why != "" {
		return unsafe(dir, why)
	}
	return nil
}

// syncFolder makes the names in a folder of the store durable. A folder that
// a sweep has meanwhile removed has none.
func (s *Store) syncFolder(name string) error {
	if runtime.GOOS == "windows" { // folders cannot be synced there
		return nil
	}
	d, err := s.root.OpenFile(name, os.O_RDONLY|newfile.DoNotWait, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// entries returns the content of a folder of the store; a folder that is not
// there has nothing in it. The order is the system's.
func (s *Store) entries(name string) ([]fs.DirEntry, error) {
	d, err := s.root.OpenFile(name, os.O_RDONLY|newfile.DoNotWait, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.ReadDir(-1)
}

// remove removes a file or an empty folder that may be gone already.
func (s *Store) remove(name string) error {
	if err := s.root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
