package synthetic

import (
	"math/rand/v2"

	"caliper/model"
)

// Label is a query with the tool that it was made of.
type Label struct {
	Query string
	Tool  *model.Tool
}

// Labels returns n labelled queries over tools. Every second one has one to six
// words of its tool, as a model asks, and the others twelve to thirty, as the
// requests of real users have. The same arguments give the same labels. Labels
// panics when tools is empty.
func Labels(n int, seed uint64, tools []*model.Tool) []Label {
	r := rand.New(rand.NewPCG(seed, 0x1abe1))
	labels := make([]Label, n)
	for i := range labels {
		t := tools[r.IntN(len(tools))]
		length := 1 + r.IntN(6)
		if i%2 == 1 {
			length = 12 + r.IntN(19)
		}
		labels[i] = Label{Query: draw(r, words(t), length), Tool: t}
	}
	return labels
}
