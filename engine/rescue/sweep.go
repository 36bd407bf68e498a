package rescue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"
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
	ctx    context.Context
	dry    bool
	done   Swept
	blobs  []kept
	live   map[string]bool // blobs that are referred to
	buried map[string]bool // sessions with new tombstones
	next   time.Time       // when the first of what stays goes
}

// stays notes that something goes at a time, if it ever does.
func (w *sweep) stays(at time.Time, ever bool) {
	if ever && at.Before(w.next) {
		w.next = at
	}
}

// Sweep makes tombstones of references whose time is over or whose content is
// missing, and removes blobs that nobody refers to, tombstones and quarantined
// content after TombstoneTTL, and what killed puts left. A dry run only
// counts. It stops early when ctx ends; what it did until then is whole.
func (s *Store) Sweep(ctx context.Context, dryRun bool) (Swept, error) {
	w := &sweep{Store: s, ctx: ctx, dry: dryRun, live: map[string]bool{}, buried: map[string]bool{}, next: s.now().Add(longest)}
	w.stays(s.ends(s.now())) // results put from now on
	if s.opts.TombstoneTTL > 0 {
		w.stays(s.fades(s.now())) // results evicted from now on
	}
	// A dry run tries the locks of stages, too, and must not meet one being made.
	err := s.exclusive(ctx, func() error {
		for _, step := range []func() error{w.references, w.unreferenced, w.memory, w.quarantined, w.stages, w.folders} {
			if err := step(); err != nil {
				return err
			}
		}
		return w.act(func() error {
			_ = s.planned(w.next) // without a plan, as on a full disk, a sweep is due
			return nil
		})
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

func (w *sweep) references() error {
	var err error
	if w.blobs, err = w.stored(); err != nil {
		return err
	}
	present := map[string]bool{}
	for _, b := range w.blobs {
		present[b.id] = true
	}
	err = w.eachNote(refs, func(owner, id string, _ fs.DirEntry) error {
		r, err := w.readNote(refs, owner, id)
		if err != nil {
			return err
		}
		at := w.now()
		switch {
		case w.expired(r.meta):
			w.done.Expired++
			at, _ = w.ends(r.meta.Stored)
		case !present[id]:
			w.done.Lost++
		default:
			w.live[id] = true
			w.stays(w.ends(r.meta.Stored))
			return nil
		}
		w.buried[owner] = true
		return w.act(func() error { return w.bury(owner, id, at) })
	})
	if err != nil {
		return err
	}
	return w.act(func() error { return w.syncBuried(w.buried) })
}

func (w *sweep) unreferenced() error {
	for _, b := range w.blobs {
		if w.live[b.id] {
			continue
		}
		w.done.Blobs++
		w.done.Bytes += b.bytes
		if err := w.act(func() error { return w.remove(blobPath(b.id)) }); err != nil {
			return err
		}
	}
	return nil
}

// memory removes tombstones whose time is over, and those that a put was
// killed before it could remove.
func (w *sweep) memory() error {
	return w.eachNote(tombstones, func(owner, id string, e fs.DirEntry) error {
		info, err := e.Info()
		if err != nil {
			return err
		}
		_, err = w.root.Lstat(notePath(refs, owner, id))
		switch isAlone := errors.Is(err, fs.ErrNotExist); {
		case err != nil && !isAlone:
			return err
		case isAlone && !w.forgotten(info.ModTime()):
			w.stays(w.fades(info.ModTime()))
			return nil
		}
		w.done.Tombstones++
		return w.act(func() error { return w.remove(notePath(tombstones, owner, id)) })
	})
}

func (w *sweep) quarantined() error {
	list, err := w.aside()
	if err != nil {
		return err
	}
	for _, b := range list {
		if !w.forgotten(b.used) {
			w.stays(w.fades(b.used))
			continue
		}
		w.done.Quarantined++
		w.done.Bytes += b.bytes
		if err := w.act(func() error { return w.remove(path.Join(quarantine, b.id)) }); err != nil {
			return err
		}
	}
	return nil
}

func (w *sweep) stages() error {
	dead, err := w.deadStages()
	if err != nil {
		return err
	}
	for _, d := range dead {
		w.done.Abandoned++
		w.done.Bytes += d.bytes
		if err := w.act(func() error { return w.root.RemoveAll(d.name) }); err != nil {
			return err
		}
	}
	return nil
}

// folders removes the folders of sessions that have nothing left.
func (w *sweep) folders() error {
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
