package rescue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// About is the caller's knowledge of a result.
type About struct {
	// Tool is the name of the tool that gave it, at most 4,096 bytes of UTF-8.
	Tool string
	// Kind is the kind it looks like.
	Kind Kind
}

// Put stores a text and a reference to it for session, and returns what
// the reference says. When it returns without an error, both are durable. The
// same content is stored once; putting it again renews the session's reference
// and replaces the stored content, which repairs damage. To stay within
// MaxBytes, it evicts what was used least recently, never what it puts.
//
// A result that does not fit is a *StoreFull, and nothing stored before is lost by it.
func (s *Store) Put(ctx context.Context, session string, about About, text []byte) (Meta, error) {
	m, err := s.put(ctx, session, about, text)
	if err != nil {
		return Meta{}, fmt.Errorf("put: %w", full(err))
	}
	return m, nil
}

func (s *Store) put(ctx context.Context, session string, about About, text []byte) (Meta, error) {
	if err := checkNames(session, about); err != nil {
		return Meta{}, err
	}
	if s.opts.MaxBytes > 0 && int64(len(text)) > s.opts.MaxBytes {
		return Meta{}, &StoreFull{Cap: s.opts.MaxBytes}
	}
	g, err := s.newStage(ctx)
	if err != nil {
		return Meta{}, err
	}
	defer g.discard()
	m := Meta{ID: ID(text), Tool: about.Tool, Session: session, Kind: about.Kind,
		Bytes: int64(len(text)), Chars: CountChars(text), Lines: CountLines(text), Stored: s.now()}
	note, err := encodeNote(m)
	if err == nil {
		err = g.write("blob", m.Stored, text)
	}
	if err == nil {
		err = g.write("note", m.Stored, append(note, '\n'))
	}
	if err != nil {
		return Meta{}, err
	}
	owner := sessionHash(session)
	if err := s.exclusive(ctx, func() error { return s.publish(g, m, owner) }); err != nil {
		return Meta{}, err
	}
	// A sweep leaves both alone from here on, so the lock is free while the disk works.
	err = errors.Join(s.syncFolder(shardPath(m.ID)), s.syncFolder(path.Join(refs, owner)))
	return m, err
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
		_ = s.root.RemoveAll(d.name)
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
	if err := s.root.Rename(g.path("blob"), blobPath(m.ID)); err != nil {
		return err
	}
	if err := s.root.Rename(g.path("note"), notePath(refs, owner, m.ID)); err != nil {
		if fresh {
			err = errors.Join(err, s.remove(blobPath(m.ID)))
		}
		return err
	}
	return s.remove(notePath(tombstones, owner, m.ID))
}
