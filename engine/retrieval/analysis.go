package retrieval

import (
	"context"
	"hash/maphash"
	"runtime"
	"sync"

	"caliper/model"
)

const (
	maxWorkers = 8    // more would only add tables of the vocabulary's size
	batch      = 1024 // tools or documents between two looks at the context, and the least worth a worker
)

// workers returns into how many parts n tools or documents are split.
func workers(n int) int {
	return max(1, min(n/batch, runtime.GOMAXPROCS(0), maxWorkers))
}

// analyser turns tools into term numbers of a dictionary of its own. The
// tokens of one tool are grouped by term, in order of first occurrence, so
// that the length of a run is the term's frequency.
type analyser struct {
	dict    dictionary
	seen    []occurrence // per term
	terms   []uint32     // the distinct terms of the current tool
	counts  []uint32     // how often each of them occurs
	token   []byte
	number  uint32   // of the current tool, from 1
	tokens  []uint32 // of all tools, one after another
	lengths []int    // tokens per tool
}

// occurrence tells which tool held a term last, and where it stands in terms.
type occurrence struct{ tool, place uint32 }

// text adds the tokens of s to the current tool.
func (a *analyser) text(s string) {
	for i := 0; ; {
		if a.token, i = nextToken(a.token[:0], s, i); len(a.token) == 0 {
			return
		}
		id := a.dict.intern(a.token, a.dict.hash(a.token))
		if int(id) == len(a.seen) {
			a.seen = append(a.seen, occurrence{})
		}
		if last := a.seen[id]; last.tool == a.number {
			a.counts[last.place]++
			continue
		}
		a.seen[id] = occurrence{tool: a.number, place: uint32(len(a.terms))}
		a.terms = append(a.terms, id)
		a.counts = append(a.counts, 1)
	}
}

// tool adds one tool: its name, description and top-level parameter names,
// as one bag of words.
func (a *analyser) tool(t *model.Tool) {
	a.number++
	a.terms, a.counts = a.terms[:0], a.counts[:0]
	a.text(t.Name)
	a.text(t.Description)
	for _, name := range t.PropertyNames() {
		a.text(name)
	}
	before := len(a.tokens)
	for i, id := range a.terms {
		for range a.counts[i] {
			a.tokens = append(a.tokens, id)
		}
	}
	a.lengths = append(a.lengths, len(a.tokens)-before)
}

// analyse tokenizes tools on all cores: analyser i holds the i-th part of
// them, in order. The only error is the context's.
func analyse(ctx context.Context, seed maphash.Seed, tools []*model.Tool) ([]*analyser, error) {
	parts := make([]*analyser, workers(len(tools)))
	var wg sync.WaitGroup
	for i := range parts {
		a := &analyser{dict: newDictionary(seed)}
		parts[i] = a
		wg.Go(func() {
			for n, t := range tools[len(tools)*i/len(parts) : len(tools)*(i+1)/len(parts)] {
				if n%batch == 0 && ctx.Err() != nil {
					return
				}
				a.tool(t)
			}
		})
	}
	wg.Wait()
	return parts, ctx.Err()
}
