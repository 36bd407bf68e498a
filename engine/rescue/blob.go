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
	"unicode/utf8"
)

// Open returns a blob that session holds a reference to, and marks the reference as used
// now. id is the blob's, or a beginning of at least MinPrefix digits that no other of the
// session's references shares. Content whose SHA-256 is not the id goes to the quarantine.
//
// Errors, beside the file system's and ctx's, are an *Error.
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
	var m Meta
	var f file
	err := s.shared(ctx, func() error {
		owner := sessionHash(session)
		r, err := s.find(owner, prefix)
		if err != nil {
			return err
		}
		m = r.Meta
		var other noFile
		switch f, err = s.openFile(blobPath(m.ID)); {
		case errors.As(err, &other):
			return Errorf(CodeDamaged, "%s: %s is in the place of the stored content and is left alone; remove it and run %q again", m.ID, string(other), m.Tool)
		case errors.Is(err, fs.ErrNotExist):
			if _, err := s.root.Lstat(path.Join(quarantine, m.ID)); err == nil {
				return damaged(m)
			}
			return Errorf(CodeNotFound, "%s: the content is missing from the store; run %q again", m.ID, m.Tool)
		case err != nil:
			return err
		}
		now := s.now()
		if err := s.root.Chtimes(notePath(refs, owner, m.ID), now, now); err != nil {
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
		return Meta{}, nil, fmt.Errorf("open %s: %w", m.ID, err)
	}
	text := read.Bytes()
	if ID(text) != m.ID {
		return Meta{}, nil, s.setAside(ctx, m, info)
	}
	// By the hash, the reference was wrong if it said otherwise.
	m.Session, m.Bytes, m.Chars, m.Lines = session, int64(len(text)), utf8.RuneCount(text), CountLines(text)
	return m, text, nil
}

// ID returns the id of a text.
func ID(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func damaged(m Meta) error {
	return Errorf(CodeDamaged, "%s: the stored content is damaged and was set aside; run %q again", m.ID, m.Tool)
}

// setAside moves damaged content to the quarantine and returns the error, or
// errReplaced when something else is there now.
func (s *Store) setAside(ctx context.Context, m Meta, read fs.FileInfo) error {
	err := s.exclusive(ctx, func() error {
		now, err := s.root.Lstat(blobPath(m.ID))
		if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, read) {
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
	return damaged(m)
}
