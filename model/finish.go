package model

import (
	"context"
	"crypto/sha256"
	"runtime"
	"sync"
)

// finishTools sets what follows from a tool alone, its hash and its safe text,
// and warns of suspect descriptions. That is most of the work of parsing, and so it is shared by all processors.
func (b *builder) finishTools(ctx context.Context) error {
	tools := b.r.Tools
	suspects := make([]string, len(tools)) // no data race: every tool has its place
	workers := min(runtime.GOMAXPROCS(0), 1+len(tools)/pollEvery)
	size := (len(tools) + workers - 1) / workers
	var done sync.WaitGroup
	for start := 0; start < len(tools); start += size {
		part := tools[start:min(start+size, len(tools))]
		done.Go(func() {
			for i, t := range part {
				if i%pollEvery == 0 && ctx.Err() != nil {
					return
				}
				t.finish()
				suspects[start+i] = suspicion(t.Description)
			}
		})
	}
	done.Wait()
	for i, message := range suspects {
		if message != "" {
			f := &b.found[i]
			b.notes = append(b.notes, note{f.tool.At.Source, finding{f.description, "injection", f.path("description"), message}})
		}
	}
	return ctx.Err()
}

// finish sets t's hash and safe text. The hash covers the function object,
// which holds name, description and parameters.
func (t *Tool) finish() {
	sum := sha256.Sum256(t.Function)
	t.Hash = Hash(sum[:])
	t.ShownName = Sanitize(t.Qualified)
	t.ShownDescription = Sanitize(t.Description)
	t.ShownToolset = Sanitize(t.Toolset)
}
