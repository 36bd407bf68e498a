package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// How long a list of tools must not have changed before it is read, since
// servers that load a set of tools announce each of them; and how long after
// the first announcement it is read all the same, so that one that never stops
// announcing is read too, within two seconds of every change.
const (
	settle  = 200 * time.Millisecond
	overdue = 1500 * time.Millisecond
)

// Watch lists a server and keeps the session. changed gets the first listing,
// and another one each time that the server announces a change
// (notifications/tools/list_changed) and the listing really differs. It is
// never called twice at once, and no listing is read while it runs.
//
// Watch returns nil when ctx ends, and an *Error when the server cannot be
// listed or ends the session. The timeout holds for each listing. The
// child and its process group are gone when Watch returns.
func Watch(ctx context.Context, s Server, o Options, changed func(Listing)) error {
	_, err := stay(ctx, s, o, func(_ *session, l Listing) { changed(l) })
	return err
}

// stay is Watch, which tells the session too, and returns it when it has ended.
func stay(ctx context.Context, s Server, o Options, changed func(*session, Listing)) (*session, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	late := time.AfterFunc(o.timeout(s), func() { cancel(errLate) })
	defer late.Stop()
	x, err := open(ctx, s, o, true)
	var last Listing
	if err == nil {
		last, err = x.list(ctx)
	}
	if err == nil {
		late.Stop()
		changed(x, last)
		gone := make(chan error, 1)
		go func() { gone <- x.client.Wait() }() // ends with the session
		err = afterAnnouncements(ctx, x.changed, gone, func() error {
			short, stop := context.WithTimeout(ctx, x.o.timeout(x.server))
			defer stop()
			next, err := x.list(short)
			if err == nil && !slices.EqualFunc(last.Tools, next.Tools, func(x, y json.RawMessage) bool { return bytes.Equal(x, y) }) {
				last = next
				changed(x, next)
			}
			return err
		})
	}
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errLate) {
		x.end(true)
		return x, nil
	}
	return x, x.finish(ctx, err)
}

// afterAnnouncements calls read once announcements, which are times, have settled, and at the
// latest when they are overdue, until ctx ends, gone has the reason of the session's end, or read
// fails.
func afterAnnouncements(ctx context.Context, announced <-chan time.Time, gone <-chan error, read func() error) error {
	calm := time.NewTimer(settle)
	calm.Stop()
	var first time.Time // of the announcements that nothing was read after; zero: there is none
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-gone:
			return errors.Join(ErrEnded, err)
		case at := <-announced:
			if first.IsZero() {
				first = at
			}
			calm.Reset(min(settle, time.Until(first.Add(overdue))))
		case <-calm.C:
			first = time.Time{}
			if err := read(); err != nil {
				return err
			}
		}
	}
}
