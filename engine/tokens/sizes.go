package tokens

import (
	"context"
	"sync"
	"sync/atomic"

	"caliper/model"
)

// Sizes are the sizes of the definitions of a registry, in units of one method.
// They are counted all at once, when all of them are first asked for: to count
// them takes longer than most questions that need a few.
type Sizes struct {
	Cache    *Cache
	Registry *model.Registry
	counting sync.Mutex
	units    atomic.Pointer[[]int32] // by Tool.Index; nil until all are counted
}

// Count counts every definition, unless that is done. The error is ctx's.
func (z *Sizes) Count(ctx context.Context) error {
	z.counting.Lock()
	defer z.counting.Unlock()
	if z.Counted() {
		return nil
	}
	units, err := z.Cache.Registry(ctx, z.Registry)
	if err == nil {
		z.units.Store(&units)
	}
	return err
}

// All returns the sizes of all tools, by Tool.Index.
func (z *Sizes) All() []int32 {
	if !z.Counted() {
		_ = z.Count(context.Background()) // which does not end
	}
	return *z.units.Load()
}

// Of returns the size of a tool's definition, which it counts itself while Count is not done.
func (z *Sizes) Of(t *model.Tool) int {
	if units := z.units.Load(); units != nil {
		return int((*units)[t.Index])
	}
	return z.Cache.Tool(t)
}

// Counted reports whether all are counted.
func (z *Sizes) Counted() bool { return z.units.Load() != nil }
