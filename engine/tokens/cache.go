package tokens

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"caliper/model"
)

// Definition returns the definition of a tool as an assembly holds it, with
// the function object, and what stands beside it, as the registry wrote them.
func Definition(t *model.Tool) []byte {
	before, after := t.Around()
	return slices.Concat([]byte(before), t.Function, []byte(after))
}

// Cache remembers the units of tools by the hash of their content, so that a
// reload counts what changed. It forgets what two calls of Registry in a row
// did not ask for. A Cache is safe for concurrent use.
type Cache struct {
	// Progress is called by Registry with the number of tools counted and of all, from
	// several goroutines at once, and not always in order. Nil: nobody is told; set
	// before the first call.
	Progress func(done, total int)

	method Method
	mu     sync.Mutex
	known  map[model.Hash]int32 // asked for since the last call of Registry but one
	recent map[model.Hash]int32 // asked for since the last call
}

// NewCache returns an empty cache of one method.
func NewCache(m Method) *Cache {
	return &Cache{method: m, known: map[model.Hash]int32{}, recent: map[model.Hash]int32{}}
}

// Tool returns the units of Definition(t).
func (c *Cache) Tool(t *model.Tool) int {
	var units [1]int32
	c.count([]*model.Tool{t}, units[:])
	return int(units[0])
}

// count sets the units of tools.
func (c *Cache) count(tools []*model.Tool, units []int32) {
	keys := make([]model.Hash, len(tools))
	for i, t := range tools {
		keys[i] = t.Content()
	}
	c.mu.Lock()
	for i, key := range keys {
		n, ok := c.known[key]
		if units[i] = n; !ok {
			units[i] = -1
		}
	}
	c.mu.Unlock()
	for i, t := range tools {
		if units[i] >= 0 {
			continue
		}
		before, after := t.Around()
		switch e := c.method.encoding(); {
		case t.Envelope != nil || c.method.provider() != "":
			units[i] = int32(c.method.Units(Definition(t)))
		case e != nil: // without a copy of the definition
			units[i] = int32(e.countCompact(before, t.Function, after))
		default:
			units[i] = int32(len(before) + Chars(t.Function) + len(after))
		}
	}
	c.mu.Lock()
	for i, key := range keys {
		c.known[key], c.recent[key] = units[i], units[i]
	}
	c.mu.Unlock()
}

// Registry returns the units of every tool of a registry, in the order of
// r.Tools, counting on all processors. It begins a build: tools that neither
// it nor the call before asked for are forgotten. The error is ctx's, and then
// nothing is forgotten.
func (c *Cache) Registry(ctx context.Context, r *model.Registry) ([]int32, error) {
	const chunk = 256
	c.mu.Lock()
	before := c.recent
	c.recent = make(map[model.Hash]int32, len(r.Tools))
	if len(c.known) == 0 {
		c.known = make(map[model.Hash]int32, len(r.Tools))
	}
	c.mu.Unlock()
	units := make([]int32, len(r.Tools))
	var next, done atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(r.Tools)/chunk+1) {
		wait.Go(func() {
			for ctx.Err() == nil {
				start := int(next.Add(chunk)) - chunk
				if start >= len(r.Tools) {
					return
				}
				part := r.Tools[start:min(start+chunk, len(r.Tools))]
				c.count(part, units[start:])
				if n := done.Add(int64(len(part))); c.Progress != nil {
					c.Progress(int(n), len(r.Tools))
				}
			}
		})
	}
	wait.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		maps.Copy(c.recent, before)
		return nil, err
	}
	if c.known = before; len(before) == 0 {
		c.known = maps.Clone(c.recent)
	} else {
		maps.Copy(c.known, c.recent)
	}
	return units, nil
}

// Len returns the number of tools that are remembered.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.known)
}
