package rescue

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// marker names the file that makes a folder hasMarker. Creating it is one step, which
// filling it would not be, so it is empty. That is the first version of the
// store's format; a later one fills it, and to this one such a store is *ForeignStore.
const marker = "caliper-rescue-store"

// The folders of a store.
const (
	blobs      = "blobs"
	refs       = "refs"
	tombstones = "tombstones"
	quarantine = "quarantine"
	temp       = "temp"
)

// StoreOptions are the limits of a store.
type StoreOptions struct {
	// TTL is how long a reference lives after its put; 0 or less: for ever.
	TTL time.Duration
	// TombstoneTTL is how long it is remembered after that; 0: not at all, less: for
	// ever.
	TombstoneTTL time.Duration
	// MaxBytes is the most that blobs and quarantine may hold together; 0 or
	// less: no limit.
	MaxBytes int64
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Store is an open store. Its methods may be called concurrently, and any
// number of processes may have the same folder open.
type Store struct {
	root files
	path string
	opts StoreOptions
}

// OpenStore opens the store in dir, which it creates when it is absent and takes
// over when it is empty. Any other folder without our marker is a *ForeignStore, and
// one that other users own or can write to an *UnsafeStore.
func OpenStore(dir string, o StoreOptions) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("rescue store %s: %w", dir, err)
	}
	if err := adopt(path); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("rescue store: %w", err)
	}
	s := &Store{root: rooted{root}, path: path, opts: o}
	if err := s.prepare(); err != nil {
		root.Close()
		return nil, fmt.Errorf("rescue store %s: %w", path, full(err))
	}
	return s, nil
}

// prepare makes the folders of the store.
func (s *Store) prepare() error {
	if err := s.checkLock(); err != nil {
		return err
	}
	for _, name := range []string{blobs, refs, tombstones, quarantine, temp} {
		if err := s.folder(name); err != nil {
			return err
		}
	}
	return nil
}

// Close releases the folder. Blobs that are open stay readable.
func (s *Store) Close() error { return s.root.Close() }

// Path returns the absolute path of the store's folder.
func (s *Store) Path() string { return s.path }

// adopt makes dir ours or returns that it is somebody else's.
func adopt(dir string) error {
	err := os.MkdirAll(filepath.Dir(dir), 0o700)
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("rescue store: %w", full(err))
	}
	// One look: the marker of another process may come between two.
	if info, err := os.Lstat(filepath.Join(dir, marker)); err == nil && info.Mode().IsRegular() {
		if info.Size() > 0 {
			return &ForeignStore{Path: dir, Store: true}
		}
		return checkOwner(dir, false)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil && !isFolder(dir):
		return &UnsafeStore{dir, "it is not a folder"}
	case err != nil:
		return fmt.Errorf("rescue store: %w", err)
	case len(entries) > 0 && hasMarker(dir): // another process was faster
		return checkOwner(dir, false)
	case len(entries) > 0:
		return &ForeignStore{Path: dir}
	}
	if err := checkOwner(dir, true); err != nil {
		return err
	}
	// SECURITY: a folder that was empty may have been open to others, who have
	// until here to put something into it.
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("rescue store: %w", err)
	}
	if entries, err = os.ReadDir(dir); err != nil || len(entries) > 0 && !hasMarker(dir) {
		return errors.Join(err, &ForeignStore{Path: dir})
	}
	f, err := os.OpenFile(filepath.Join(dir, marker), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("rescue store: %w", full(err))
	}
	return f.Close()
}

// hasMarker reports whether dir carries the marker of this version.
func hasMarker(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, marker))
	return err == nil && info.Mode().IsRegular() && info.Size() == 0
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// now is the time by the store's clock, without what a file cannot keep.
func (s *Store) now() time.Time { return s.opts.Now().Round(0).UTC() }

// folder makes a folder of the store durably, if it is not there yet.
func (s *Store) folder(name string) error {
	err := s.root.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.syncFolder(filepath.Dir(name))
}
