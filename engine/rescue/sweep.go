package rescue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// Swept counts what a sweep did, or would do.
type Swept struct {
	Expired     int   // references whose time was over, now tombstones
	Lost        int   // references without content, now tombstones
	Blobs       int   // blobs that nobody refers to, removed
	Bytes       int64 // freed by their removal, and by that of quarantined content and half-done puts
	Tombstones  int   // removed
	Quarantined int   // removed
	Abandoned   int   // half-done puts of dead processes, removed
}

// sweep is a sweep at work; the caller holds the lock.
type sweep struct {
	*Store
	ctx  context.Context
	dry  bool
	done Swept
}

// Sweep makes tombstones of references whose time is over or whose content is
// missing, and removes blobs that nobody refers to, tombstones and quarantined
// content after TombstoneTTL, and what killed puts left. A dry run only
// counts. It stops early when ctx ends; what it did until then is whole.
func (s *Store) Sweep(ctx context.Context, dryRun bool) (Swept, error) {
	w := &sweep{Store: s, ctx: ctx, dry: dryRun}
	// A dry run tries the locks of stages, too, and must not meet one being made.
	err := s.exclusive(ctx, func() error {
		if err := w.contents(); err != nil {
			return err
		}
		return w.leftovers()
	})
	if err != nil {
		return w.done, fmt.Errorf("sweep: %w", err)
	}
	return w.done, nil
}

// act does what a dry run leaves undone.
func (w *sweep) act(f func() error) error {
	if err := w.ctx.Err(); err != nil || w.dry {
		return err
	}
	return f()
}

// contents ends references, and then removes blobs that nobody refers to.
func (w *sweep) contents() error {
	blobs, err := w.stored()
	if err != nil {
		return err
	}
	present, live := map[string]bool{}, map[string]bool{} // blobs that are there, and that are referred to
	for _, b := range blobs {
		present[b.id] = true
	}
	buried := map[string]bool{} // sessions with new tombstones
	err = w.eachNote(refs, func(owner, id string, _ fs.DirEntry) error {
		r, err := w.readNote(refs, owner, id)
		if err != nil {
			return err
		}
		at := w.now()
		switch {
		case w.expired(r):
			w.done.Expired++
			at = r.Expires
		case !present[id]:
			w.done.Lost++
		default:
			live[id] = true
			return nil
		}
		buried[owner] = true
		return w.act(func() error { return w.bury(owner, id, at) })
	})
	if err == nil {
		err = w.act(func() error { return w.syncBuried(buried) })
	}
	for _, b := range blobs {
		if err != nil {
			return err
		}
		if !live[b.id] {
			w.done.Blobs++
			w.done.Bytes += b.bytes
			err = w.act(func() error { return w.remove(blobPath(b.id)) })
		}
	}
	return err
}

// leftovers removes tombstones and quarantined content whose time is over, tombstones that a put
// was killed before it could remove, what killed puts left, and the folders of sessions that have
// nothing left.
func (w *sweep) leftovers() error {
	err := w.eachNote(tombstones, func(owner, id string, e fs.DirEntry) error {
		info, err := e.Info()
		if err != nil {
			return err
		}
		_, err = w.root.Lstat(notePath(refs, owner, id))
		switch isAlone := errors.Is(err, fs.ErrNotExist); {
		case err != nil && !isAlone:
			return err
		case isAlone && !w.forgotten(info.ModTime()):
			return nil
		}
		w.done.Tombstones++
		return w.act(func() error { return w.remove(notePath(tombstones, owner, id)) })
	})
	if err != nil {
		return err
	}
	aside, err := w.aside()
	if err != nil {
		return err
	}
	for _, b := range aside {
		if !w.forgotten(b.used) {
			continue
		}
		w.done.Quarantined++
		w.done.Bytes += b.bytes
		if err := w.act(func() error { return w.remove(path.Join(quarantine, b.id)) }); err != nil {
			return err
		}
	}
	dead, err := w.deadStages()
	if err != nil {
		return err
	}
	for _, d := range dead {
		w.done.Abandoned++
		w.done.Bytes += d.bytes
		if err := w.act(func() error { return w.root.RemoveAll(d.id) }); err != nil {
			return err
		}
	}
	for _, kind := range []string{refs, tombstones} {
		owners, err := w.entries(kind)
		if err != nil {
			return err
		}
		for _, o := range owners {
			name := path.Join(kind, o.Name())
			if list, err := w.entries(name); err != nil || len(list) > 0 || !isID(o.Name()) {
				continue
			}
			if err := w.act(func() error { return w.remove(name) }); err != nil {
				return err
			}
		}
	}
	return nil
}
