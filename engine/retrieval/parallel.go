package retrieval

import (
	"context"
	"runtime"
	"sync"
)

const (
	maxParts = 8    // more would only add tables of the vocabulary's size
	batch    = 1024 // documents between two checks of the context, and the fewest of a part
)

// Parts returns into how many parts Parallel should split n documents: one per
// core, but none of less than a batch.
func Parts(n int) int {
	return max(1, min(n/batch, runtime.GOMAXPROCS(0), maxParts))
}

// Parallel splits the documents 0 to n-1 into parts, which it works on at the same
// time, and calls step for one batch of a part after another. Part i is the i-th
// range of documents and begins at a multiple of 64. When the context ends, no
// further batch is begun. The only error is the context's. Under OnOneCore it works
// on one part after another.
func Parallel(ctx context.Context, n, parts int, step func(part, from, to int)) error {
	var wg sync.WaitGroup
	for i := range parts {
		next, end := n*i/parts&^63, n
		if i+1 < parts {
			end = n * (i + 1) / parts &^ 63
		}
		work := func() {
			for ; next < end && ctx.Err() == nil; next += batch {
				step(i, next, min(next+batch, end))
			}
		}
		if ctx.Value(oneCore{}) != nil {
			work()
		} else {
			wg.Go(work)
		}
	}
	wg.Wait()
	return ctx.Err()
}

// oneCore is the key of the contexts of OnOneCore.
type oneCore struct{}

// OnOneCore returns a context under which Parallel uses one core, the caller's. It is
// for work that must leave the others to what somebody waits for.
func OnOneCore(ctx context.Context) context.Context {
	return context.WithValue(ctx, oneCore{}, true)
}
