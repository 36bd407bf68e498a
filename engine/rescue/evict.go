package rescue

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"time"

	"caliper/model"
)

// makeRoom evicts what keeps the blob of m from fitting under the cap:
// quarantined content first, then the blobs that were used least recently,
// those that nobody refers to before all. The caller holds the lock
// exclusively.
func (s *Store) makeRoom(m Meta) error {
	if s.opts.MaxBytes <= 0 {
		return nil
	}
	aside, err := s.aside()
	if err != nil {
		return err
	}
	stored, err := s.stored()
	if err != nil {
		return err
	}
	over := m.Bytes - s.opts.MaxBytes // by how many bytes the store would exceed its cap with m in it
	for _, b := range slices.Concat(aside, stored) {
		if b.id != m.ID { // which will be replaced
			over += b.bytes
		}
	}
	for _, b := range aside {
		if over <= 0 {
			return nil
		}
		if err := s.remove(path.Join(quarantine, b.id)); err != nil {
			return err
		}
		over -= b.bytes
	}
	buried := map[string]bool{}
	for _, b := range stored {
		if over <= 0 {
			break
		}
		if b.id == m.ID {
			continue
		}
		for _, owner := range b.owners {
			if err := s.bury(owner, b.id, s.now()); err != nil {
				return err
			}
			buried[owner] = true
		}
		if err := s.remove(blobPath(b.id)); err != nil {
			return err
		}
		over -= b.bytes
	}
	return s.syncBuried(buried)
}

// storedBlob is a blob with all its references, or the rest of a put that was killed.
type storedBlob struct {
	id     string // of a stage, its path
	bytes  int64
	used   time.Time // the last use; for quarantined content, when it was set aside
	owners []string  // hashes of the sessions that refer to it
}

func byUse(a, b storedBlob) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.id, b.id)) }

// aside returns the quarantined content, the oldest first.
func (s *Store) aside() ([]storedBlob, error) {
	var list []storedBlob
	err := s.eachFile(quarantine, func(id string, i fs.FileInfo) {
		list = append(list, storedBlob{id: id, bytes: i.Size(), used: i.ModTime()})
	})
	model.Sort(list, byUse)
	return list, err
}

// stored returns all blobs, the least recently used first.
func (s *Store) stored() ([]storedBlob, error) {
	byID := map[string]*storedBlob{}
	var list []*storedBlob
	shards, err := s.entries(blobs)
	if err != nil {
		return nil, err
	}
	for _, e := range shards {
		if !e.IsDir() { // SECURITY: a link, say; nothing of hasMarker
			continue
		}
		err := s.eachFile(path.Join(blobs, e.Name()), func(id string, i fs.FileInfo) {
			if id[:2] == e.Name() {
				byID[id] = &storedBlob{id: id, bytes: i.Size()}
				list = append(list, byID[id])
			}
		})
		if err != nil {
			return nil, err
		}
	}
	err = s.eachNote(refs, func(owner, id string, e fs.DirEntry) error {
		b := byID[id]
		if b == nil {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		b.owners = append(b.owners, owner)
		if info.ModTime().After(b.used) {
			b.used = info.ModTime()
		}
		return nil
	})
	sorted := make([]storedBlob, len(list))
	for i, b := range list {
		sorted[i] = *b
	}
	model.Sort(sorted, byUse)
	return sorted, err
}

// eachFile calls f for every file in a folder that is named by an id.
func (s *Store) eachFile(folder string, f func(id string, i fs.FileInfo)) error {
	list, err := s.entries(folder)
	if err != nil {
		return err
	}
	for _, e := range list {
		if !isID(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		f(e.Name(), info)
	}
	return nil
}

// eachNote calls f for every reference, or every tombstone, of every session.
func (s *Store) eachNote(kind string, f func(owner, id string, e fs.DirEntry) error) error {
	owners, err := s.entries(kind)
	if err != nil {
		return err
	}
	slices.SortFunc(owners, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	for _, o := range owners {
		if !isID(o.Name()) || !o.IsDir() {
			continue
		}
		list, err := s.entries(path.Join(kind, o.Name()))
		if err != nil {
			return err
		}
		slices.SortFunc(list, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
		for _, e := range list {
			if id, ok := noteID(e.Name()); ok && e.Type().IsRegular() {
				if err := f(o.Name(), id, e); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// syncBuried makes it durable that references of these sessions were buried.
func (s *Store) syncBuried(owners map[string]bool) error {
	for owner := range owners {
		for _, kind := range []string{tombstones, refs} {
			if err := s.syncFolder(path.Join(kind, owner)); err != nil {
				return err
			}
		}
	}
	return nil
}
