package rescue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofrs/flock"
)

// Put stores a text that a tool gave, with the kind it looks like, and a reference to it for
// session, and returns what the reference says. When it returns without an error, both are
// durable. The same content is stored once; putting it again renews the session's reference
// and replaces the stored content, which repairs damage. To stay within MaxBytes, it evicts
// what was used least recently, never what it puts.
//
// A session and a tool's name, which is UTF-8, have at most 4,096 bytes. A result that does not
// fit is a *StoreFull, and nothing stored before is lost by it.
func (s *Store) Put(ctx context.Context, session, tool string, kind Kind, text []byte) (m Meta, err error) {
	defer func() {
		if err != nil {
			m, err = Meta{}, fmt.Errorf("put: %w", full(err))
		}
	}()
	if err := checkNames(session, tool, kind); err != nil {
		return m, err
	}
	if s.opts.MaxBytes > 0 && int64(len(text)) > s.opts.MaxBytes {
		return m, &StoreFull{Cap: s.opts.MaxBytes}
	}
	g, err := s.newStage(ctx)
	if err != nil {
		return m, err
	}
	defer g.discard()
	m = Meta{ID: ID(text), Tool: tool, Session: strings.ToValidUTF8(session, "\uFFFD"), Kind: kind,
		Bytes: int64(len(text)), Chars: utf8.RuneCount(text), Lines: CountLines(text), Stored: s.now()}
	note, err := json.Marshal(m)
	if err == nil {
		err = g.write("blob", m.Stored, text)
	}
	if err == nil {
		err = g.write("note", m.Stored, append(note, '\n'))
	}
	if err != nil {
		return m, err
	}
	m.Session = session
	owner := sessionHash(session)
	if err := s.exclusive(ctx, func() error { return s.publish(g, m, owner) }); err != nil {
		return m, err
	}
	// A sweep leaves both alone from here on, so the lock is free while the disk works.
	return m, errors.Join(s.syncFolder(shardPath(m.ID)), s.syncFolder(path.Join(refs, owner)))
}

// checkNames refuses names that a reference cannot keep as they are.
func checkNames(session, tool string, kind Kind) error {
	switch {
	case len(session) > maxName:
		return fmt.Errorf("session: longer than %d bytes", maxName)
	case len(tool) > maxName || !utf8.ValidString(tool):
		return fmt.Errorf("tool name: not UTF-8 of at most %d bytes", maxName)
	case len(kind) > maxKind || !utf8.ValidString(string(kind)):
		return fmt.Errorf("kind: not UTF-8 of at most %d bytes", maxKind)
	}
	return nil
}

// publish moves a stage's files to where they are seen: the blob first, since
// a blob alone is swept and a reference alone promises a missing one. The
// caller holds the lock exclusively.
func (s *Store) publish(g *stage, m Meta, owner string) error {
	if err := s.remove(path.Join(quarantine, m.ID)); err != nil { // here is its repair
		return err
	}
	// What killed puts left would add up beside the cap until somebody sweeps.
	dead, _ := s.deadStages()
	for _, d := range dead {
		_ = s.root.RemoveAll(d.id)
	}
	if err := s.makeRoom(m); err != nil {
		return err
	}
	for _, name := range []string{shardPath(m.ID), path.Join(refs, owner)} {
		if err := s.folder(name); err != nil {
			return err
		}
	}
	_, err := s.root.Lstat(blobPath(m.ID))
	fresh := errors.Is(err, fs.ErrNotExist)
	if err := s.root.Rename(path.Join(g.name, "blob"), blobPath(m.ID)); err != nil {
		return err
	}
	if err := s.root.Rename(path.Join(g.name, "note"), notePath(refs, owner, m.ID)); err != nil {
		if fresh {
			err = errors.Join(err, s.remove(blobPath(m.ID)))
		}
		return err
	}
	return s.remove(notePath(tombstones, owner, m.ID))
}

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
	g := &stage{store: s, name: path.Join(temp, fmt.Sprintf("%d-%016x", os.Getpid(), rand.Uint64()))}
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

// write makes a durable file in the stage whose mtime is at.
func (g *stage) write(name string, at time.Time, content []byte) error {
	f, err := g.store.root.OpenFile(path.Join(g.name, name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
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
	return g.store.root.Chtimes(path.Join(g.name, name), at, at)
}

// deadStages returns what killed puts left, by the paths of their stages. The caller holds the
// store's lock exclusively, so that no stage is being made.
func (s *Store) deadStages() ([]storedBlob, error) {
	list, err := s.entries(temp)
	if err != nil {
		return nil, err
	}
	var dead []storedBlob
	for _, e := range list {
		d := storedBlob{id: path.Join(temp, e.Name())}
		if _, err := s.root.Lstat(path.Join(d.id, "lock")); err == nil {
			l := s.leaseOf(d.id)
			free, err := l.TryLock()
			l.Close()
			if !free || err != nil {
				continue
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			continue // nobody knows
		}
		for _, file := range []string{"blob", "note"} {
			if info, err := s.root.Lstat(path.Join(d.id, file)); err == nil {
				d.bytes += info.Size()
			}
		}
		dead = append(dead, d)
	}
	return dead, nil
}
