package lint

import (
	"context"
	"slices"
	"sync"

	"caliper/model"
)

// vocabulary has the words of every tool, as eachToolWord yields them. Each word is a
// number, so that the garbage collector need not look at the words of a hundred
// thousand tools over and over again.
//
// Invariants:
//   - no result depends on the numbers, which may be others in each run.
type vocabulary struct {
	mu      sync.Mutex
	numbers map[string]uint32 // by word
	ofTool  [][]uint32        // by Tool.Index: ascending, each once
	df      []int             // by number: the tools of the catalog that have the word
}

// newVocabulary returns the vocabulary of tools. The error is ctx's.
func newVocabulary(ctx context.Context, tools, catalog []*model.Tool) (*vocabulary, error) {
	v := &vocabulary{numbers: map[string]uint32{}, ofTool: make([][]uint32, len(tools))}
	err := parallel(ctx, (len(tools)+batch-1)/batch, func(part int) {
		known := map[string]uint32{} // of the part, so that the lock is seldom taken
		var numbers []uint32
		for i := part * batch; i < min((part+1)*batch, len(tools)); i++ {
			numbers = numbers[:0]
			for w := range eachToolWord(tools[i]) {
				number, ok := known[w]
				if !ok {
					number = v.add(w)
					known[w] = number
				}
				numbers = append(numbers, number)
			}
			slices.Sort(numbers)
			v.ofTool[i] = slices.Clone(slices.Compact(numbers))
		}
	})
	if err != nil {
		return nil, err
	}
	v.df = make([]int, len(v.numbers))
	for _, t := range catalog {
		for _, number := range v.ofTool[t.Index] {
			v.df[number]++
		}
	}
	return v, nil
}

// add returns the number of a word, which it has from now on.
func (v *vocabulary) add(word string) uint32 {
	v.mu.Lock()
	defer v.mu.Unlock()
	number, ok := v.numbers[word]
	if !ok {
		number = uint32(len(v.numbers))
		v.numbers[word] = number
	}
	return number
}

// has reports whether a tool of the registry has a word.
func (v *vocabulary) has(t *model.Tool, word string) bool {
	number, ok := v.numbers[word]
	if ok {
		_, ok = slices.BinarySearch(v.ofTool[t.Index], number)
	}
	return ok
}

// tools returns how many tools of the catalog have a word.
func (v *vocabulary) tools(word string) int {
	number, ok := v.numbers[word]
	if !ok {
		return 0
	}
	return v.df[number]
}
