package lint

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine/retrieval"
	"caliper/model"
)

// MapWithinBounds is the number of tools above which a catalog is mapped with narrower bounds.
const MapWithinBounds = 20_000

// ConfusionBounds are what a map leaves out of the queries.
type ConfusionBounds struct {
	Depth int // so many hits of a query are compared
	Words int // a first sentence is asked by so many of its words, the rarest; 0: by all
	Tied  int // equal hits that go on beyond Depth are compared up to so many; 0: all within Depth
}

// boundsOf returns the bounds of a catalog of n tools.
func boundsOf(n int) ConfusionBounds {
	if n > MapWithinBounds {
		return ConfusionBounds{Depth: 50, Words: 12, Tied: 10}
	}
	return ConfusionBounds{Depth: 100}
}

// Narrow reports whether the bounds are for a large catalog.
func (b ConfusionBounds) Narrow() bool { return b.Words > 0 }

// sentences returns the first sentence of each tool as it is asked.
func (b ConfusionBounds) sentences(tools []*model.Tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = SentenceQuery(t)
	}
	if b.Words == 0 {
		return out
	}
	holders := map[string]int{} // sentences that have a word
	for _, sentence := range out {
		for _, w := range distinctTexts(sentence) {
			holders[w]++
		}
	}
	for i, sentence := range out {
		if words := distinctTexts(sentence); len(words) > b.Words {
			out[i] = strings.Join(rarest(words, b.Words, holders), " ")
		}
	}
	return out
}

// distinctTexts returns the words of a sentence, each where it stands first.
func distinctTexts(sentence string) []string {
	words := retrieval.Tokens(sentence)
	n := 0
	for _, w := range words {
		if !slices.Contains(words[:n], w) {
			words[n] = w
			n++
		}
	}
	return words[:n]
}

// rarest returns the n words that the fewest have, of equal ones the first, in the order
// of the sentence.
func rarest(words []string, n int, holders map[string]int) []string {
	order := make([]int, len(words))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(holders[words[a]], holders[words[b]]) })
	order = order[:n]
	slices.Sort(order)
	out := make([]string, n)
	for i, at := range order {
		out[i] = words[at]
	}
	return out
}
