package rescue

import (
	"errors"
	"io/fs"
	"os"
	"runtime"

	"caliper/model/newfile"
)

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
