package live

import (
	"context"
	"sync"
)

// atOnce is how many servers are listed at the same time.
const atOnce = 4

// Outcome is what became of one server. Err is nil or an *Error.
type Outcome struct {
	Server  string
	Listing Listing
	Err     error
}

// ListAll lists servers, four at a time, and returns their outcomes in the
// order of the servers: one that cannot be listed takes nothing from the
// others. Each outcome is also handed to report, if that is not nil, with the
// index of its server as soon as it is there, and never two at once. When ctx ends, the servers that have not
// been started are not started any more.
func ListAll(ctx context.Context, servers []Server, o Options, report func(n int, out Outcome)) []Outcome {
	outcomes := make([]Outcome, len(servers))
	slots := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	var reporting sync.Mutex
	for i, s := range servers {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			out := Outcome{Server: s.Name}
			if err := ctx.Err(); err != nil {
				out.Err = &Error{Server: s.Name, Stage: Starting, Err: err}
			} else {
				out.Listing, out.Err = List(ctx, s, o)
			}
			outcomes[i] = out
			if report != nil {
				reporting.Lock()
				defer reporting.Unlock()
				report(i, out)
			}
		})
	}
	all.Wait()
	return outcomes
}
