package lint

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls f with every number below n, on all processors. The error is
// ctx's, and then some were not called.
func parallel(ctx context.Context, n int, f func(i int)) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// progress tells how much is done.
type progress struct {
	mu          sync.Mutex
	done, total int
	tell        func(done, total int)
}

func newProgress(tell func(done, total int), total int) *progress {
	return &progress{tell: tell, total: total}
}

// step is one more that is done.
func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done++; p.tell != nil {
		p.tell(p.done, p.total)
	}
}

// more is to do.
func (p *progress) more(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total += n
}
