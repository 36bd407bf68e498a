package rescue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// marker names the file that makes a folder a store. Creating it is one step, which
// filling it would not be, so it is empty. That is the first version of the
// store's format; a later one fills it, and this one refuses such a store.
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
// over when it is empty. Any other folder without our marker is refused untouched, and so
// is one that other users own or can write to.
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

// prepare makes the folders of the store. It refuses one whose lock is no file, which opening could
// wait for.
func (s *Store) prepare() error {
	info, err := s.root.Lstat("lock")
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("lock: %w", noFile(fileKind(info.Mode())))
	case err != nil:
		return fmt.Errorf("lock: %w", err)
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
			return fmt.Errorf("%s: a rescue store of another version: left alone", dir)
		}
		return checkOwner(dir, false)
	}
	foreign := fmt.Errorf("%s: not a rescue store and not empty: left alone", dir)
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return unsafe(dir, "it is not a folder")
	case err != nil:
		return fmt.Errorf("rescue store: %w", err)
	case len(entries) > 0 && hasMarker(dir): // another process was faster
		return checkOwner(dir, false)
	case len(entries) > 0:
		return foreign
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
		return errors.Join(err, foreign)
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

// unsafe refuses a store that is not its user's alone, or no folder.
func unsafe(dir, why string) error {
	return fmt.Errorf("%s: not used as a rescue store: %s", dir, why)
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

// retry is how long a lock that somebody else holds is left alone between two
// attempts. The lock is held for renames and listings only.
const retry = time.Millisecond

// shared runs f while nobody changes the store.
func (s *Store) shared(ctx context.Context, f func() error) error {
	return s.locked(ctx, (*flock.Flock).TryRLockContext, f)
}

// exclusive runs f while nobody else reads or changes the store.
func (s *Store) exclusive(ctx context.Context, f func() error) error {
	return s.locked(ctx, (*flock.Flock).TryLockContext, f)
}

// locked takes the lock with an open file of its own, so that it holds
// between goroutines as well as between processes. The system releases it
// with the process.
func (s *Store) locked(ctx context.Context, take func(*flock.Flock, context.Context, time.Duration) (bool, error), f func() error) (err error) {
	l := flock.New(filepath.Join(s.path, "lock"), flock.SetPermissions(0o600))
	if _, err := take(l, ctx, retry); err != nil {
		return fmt.Errorf("lock of the rescue store: %w", full(err))
	}
	defer func() {
		if e := l.Close(); err == nil {
			err = e
		}
	}()
	return f()
}

// The stable codes of errors of a blob; package fetch has those of requests.
const (
	CodeBadID    = "bad_id"    // no blob can have the id, or several have the prefix
	CodeNotHeld  = "not_held"  // the session has no such reference, whether another one has it or not
	CodeGone     = "gone"      // the session held it, and it has expired or was evicted
	CodeNotFound = "not_found" // somebody else took the content away
	CodeDamaged  = "damaged"   // the content does not have the hash it is filed under, or is no file
)

// Error is the reason why a request has no answer. Text is one sentence that names the remedy;
// foreign text in it is quoted.
type Error struct{ Code, Text string }

// Error returns the sentence.
func (e *Error) Error() string { return e.Text }

// Errorf returns an Error with a formatted text.
func Errorf(code, format string, a ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, a...)}
}

// StoreFull reports a result that does not fit: into the cap (Cap is not 0, Err is
// nil), or onto the disk (Err is the system's error). What was stored before
// is still there.
type StoreFull struct {
	Cap int64 // bytes
	Err error
}

func (e *StoreFull) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("no room to store the result: %v", e.Err)
	}
	return fmt.Sprintf("the result is larger than the whole store may be (%d bytes)", e.Cap)
}

// Unwrap returns the system's error, if there is one.
func (e *StoreFull) Unwrap() error { return e.Err }

// full makes a StoreFull of an error that says the disk, the quota or the largest
// allowed file is used up, and leaves any other as it is. Which temporary file
// met it is nothing to tell.
func full(err error) error {
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, cause) {
			return &StoreFull{Err: cause}
		}
	}
	return err
}
