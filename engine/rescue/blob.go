package rescue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// maxVerified bounds how many blobs a process remembers to have verified.
const maxVerified = 1 << 14

// Blob is an open blob whose content has been verified. It stays readable when
// the store lets go of it. Close it when done.
type Blob struct {
	Meta Meta
	io.ReaderAt
	file file
	size int64
}

// Size returns the length in bytes.
func (b *Blob) Size() int64 { return b.size }

// Close releases the file.
func (b *Blob) Close() error { return b.file.Close() }

// OpenStore returns a blob that session holds a reference to, by its id or by a
// beginning of at least MinPrefix digits that no other of the session's
// references shares, and marks the reference as used now.
//
// The first time a process opens a blob it reads it whole and compares the
// SHA-256 with the id; after that only if the file is another one or its size
// or mtime has changed. Content that fails goes to the quarantine.
//
// Errors, beside the file system's and ctx's: *BadID, *NotHeld, *Gone,
// *NotFound, *NotFile, *Damaged.
func (s *Store) Open(ctx context.Context, session, id string) (*Blob, error) {
	prefix, err := parseID(id)
	if err != nil {
		return nil, err
	}
	for {
		b, err := s.open(ctx, session, prefix)
		if !errors.Is(err, errReplaced) {
			return b, err
		}
	}
}

// errReplaced reports damaged content that a put replaced while it was read.
var errReplaced = errors.New("replaced meanwhile")

func (s *Store) open(ctx context.Context, session, prefix string) (*Blob, error) {
	var r reference
	var f file
	err := s.shared(ctx, func() (err error) {
		owner := sessionHash(session)
		if r, err = s.find(owner, prefix); err != nil {
			return err
		}
		if f, err = s.content(r.meta); err != nil {
			return err
		}
		now := s.now()
		if err := s.root.Chtimes(notePath(refs, owner, r.meta.ID), now, now); err != nil {
			f.Close()
			return fmt.Errorf("open: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b := &Blob{Meta: r.meta, ReaderAt: f, file: f}
	b.Meta.Session = session
	if err := s.verify(ctx, b, r.whole); err != nil {
		f.Close()
		return nil, err
	}
	return b, nil
}

// content opens a blob's file.
func (s *Store) content(m Meta) (file, error) {
	f, err := s.openFile(blobPath(m.ID))
	var other *errNoFile
	if errors.As(err, &other) {
		return nil, &NotFile{m.ID, m.Tool, other.what}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if _, err := s.root.Lstat(path.Join(quarantine, m.ID)); err == nil {
		return nil, &Damaged{m.ID, m.Tool}
	}
	return nil, &NotFound{m.ID, m.Tool}
}

// verify compares an open blob with its id, unless this process already has.
// Without a whole reference it also counts what the reference should have.
func (s *Store) verify(ctx context.Context, b *Blob, whole bool) error {
	info, err := b.file.Stat()
	if err != nil {
		return err
	}
	b.size = info.Size()
	if whole && b.size == b.Meta.Bytes && s.isVerified(b.Meta.ID, info) {
		return nil
	}
	sum, count := sha256.New(), (*Counter)(nil)
	if !whole {
		count = new(Counter)
	}
	n, err := measure(ctx, nil, io.NewSectionReader(b.file, 0, b.size), sum, count, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", b.Meta.ID, err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != b.Meta.ID {
		return s.setAside(ctx, b.Meta, info)
	}
	b.Meta.Bytes = n // by the hash, the reference was wrong if it said otherwise
	if !whole {
		b.Meta.Chars, b.Meta.Lines = count.Chars(), count.Lines()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.verified) >= maxVerified {
		clear(s.verified)
	}
	s.verified[b.Meta.ID] = info
	return nil
}

func (s *Store) isVerified(id string, now fs.FileInfo) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	then, ok := s.verified[id]
	return ok && os.SameFile(then, now) && then.Size() == now.Size() && then.ModTime().Equal(now.ModTime())
}

// setAside moves damaged content to the quarantine and returns the *Damaged, or
// errReplaced when something else is there now.
func (s *Store) setAside(ctx context.Context, m Meta, damaged fs.FileInfo) error {
	err := s.exclusive(ctx, func() error {
		now, err := s.root.Lstat(blobPath(m.ID))
		if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, damaged) {
			return errReplaced
		}
		if err != nil {
			return err
		}
		at := s.now()
		if err := s.root.Chtimes(blobPath(m.ID), at, at); err != nil {
			return err
		}
		return s.root.Rename(blobPath(m.ID), path.Join(quarantine, m.ID))
	})
	if err != nil {
		return fmt.Errorf("quarantine of %s: %w", m.ID, err)
	}
	return &Damaged{m.ID, m.Tool}
}
