package rescue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
)

// putWindow is how much of a blob is in memory at once, in bytes.
const putWindow = 256 << 10

// About is the caller's knowledge of a result.
type About struct {
	// Tool is the name of the tool that gave it, at most 4,096 bytes of UTF-8.
	Tool string
	// Kind is the kind it looks like.
	Kind Kind
}

// Put stores what r holds, and a reference to it for session, and returns what
// the reference says. When it returns without an error, both are durable. The
// same content is stored once; putting it again renews the session's reference
// and replaces the stored content, which repairs damage. To stay within
// MaxBytes, it evicts what was used least recently, never what it puts.
//
// Memory is bounded whatever r holds. A result that does not fit is a *StoreFull,
// and nothing stored before is lost by it. Errors of r come back wrapped.
func (s *Store) Put(ctx context.Context, session string, about About, r io.Reader) (Meta, error) {
	m, err := s.put(ctx, session, about, r)
	if err != nil {
		return Meta{}, fmt.Errorf("put: %w", full(err))
	}
	return m, nil
}

func (s *Store) put(ctx context.Context, session string, about About, r io.Reader) (Meta, error) {
	if err := checkNames(session, about); err != nil {
		return Meta{}, err
	}
	g, err := s.newStage(ctx)
	if err != nil {
		return Meta{}, err
	}
	defer g.discard()
	m := Meta{Tool: about.Tool, Session: session, Kind: about.Kind}
	err = g.write("blob", s.now(), func(f file) error {
		return s.receive(ctx, f, r, &m)
	})
	if err != nil {
		return Meta{}, err
	}
	m.Stored = s.now()
	err = g.write("note", m.Stored, func(f file) error {
		data, err := encodeNote(m)
		if err != nil {
			return err
		}
		_, err = f.Write(append(data, '\n'))
		return err
	})
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

// receive copies r to f and fills in what follows from the content.
func (s *Store) receive(ctx context.Context, f file, r io.Reader, m *Meta) error {
	sum, count := sha256.New(), new(Counter)
	n, err := measure(ctx, f, r, sum, count, s.opts.MaxBytes)
	if err != nil {
		return err
	}
	m.ID, m.Bytes = hex.EncodeToString(sum.Sum(nil)), n
	m.Chars, m.Lines = count.Chars(), count.Lines()
	return nil
}

// measure copies r to w, when w is not nil, and to the hash and the counter.
// More than limit bytes are a *StoreFull, unless limit is 0 or less.
func measure(ctx context.Context, w io.Writer, r io.Reader, sum hash.Hash, count *Counter, limit int64) (int64, error) {
	buf := make([]byte, putWindow)
	for total := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return total, err
		}
		n, err := r.Read(buf)
		total += int64(n)
		if limit > 0 && total > limit {
			return total, &StoreFull{Cap: limit}
		}
		sum.Write(buf[:n])
		if count != nil {
			count.Write(buf[:n])
		}
		if w != nil {
			if _, err := w.Write(buf[:n]); err != nil {
				return total, err
			}
		}
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, fmt.Errorf("reading the result: %w", err)
		}
	}
}

// publish moves a stage's files to where they are seen: the blob first, since
// a blob alone is swept and a reference alone promises a missing one. The
// caller holds the lock exclusively.
func (s *Store) publish(g *stage, m Meta, owner string) error {
	if err := s.remove(path.Join(quarantine, m.ID)); err != nil { // here is its repair
		return err
	}
	s.removeDeadStages()
	if err := s.makeRoom(g, m); err != nil {
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
