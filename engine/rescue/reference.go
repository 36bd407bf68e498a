package rescue

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// maxName and maxKind bound what a reference carries, in bytes.
const (
	maxName = 4096
	maxKind = 64
)

// maxNote bounds the file: two names at six bytes a byte, and the rest.
const maxNote = 64 << 10

// Reference is one session's hold on one blob, or was one.
type Reference struct {
	// Meta comes from the reference. Of a damaged one only ID and Stored are known.
	Meta Meta
	Used time.Time // the last use; of a tombstone, the end of the reference
	// Expires is zero when it never does. It may have passed.
	Expires time.Time

	owner string // hash of the session
}

// decodeNote reads the file of a reference to id.
func decodeNote(data []byte, id string) (m Meta, err error) {
	if err := json.Unmarshal(data, &m); err != nil {
		return Meta{}, err
	}
	switch {
	case m.ID != id:
		err = errors.New("id: not that of the file's name")
	case len(m.Tool) > maxName || len(m.Session) > 3*maxName || len(m.Kind) > maxKind:
		err = errors.New("a name is too long")
	case m.Lines < 0 || m.Chars < m.Lines || m.Bytes < int64(m.Chars):
		err = errors.New("counts: impossible")
	default:
		return m, nil
	}
	return Meta{}, err
}

// readNote reads a reference or a tombstone. A damaged one still holds: its
// name says whose it is and to what, and the blob can be counted again.
func (s *Store) readNote(kind, hash, id string) (Reference, error) {
	f, err := s.openFile(notePath(kind, hash, id))
	var other noFile
	if errors.As(err, &other) {
		return Reference{}, Errorf(CodeDamaged, "%s: %s is in the place of the stored content and is left alone; remove it", id, string(other))
	}
	if err != nil {
		return Reference{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Reference{}, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxNote+1))
	if err != nil {
		return Reference{}, err
	}
	r := Reference{Used: info.ModTime(), owner: hash}
	if r.Meta, err = decodeNote(data, id); err != nil {
		r.Meta = Meta{ID: id, Stored: r.Used}
	}
	if s.opts.TTL > 0 {
		r.Expires = r.Meta.Stored.Add(s.opts.TTL)
	}
	return r, nil
}

// expired reports whether a reference has outlived its time.
func (s *Store) expired(r Reference) bool {
	return !r.Expires.IsZero() && !s.now().Before(r.Expires)
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
func (s *Store) find(hash, prefix string) (Reference, error) {
	for _, kind := range []string{refs, tombstones} {
		id := prefix
		if len(prefix) < idLength { // the one id that begins with it
			list, err := s.entries(path.Join(kind, hash))
			if err != nil {
				return Reference{}, err
			}
			id = ""
			for _, e := range list {
				found, ok := noteID(e.Name())
				switch {
				case !ok || !strings.HasPrefix(found, prefix):
				case id != "":
					return Reference{}, badID(prefix, "several results begin with it; give more digits")
				default:
					id = found
				}
			}
			if id == "" {
				continue
			}
		}
		r, err := s.readNote(kind, hash, id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return Reference{}, err
		case kind == refs && !s.expired(r):
			return r, nil
		case kind == refs:
			r.Used = r.Expires
		}
		if !s.forgotten(r.Used) {
			return r, Errorf(CodeGone, "%s: no longer stored; run %q again", id, r.Meta.Tool)
		}
	}
	return Reference{}, Errorf(CodeNotHeld, "%s: this session has no such result", prefix)
}

// forgotten reports whether a tombstone, or a quarantined blob, has outlived
// its time.
func (s *Store) forgotten(at time.Time) bool {
	return s.opts.TombstoneTTL >= 0 && !s.now().Before(at.Add(s.opts.TombstoneTTL))
}

// MinPrefix is the shortest beginning of an id that Open takes, in digits.
const MinPrefix = 16

const idLength = 2 * sha256.Size

// parseID returns an id, or a beginning of one, in lower case.
//
// SECURITY: ids come from the model and become file names; only hexadecimal
// digits pass.
func parseID(text string) (string, error) {
	id := strings.ToLower(text)
	switch {
	case strings.Trim(id, "0123456789abcdef") != "" || len(id) != len(text):
		return "", badID(text, "not hexadecimal")
	case len(id) < MinPrefix:
		return "", badID(text, "shorter than 16 digits")
	case len(id) > idLength:
		return "", badID(text, "longer than 64 digits")
	}
	return id, nil
}

func badID(id, problem string) error { return Errorf(CodeBadID, "id %.80q: %s", id, problem) }

// isID reports whether a file name is a whole id as we write it.
func isID(name string) bool {
	return len(name) == idLength && strings.Trim(name, "0123456789abcdef") == ""
}

// sessionHash is a session's folder name. SECURITY: a session is any string.
func sessionHash(session string) string { return ID([]byte(session)) }

func shardPath(id string) string { return path.Join(blobs, id[:2]) }
func blobPath(id string) string  { return path.Join(blobs, id[:2], id) }

// notePath is the path of a reference or a tombstone.
func notePath(kind, hash, id string) string { return path.Join(kind, hash, id+".json") }

// noteID returns the id that a reference or a tombstone is named after.
func noteID(name string) (string, bool) {
	id, ok := strings.CutSuffix(name, ".json")
	return id, ok && isID(id)
}
