package transcript

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// keptMost is how many databases are kept.
const keptMost = 8

// DatabaseCopies are the databases that were read, in private folders, so that only their logs are
// copied the next time. The zero DatabaseCopies is empty; nil keeps none. Its methods may be
// called from several goroutines: one reads at a time.
type DatabaseCopies struct {
	mu     sync.Mutex
	kept   map[string]*private // by the path of the database
	closed bool
}

// Read reads as the function does, and keeps the copy of the database.
func (c *DatabaseCopies) Read(ctx context.Context, r *HermesReader, path string) (err error) {
	head := make([]byte, len(magic))
	if err := readHead(path, head); err != nil {
		return err
	}
	if !IsDatabase(head) {
		r.Skip(path, 0, "not a database")
		return nil
	}
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
	}
	p, err := c.take(path)
	if err != nil {
		return err
	}
	// SECURITY: the folder is shared with everybody: a copy that is not kept does not stay.
	stays := false
	defer func() {
		if !stays {
			p.remove()
		}
	}()
	copied, now, err := duplicate(ctx, path, p.folder, p.main, r.Options.Progress)
	if errors.Is(err, errChanges) {
		r.Skip(path, 0, "changes while it is read")
		return nil
	}
	if err != nil {
		return err
	}
	keep := c.keeps() && now.restful(time.Now())
	err = p.readCopy(ctx, r, path, copied, keep)
	if keep && err == nil && p.removeLogs(copied) {
		p.main, c.kept[path], stays = now.main, p, true
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.Skip(path, 0, "damaged")
	}
	return nil
}

// take returns the folder of the copy of a database, which is kept no more; a new one
// where none is.
func (c *DatabaseCopies) take(path string) (*private, error) {
	if c != nil {
		if p := c.kept[path]; p != nil {
			delete(c.kept, path)
			if _, err := os.Stat(filepath.Join(p.folder, copyName)); err == nil {
				return p, nil
			}
			p.remove() // somebody cleaned up
		}
	}
	return newPrivate(time.Now())
}

// keeps reports whether one more copy may be kept.
func (c *DatabaseCopies) keeps() bool {
	if c == nil || c.closed || len(c.kept) >= keptMost {
		return false
	}
	if c.kept == nil {
		c.kept = map[string]*private{}
	}
	return true
}

// Close removes all copies. Nothing is kept from now on.
func (c *DatabaseCopies) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.kept {
		p.remove()
	}
	c.kept, c.closed = nil, true
}

// restful reports whether the copy of a database that is like this tells by its time when
// it is not up to date, and has nothing to take back, for which it would be written.
func (s stamp) restful(now time.Time) bool {
	return !s.undos && now.Sub(s.when) >= Settling
}
