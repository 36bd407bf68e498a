package rescue

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

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
