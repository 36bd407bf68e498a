package lint

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
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
	distinct := func(sentence string) []string { return words.Distinct(slices.Values(retrieval.Tokens(sentence))) }
	for _, sentence := range out {
		for _, w := range distinct(sentence) {
			holders[w]++
		}
	}
	for i, sentence := range out {
		list := distinct(sentence)
		if len(list) <= b.Words {
			continue
		}
		// The words that the fewest have, of equal ones the first, in the order of the sentence.
		order := make([]int, len(list))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(holders[list[a]], holders[list[b]]) })
		order = order[:b.Words]
		slices.Sort(order)
		var rarest []string
		for _, at := range order {
			rarest = append(rarest, list[at])
		}
		out[i] = strings.Join(rarest, " ")
	}
	return out
}
