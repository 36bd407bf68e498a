package tokens

import (
	"context"
	"crypto/sha256"
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
	Kept Kept // where Registry keeps counts; set before its first call

	// Progress is called by Registry with the number of tools counted and of all, from
	// several goroutines at once, and not always in order. Nil: nobody is told; set
	// before the first call.
	Progress func(done, total int)

	method   Method
	build    atomic.Uint32 // number of the current build
	shards   [16]shard
	recalled sync.Once
	fresh    atomic.Int64 // tools counted since the counts were kept
}

// shard is the part of a cache that holds the hashes of one first digit.
type shard struct {
	mu    sync.Mutex
	known map[model.Hash]counted
}

// counted is the size of a tool, and the last build that asked for it.
type counted struct {
	units int32
	build uint32
}

// NewCache returns an empty cache of one method.
func NewCache(m Method) *Cache {
	c := &Cache{method: m}
	for i := range c.shards {
		c.shards[i].known = map[model.Hash]counted{}
	}
	return c
}

// Tool returns the units of Definition(t).
func (c *Cache) Tool(t *model.Tool) int {
	key := keyOf(t)
	s := c.shard(key)
	build := c.build.Load()
	s.mu.Lock()
	known, ok := s.known[key]
	if ok && known.build != build {
		known.build = build
		s.known[key] = known
	}
	s.mu.Unlock()
	if ok {
		return int(known.units)
	}
	units := c.count(t)
	c.fresh.Add(1)
	s.mu.Lock()
	s.known[key] = counted{int32(units), build}
	s.mu.Unlock()
	return units
}

// shard returns the part of the cache that holds a key.
func (c *Cache) shard(key model.Hash) *shard { return &c.shards[key[0]&15] }

// keyOf returns what the units of a tool depend on as one hash: the tool's own, and
// what stands around its function object if that is not the usual.
func keyOf(t *model.Tool) model.Hash {
	if t.Envelope == nil {
		return t.Content()
	}
	content := t.Content()
	sum := sha256.Sum256([]byte(string(content[:]) + t.Envelope.Before + "\x00" + t.Envelope.After))
	return model.Hash(sum[:])
}

// count counts a tool without copying its definition, which is as good as
// always the function object in the usual envelope.
func (c *Cache) count(t *model.Tool) int {
	if t.Envelope != nil || c.method.provider() != "" {
		return c.method.Units(Definition(t))
	}
	before, after := t.Around()
	if e := c.method.encoding(); e != nil {
		return e.countCompact(before, t.Function, after)
	}
	return len(before) + Chars(t.Function) + len(after)
}

// Registry returns the units of every tool of a registry, in the order of
// r.Tools, counting on all processors. It begins a build: tools that neither
// it nor the call before asked for are forgotten. The error is ctx's, and then
// nothing is forgotten.
func (c *Cache) Registry(ctx context.Context, r *model.Registry) ([]int32, error) {
	const chunk = 256
	c.recall()
	build := c.build.Add(1)
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
				for i, t := range part {
					units[start+i] = int32(c.Tool(t))
				}
				if n := done.Add(int64(len(part))); c.Progress != nil {
					c.Progress(int(n), len(r.Tools))
				}
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.forget(build)
	c.keep(build, len(r.Tools))
	return units, nil
}

// forget drops the tools that neither a build nor the one before it asked for.
func (c *Cache) forget(build uint32) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		for hash, known := range s.known {
			if known.build+1 < build {
				delete(s.known, hash)
			}
		}
		s.mu.Unlock()
	}
}

// Len returns the number of tools that are remembered.
func (c *Cache) Len() int {
	n := 0
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		n += len(s.known)
		s.mu.Unlock()
	}
	return n
}
