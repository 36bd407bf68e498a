package shapes

import (
	"context"
	"runtime"
	"sync"

	"caliper/model/jsontree"
	"caliper/model/safetext"
)

// finishTools completes every tool, on all processors, with what follows from its content and
// its names, and warns of suspect descriptions.
func (b *builder) finishTools(ctx context.Context) error {
	tools, odd := b.tools, make([]string, len(b.tools)) // why each is suspect; empty: it is not
	workers := min(runtime.GOMAXPROCS(0), 1+len(tools)/pollEvery)
	size := (len(tools) + workers - 1) / workers
	var done sync.WaitGroup
	for start := 0; start < len(tools); start += size {
		end := min(start+size, len(tools))
		done.Go(func() {
			for i := start; i < end; i++ {
				t := tools[i]
				if (i-start)%pollEvery == 0 && ctx.Err() != nil {
					return
				}
				t.ShownName = safetext.Line(t.Qualified)
				if !b.once {
					t.Hash = t.Content()
				}
				odd[i] = suspicion(t.Description)
			}
		})
	}
	done.Wait()
	for i, message := range odd {
		if at := tools[i].At.Source; message != "" && b.tells(at, "injection") {
			f := &b.found[i]
			b.notes = append(b.notes, note{at, jsontree.Fault{At: f.description, Code: "injection", Path: f.path("description"), Message: message}})
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
