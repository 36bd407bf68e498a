package model

import (
	"context"
	"crypto/sha256"
	"runtime"
	"slices"
	"sync"
)

// finisher computes what follows from the content of a tool alone: its hash,
// its safe description, and what is suspect about it. That is a third of the
// work of parsing, and is done while other tools are still being read.
type finisher struct {
	blocks  chan []Tool
	workers sync.WaitGroup
	ended   bool

	mu       sync.Mutex
	suspects map[*Tool]string
}

// newFinisher returns a finisher that works until end is called.
func newFinisher() *finisher {
	f := &finisher{blocks: make(chan []Tool, 256), suspects: map[*Tool]string{}}
	for range max(1, runtime.GOMAXPROCS(0)-1) {
		f.workers.Go(func() {
			for block := range f.blocks {
				for i := range block {
					f.content(&block[i])
				}
			}
		})
	}
	return f
}

// take finishes a block of tools in its time. One with a tool whose function is
// not known yet is left to finishTools: the reader goes on writing to it.
func (f *finisher) take(block []Tool) {
	unknown := func(t Tool) bool { return t.Function == nil }
	if len(block) > 0 && !slices.ContainsFunc(block, unknown) {
		f.blocks <- block
	}
}

// end waits until all that was taken is finished.
func (f *finisher) end() {
	if !f.ended {
		close(f.blocks)
		f.workers.Wait()
		f.ended = true
	}
}

// content finishes a tool unless it is. The hash covers the function object,
// which holds name, description and parameters, and what is sent beside it.
func (f *finisher) content(t *Tool) {
	if t.Hash != (Hash{}) {
		return
	}
	sum := sha256.Sum256(t.Function)
	if e := t.Envelope; e != nil {
		sum = sha256.Sum256(slices.Concat(sum[:], []byte(e.Before), []byte{0}, []byte(e.After)))
	}
	t.Hash = Hash(sum[:])
	t.ShownDescription = Sanitize(t.Description)
	if message := suspicion(t.Description); message != "" {
		f.suspect(t, message)
	}
}

// suspect notes what is suspect about a tool.
func (f *finisher) suspect(t *Tool, message string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.suspects[t] = message
}

// finishTools completes every tool on all processors, with what follows from
// its names too, and warns of suspect descriptions.
func (b *builder) finishTools(ctx context.Context) error {
	b.finisher.end()
	tools := b.r.Tools
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
				b.finisher.content(t)
				t.ShownName = Sanitize(t.Qualified)
				t.ShownToolset = Sanitize(t.Toolset)
			}
		})
	}
	done.Wait()
	if len(b.finisher.suspects) > 0 {
		for i, t := range tools {
			if message, ok := b.finisher.suspects[t]; ok && b.tells(t.At.Source, "injection") {
				f := &b.found[i]
				b.notes = append(b.notes, note{t.At.Source, finding{f.description, "injection", f.path("description"), message}})
			}
		}
	}
	return ctx.Err()
}
