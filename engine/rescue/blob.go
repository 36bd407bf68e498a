package rescue

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// Open returns a blob that session holds a reference to, and marks the reference as used
// now. id is the blob's, or a beginning of at least MinPrefix digits that no other of the
// session's references shares. Content whose SHA-256 is not the id goes to the quarantine.
//
// Errors, beside the file system's and ctx's: *BadID, *NotHeld, *Gone,
// *NotFound, *NotFile, *Damaged.
func (s *Store) Open(ctx context.Context, session, id string) (Meta, []byte, error) {
	prefix, err := parseID(id)
	if err != nil {
		return Meta{}, nil, err
	}
	for {
		m, text, err := s.open(ctx, session, prefix)
		if !errors.Is(err, errReplaced) {
			return m, text, err
		}
	}
}

// errReplaced reports damaged content that a put replaced while it was read.
var errReplaced = errors.New("replaced meanwhile")

func (s *Store) open(ctx context.Context, session, prefix string) (Meta, []byte, error) {
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
		return Meta{}, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Meta{}, nil, err
	}
	var read bytes.Buffer
	read.Grow(int(info.Size()) + bytes.MinRead) // the text is in memory once
	if _, err := read.ReadFrom(f); err != nil {
		return Meta{}, nil, fmt.Errorf("open %s: %w", r.meta.ID, err)
	}
	text := read.Bytes()
	if ID(text) != r.meta.ID {
		return Meta{}, nil, s.setAside(ctx, r.meta, info)
	}
	m := r.meta // by the hash, the reference was wrong if it said otherwise
	m.Session, m.Bytes, m.Chars, m.Lines = session, int64(len(text)), CountChars(text), CountLines(text)
	return m, text, nil
}

// ID returns the id of a text.
func ID(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
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
