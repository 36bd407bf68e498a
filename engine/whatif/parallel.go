package whatif

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls do for the numbers from 0 to n-1, several at a time, until one fails.
// The error is the least number's that failed, or ctx's.
func inParallel(ctx context.Context, n int, do func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && ctx.Err() == nil && !failed.Load(); i = next.Add(1) - 1 {
				if errs[i] = do(int(i)); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
