package rescue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// plan is the file that says when a sweep has something to do. Its mtime is the time,
// and it holds the lifetimes by which that was computed.
const plan = "plan"

// longest is the time after which a sweep is due whatever expires: for what killed puts
// left.
const longest = 24 * time.Hour

// SweepDue is Sweep if something has expired since the last one, and otherwise reads one
// small file.
func (s *Store) SweepDue(ctx context.Context) (Swept, error) {
	if !s.due() {
		return Swept{}, nil
	}
	return s.Sweep(ctx, false)
}

// due reports whether a sweep has something to do, or that this is unknown.
func (s *Store) due() bool {
	f, err := s.openFile(plan)
	if err != nil {
		return true
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !s.now().Before(info.ModTime()) {
		return true
	}
	data, err := io.ReadAll(io.LimitReader(f, 100))
	return err != nil || string(data) != s.lifetimes()
}

// lifetimes returns the content of the plan.
func (s *Store) lifetimes() string {
	return fmt.Sprintln(int64(max(0, s.opts.TTL)), int64(max(-1, s.opts.TombstoneTTL)))
}

// planned writes when the next sweep is due. Results put from now on expire later than
// that. The caller holds the lock exclusively.
func (s *Store) planned(at time.Time) error {
	if err := s.remove(plan); err != nil {
		return err
	}
	f, err := s.root.OpenFile(plan, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, s.lifetimes())
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := s.root.Chtimes(plan, at, at); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// ends returns when a reference expires, and whether it ever does.
func (s *Store) ends(stored time.Time) (at time.Time, ever bool) {
	return stored.Add(s.opts.TTL), s.opts.TTL > 0
}

// fades returns when a tombstone, or quarantined content, goes, and whether it ever does.
func (s *Store) fades(since time.Time) (at time.Time, ever bool) {
	return since.Add(s.opts.TombstoneTTL), s.opts.TombstoneTTL >= 0
}
