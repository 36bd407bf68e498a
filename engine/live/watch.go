package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// settle is how long a list of tools must not have changed before it is read:
// servers that load a set of tools announce each of them.
const settle = 200 * time.Millisecond

// Watch lists a server and keeps the session. changed gets the first listing,
// and another one each time that the server announces a change
// (notifications/tools/list_changed) and the listing really differs. It is
// never called twice at once, and no listing is read while it runs.
//
// Watch returns nil when ctx ends, and an *Error when the server cannot be
// listed or ends the session. The timeout holds for each listing. The
// child and its process group are gone when Watch returns.
func Watch(ctx context.Context, s Server, o Options, changed func(Listing)) error {
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
		changed(last)
		err = x.follow(ctx, last, changed)
	}
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errLate) {
		x.end(true)
		return nil
	}
	return x.finish(ctx, err)
}

// follow reads the list again after every announcement, until ctx or the
// session ends, and returns why.
func (x *session) follow(ctx context.Context, last Listing, changed func(Listing)) error {
	gone := make(chan error, 1)
	go func() { gone <- x.client.Wait() }() // ends with the session
	calm := time.NewTimer(settle)
	calm.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-gone:
			return errors.Join(ErrEnded, err)
		case <-x.changed:
			calm.Reset(settle)
			continue
		case <-calm.C:
		}
		short, stop := context.WithTimeout(ctx, x.o.timeout(x.server))
		next, err := x.list(short)
		stop()
		if err != nil {
			return err
		}
		if !sameTools(last, next) {
			last = next
			changed(next)
		}
	}
}

// sameTools reports whether two listings hold the same tools in the same bytes.
func sameTools(a, b Listing) bool {
	return slices.EqualFunc(a.Tools, b.Tools, func(x, y json.RawMessage) bool { return bytes.Equal(x, y) })
}
