package cli

import (
	"context"
	"errors"
	"sync"

	"caliper/engine/live"
)

// freshness keeps a dump as the servers of several sessions last were.
type freshness struct {
	importing *importing
	core      []string

	mu       sync.Mutex
	listings []*live.Listing // nil: not listed
	outcomes []serverJSON
	waiting  int   // servers that have neither been listed nor failed
	fault    error // why nothing more is written
	stop     func()
}

// keepFresh keeps the sessions of servers open and writes the dump when all
// have answered, and again whenever one announces other tools, until ctx ends
// or the last server has gone. What a server listed stays when it goes.
func (i *importing) keepFresh(ctx context.Context, servers []askedServer, core []string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	f := &freshness{importing: i, core: core, stop: stop, waiting: len(servers),
		listings: make([]*live.Listing, len(servers)), outcomes: make([]serverJSON, len(servers))}
	o := i.options()
	var all sync.WaitGroup
	for n, s := range servers {
		f.outcomes[n].Name = s.Name
		all.Go(func() {
			expanded, err := i.expand(s.Server, s.file)
			if err == nil {
				err = live.Watch(ctx, expanded, o, func(l live.Listing) { f.changed(ctx, n, expanded, l) })
			}
			if err != nil {
				f.failed(ctx, n, err)
			}
		})
	}
	all.Wait()
	if f.fault != nil {
		return f.fault
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errNo // a server only goes with an error
}

// changed takes what a server lists now.
func (f *freshness) changed(ctx context.Context, n int, s live.Server, l live.Listing) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.listings[n] == nil {
		f.waiting--
	}
	f.listings[n] = f.importing.listed(s, l, &f.outcomes[n])
	f.write(ctx)
}

// failed takes that a server cannot be listed, or has gone.
func (f *freshness) failed(ctx context.Context, n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.outcomes[n].Error = f.importing.failed(err)
	if f.listings[n] == nil {
		f.waiting--
		f.write(ctx)
	}
}

// write writes the dump, once every server has been heard of.
func (f *freshness) write(ctx context.Context) {
	if f.waiting > 0 || f.fault != nil || ctx.Err() != nil {
		return
	}
	i := f.importing
	err := i.dump(ctx, f.listings, f.core, f.outcomes)
	if flushErr := i.run.out.Flush(); flushErr != nil && (err == nil || errors.Is(err, errNo)) {
		err = outputError(flushErr)
	}
	if err != nil && !errors.Is(err, errNo) { // no: some of them could not be listed
		f.fault = err
		f.stop()
	}
}
