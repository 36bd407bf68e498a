package engine

import (
	"context"
	"sync"
	"sync/atomic"

	"caliper/engine/tokens"
	"caliper/model"
)

// sizes are the sizes of the definitions of a registry, in units of one method.
// They are counted all at once, when all of them are first asked for: to count
// them takes longer than most questions that need a few.
type sizes struct {
	cache    *tokens.Cache
	registry *model.Registry
	counting sync.Mutex
	units    atomic.Pointer[[]int32] // by Tool.Index; nil until all are counted
}

// count counts every definition, unless that is done. The error is ctx's.
func (z *sizes) count(ctx context.Context) error {
	z.counting.Lock()
	defer z.counting.Unlock()
	if z.units.Load() != nil {
		return nil
	}
	units, err := z.cache.Registry(ctx, z.registry)
	if err == nil {
		z.units.Store(&units)
	}
	return err
}

// all returns the sizes of all tools, by Tool.Index.
func (z *sizes) all() []int32 {
	if z.units.Load() == nil {
		_ = z.count(context.Background()) // which does not end
	}
	return *z.units.Load()
}

// of returns the size of one tool.
func (z *sizes) of(t *model.Tool) int {
	if units := z.units.Load(); units != nil {
		return int((*units)[t.Index])
	}
	return z.cache.Tool(t)
}
