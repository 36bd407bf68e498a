package whatif

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// parallel calls do for the numbers from 0 to n-1, several at a time, until one fails. The
// error is that one's, or ctx's.
func parallel(ctx context.Context, n int, do func(i int) error) error {
	group, one := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error {
			if one.Err() != nil {
				return one.Err()
			}
			return do(i)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}
