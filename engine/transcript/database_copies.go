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

// DatabaseCopies read databases of Hermes, state.db, and the part that is only in the log of one.
//
// To open a database where it lies would leave a file beside it, or miss the sessions
// that are only in the log. So the database and its log are copied into a folder of
// their own and opened there.
//
// Read removes the folder before the first message is read. Who follows a database reads
// it with DatabaseCopies, which keep the folder with the database, without its logs, for the next
// time: while the database is the same file with the same size, time and head (which has
// its change counter), only the logs are copied anew. In the mode with a log the counter
// alone does not tell, since SQLite need not move it when it writes the log into the
// database: the time does, once it is older than what file systems round.
//
// A kept copy keeps its name, too, though an open file needs none: SQLite finds the log by
// the name of the database, and reads it when it opens both. An open copy without a name
// can take no later log, and a file system gives a removed file no name again.
//
// Example: a database of 500 MB has a log of 2 MB to which a running session adds 40 kB.
// The first reading copies 502 MB, the next 2.04 MB.
//
// Invariants:
//   - nothing is written, created or removed where the database lies;
//   - nothing of a copy that is not kept is left, however the process ends after it was
//     opened; a kept one is gone after Close; what a killed process left, the next one
//     removes;
//   - a kept copy is never written to;
//   - a database that is damaged gives what can be read of it, and is counted.
//
// The cost is one copy and one pass; memory grows with the longest message. Copies take
// the room of up to keptMost databases.
//
// They keep the databases that were read, in private folders, so that only their logs are copied the
// next time. The zero DatabaseCopies is empty; nil keeps none. Its methods may be called from several
// goroutines: one reads at a time.
type DatabaseCopies struct {
	mu     sync.Mutex
	kept   map[string]*private // by the path of the database
	closed bool
}

// Read reads the sessions of a database into r, in the order of their time and id. The error is ctx's or
// the file system's; a file that is no database, or a damaged one, is counted as left out.
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
