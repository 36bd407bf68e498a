package shapes

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
)

// finisher computes what follows from the content of a tool alone: its hash, and
// whether its description is suspect. That is a quarter of the work of
// parsing, and is done while other tools are still being read.
type finisher struct {
	once    bool // see Once
	blocks  chan []model.Tool
	workers sync.WaitGroup
	ended   bool

	mu       sync.Mutex
	suspects map[*model.Tool]string
}

// newFinisher returns a finisher that works until end is called.
func newFinisher(once bool) *finisher {
	f := &finisher{once: once, blocks: make(chan []model.Tool, 256), suspects: map[*model.Tool]string{}}
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

// take finishes a block of tools in the background. A block with a tool whose
// function is not known yet is left to finishTools, because the reader still
// writes to it. A nil finisher leaves every block to finishTools.
func (f *finisher) take(block []model.Tool) {
	if f == nil {
		return
	}
	unknown := func(t model.Tool) bool { return t.Function == nil }
	if len(block) > 0 && !slices.ContainsFunc(block, unknown) {
		f.blocks <- block
	}
}

// end waits until every block that was taken is finished.
func (f *finisher) end() {
	if !f.ended {
		close(f.blocks)
		f.workers.Wait()
		f.ended = true
	}
}

// content finishes a tool unless it is.
func (f *finisher) content(t *model.Tool) {
	if f.once {
		if t.ShownName != "" {
			return
		}
		t.ShownName = safetext.Line(t.Name) // of the name so far; finishTools sets the final one's
	} else {
		if t.Hash != (model.Hash{}) {
			return
		}
		t.Hash = t.Content()
	}
	if message := suspicion(t.Description); message != "" {
		f.suspect(t, message)
	}
}

// suspect remembers why a tool is suspect.
func (f *finisher) suspect(t *model.Tool, message string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.suspects[t] = message
}

// finishTools completes every tool on all processors, with what follows from
// its names too, and warns of suspect descriptions.
func (b *builder) finishTools(ctx context.Context) error {
	b.finisher.end()
	tools := b.tools
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
				t.ShownName = safetext.Line(t.Qualified)
			}
		})
	}
	done.Wait()
	if len(b.finisher.suspects) > 0 {
		for i, t := range tools {
			if message, ok := b.finisher.suspects[t]; ok && b.tells(t.At.Source, "injection") {
				f := &b.found[i]
				b.notes = append(b.notes, note{t.At.Source, jsontree.Fault{At: f.description, Code: "injection", Path: f.path("description"), Message: message}})
			}
		}
	}
	return ctx.Err()
}

// suspicion returns why a description deserves a look, and "" when nothing is odd.
func suspicion(description string) string {
	if match := safetext.Injection(description); match != "" {
		return "the description talks to the model like an attack: " + match
	}
	if safetext.HasTags(description) {
		return "the description holds invisible tag characters"
	}
	return ""
}
