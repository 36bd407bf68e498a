package rescue

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
	"unicode/utf8"
)

// maxName and maxKind bound what a reference carries, in bytes.
const (
	maxName = 4096
	maxKind = 64
)

// maxNote bounds the file: two names at six bytes a byte, and the rest.
const maxNote = 64 << 10

// note is the file of a reference and, renamed, of a tombstone.
type note struct {
	ID      string    `json:"id"`
	Session string    `json:"session"` // for people; what counts is the folder
	Tool    string    `json:"tool"`
	Kind    Kind      `json:"kind"`
	Bytes   int64     `json:"bytes"`
	Chars   int       `json:"chars"`
	Lines   int       `json:"lines"`
	Stored  time.Time `json:"stored"`
}

func encodeNote(m Meta) ([]byte, error) {
	return json.Marshal(note{
		ID: m.ID, Session: strings.ToValidUTF8(m.Session, "\uFFFD"), Tool: m.Tool, Kind: m.Kind,
		Bytes: m.Bytes, Chars: m.Chars, Lines: m.Lines, Stored: m.Stored,
	})
}

// decodeNote reads the file of a reference to id.
func decodeNote(data []byte, id string) (Meta, error) {
	var n note
	if err := json.Unmarshal(data, &n); err != nil {
		return Meta{}, err
	}
	m := Meta{
		ID: n.ID, Tool: n.Tool, Session: n.Session, Kind: n.Kind,
		Bytes: n.Bytes, Chars: n.Chars, Lines: n.Lines, Stored: n.Stored,
	}
	switch {
	case m.ID != id:
		return Meta{}, errors.New("id: not that of the file's name")
	case len(m.Tool) > maxName || len(m.Session) > 3*maxName || len(m.Kind) > maxKind:
		return Meta{}, errors.New("a name is too long")
	case m.Lines < 0 || m.Chars < m.Lines || m.Bytes < int64(m.Chars):
		return Meta{}, errors.New("counts: impossible")
	}
	return m, nil
}

// reference is a note as found on disk.
type reference struct {
	meta  Meta
	whole bool      // false: the file is damaged, and meta has the id and the file's time alone
	at    time.Time // the last use, or the end of a tombstone
}

// readNote reads a reference or a tombstone. A damaged one still holds: its
// name says whose it is and to what, and the blob can be counted again.
func (s *Store) readNote(kind, hash, id string) (reference, error) {
	f, err := s.openFile(notePath(kind, hash, id))
	var other *errNoFile
	if errors.As(err, &other) {
		return reference{}, &NotFile{ID: id, What: other.what}
	}
	if err != nil {
		return reference{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return reference{}, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxNote+1))
	if err != nil {
		return reference{}, err
	}
	r := reference{at: info.ModTime(), whole: true}
	if r.meta, err = decodeNote(data, id); err != nil {
		r.meta, r.whole = Meta{ID: id, Stored: r.at}, false
	}
	return r, nil
}

// expired reports whether a reference has outlived its time.
func (s *Store) expired(m Meta) bool {
	at, ever := s.ends(m.Stored)
	return ever && !s.now().Before(at)
}

// bury makes a tombstone of a reference that ended at a time, or removes it if that is
// forgotten by now. The caller holds the lock exclusively.
func (s *Store) bury(hash, id string, at time.Time) error {
	from := notePath(refs, hash, id)
	if s.forgotten(at) {
		return s.remove(from)
	}
	if err := s.folder(path.Join(tombstones, hash)); err != nil {
		return err
	}
	if err := s.root.Chtimes(from, at, at); err != nil {
		return err
	}
	return s.root.Rename(from, notePath(tombstones, hash, id))
}

// find resolves an id or a beginning of one among the session's own
// references, and otherwise among its tombstones. The caller holds the lock.
//
// SECURITY: other sessions' folders are not looked at, so that no answer
// depends on what they hold.
func (s *Store) find(hash, prefix string) (reference, error) {
	for _, kind := range []string{refs, tombstones} {
		id, err := s.complete(kind, hash, prefix)
		if err != nil {
			return reference{}, err
		}
		if id == "" {
			continue
		}
		r, err := s.readNote(kind, hash, id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return reference{}, err
		case kind == refs && !s.expired(r.meta):
			return r, nil
		case kind == refs:
			r.at, _ = s.ends(r.meta.Stored)
		}
		if !s.forgotten(r.at) {
			return r, &Gone{id, r.meta.Tool, r.at}
		}
	}
	return reference{}, &NotHeld{prefix}
}

// complete returns the one id in a session's folder that begins with prefix,
// or "" when there is none.
func (s *Store) complete(kind, hash, prefix string) (string, error) {
	if len(prefix) == idLength {
		return prefix, nil
	}
	list, err := s.entries(path.Join(kind, hash))
	if err != nil {
		return "", err
	}
	found := ""
	for _, e := range list {
		id, ok := noteID(e.Name())
		if !ok || !strings.HasPrefix(id, prefix) {
			continue
		}
		if found != "" {
			return "", &BadID{prefix, "several results begin with it; give more digits"}
		}
		found = id
	}
	return found, nil
}

// forgotten reports whether a tombstone, or a quarantined blob, has outlived
// its time.
func (s *Store) forgotten(at time.Time) bool {
	end, ever := s.fades(at)
	return ever && !s.now().Before(end)
}

// checkNames refuses names that a reference cannot keep as they are.
func checkNames(session string, about About) error {
	switch {
	case len(session) > maxName:
		return fmt.Errorf("session: longer than %d bytes", maxName)
	case len(about.Tool) > maxName || !utf8.ValidString(about.Tool):
		return fmt.Errorf("tool name: not UTF-8 of at most %d bytes", maxName)
	case len(about.Kind) > maxKind || !utf8.ValidString(string(about.Kind)):
		return fmt.Errorf("kind: not UTF-8 of at most %d bytes", maxKind)
	}
	return nil
}
