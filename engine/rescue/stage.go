package rescue

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// stage is the folder in which one put prepares its files. Its lock is held
// while the put lives and falls with the process, so that a sweep knows, and
// need not guess by age, whose work nobody will end.
type stage struct {
	store *Store
	name  string
	lease *flock.Flock
}

// newStage makes a stage. That takes the store's lock, because a sweep must
// not see a stage that is made and not yet locked.
func (s *Store) newStage(ctx context.Context) (*stage, error) {
	var salt [8]byte
	rand.Read(salt[:])
	g := &stage{store: s, name: path.Join(temp, fmt.Sprintf("%d-%s", os.Getpid(), hex.EncodeToString(salt[:])))}
	return g, s.shared(ctx, func() error {
		if err := s.root.Mkdir(g.name, 0o700); err != nil {
			return err
		}
		g.lease = s.leaseOf(g.name)
		ok, err := g.lease.TryLock()
		if err == nil && !ok {
			err = errors.New("lock of " + g.name + ": held by somebody else")
		}
		if err != nil {
			g.discard()
		}
		return err
	})
}

func (s *Store) leaseOf(name string) *flock.Flock {
	return flock.New(filepath.Join(s.path, filepath.FromSlash(name), "lock"), flock.SetPermissions(0o600))
}

// discard removes the stage with whatever is still in it. What cannot be
// removed is left to a sweep.
func (g *stage) discard() {
	err := g.store.root.RemoveAll(g.name)
	_ = g.lease.Close()
	if err != nil { // Windows removes no open file: not while the lock was held
		_ = g.store.root.RemoveAll(g.name)
	}
}

func (g *stage) path(name string) string { return path.Join(g.name, name) }

// write makes a durable file in the stage whose mtime is at.
func (g *stage) write(name string, at time.Time, content []byte) error {
	f, err := g.store.root.OpenFile(g.path(name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return g.store.root.Chtimes(g.path(name), at, at)
}

// abandoned reports whether the put that made a stage has died. The caller
// holds the store's lock.
func (s *Store) abandoned(name string) bool {
	if _, err := s.root.Lstat(path.Join(name, "lock")); err != nil {
		return errors.Is(err, fs.ErrNotExist) // else nobody knows
	}
	l := s.leaseOf(name)
	defer l.Close()
	ok, err := l.TryLock()
	return ok && err == nil
}

// deadStage is the rest of a put that has died.
type deadStage struct {
	name  string
	bytes int64
}

// deadStages returns what killed puts left. The caller holds the store's lock
// exclusively, so that no stage is being made.
func (s *Store) deadStages() ([]deadStage, error) {
	list, err := s.entries(temp)
	if err != nil {
		return nil, err
	}
	var dead []deadStage
	for _, e := range list {
		d := deadStage{name: path.Join(temp, e.Name())}
		if !s.abandoned(d.name) {
			continue
		}
		for _, file := range []string{"blob", "note"} {
			if info, err := s.root.Lstat(path.Join(d.name, file)); err == nil {
				d.bytes += info.Size()
			}
		}
		dead = append(dead, d)
	}
	return dead, nil
}
