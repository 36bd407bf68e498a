package synthetic

import (
	"math/rand/v2"
	"strings"

	"caliper/model"
)

// Kind is a kind of query.
type Kind string

const (
	Mixed  Kind = "mixed"  // one to six words of one tool, as a model asks
	Short  Kind = "short"  // one word
	Long   Kind = "long"   // twelve to thirty words, repeats included
	Common Kind = "common" // three to five of the most frequent words
	Exact  Kind = "exact"  // the exact name of a tool
)

// Kinds are all kinds, in the order in which benchmarks report them.
var Kinds = []Kind{Mixed, Short, Long, Common, Exact}

// Queries returns n queries of one kind over tools. The same arguments give
// the same queries. It panics when tools is empty.
func Queries(kind Kind, n int, seed uint64, tools []*model.Tool) []string {
	r := rand.New(rand.NewPCG(seed, 0xa5c))
	queries := make([]string, n)
	for i := range queries {
		t := tools[r.IntN(len(tools))]
		switch kind {
		case Exact:
			queries[i] = t.Name
		case Common:
			queries[i] = draw(r, common[:20], 3+r.IntN(3))
		case Short:
			queries[i] = draw(r, words(t), 1)
		case Long:
			queries[i] = draw(r, words(t), 12+r.IntN(19))
		default:
			queries[i] = draw(r, words(t), 1+r.IntN(6))
		}
	}
	return queries
}

// words returns the words of the tool's name and description.
func words(t *model.Tool) []string {
	return strings.FieldsFunc(t.Name+" "+t.Description, func(r rune) bool { return strings.ContainsRune(" _,.", r) })
}

// draw joins n of words, drawn evenly with repeats.
func draw(r *rand.Rand, words []string, n int) string {
	drawn := make([]string, n)
	for i := range drawn {
		drawn[i] = words[r.IntN(len(words))]
	}
	return strings.Join(drawn, " ")
}
