package learned

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/engine/retrieval"
)

// Component is the name of the component in an explanation.
const Component = "learned"

// Explain returns how the score of a document for a query is computed: the explanation
// of fielded, or of hybrid where meaning counts, and the component with a leaf for each word
// that lessons taught of the document, or none where no lesson names it. Explain panics when
// the catalog does not have the document.
func (x *Index) Explain(query string, doc int) retrieval.Explanation {
	e := x.untaught().Explain(query, doc)
	if x.support.Weight == 0 {
		return e
	}
	named := x.named(uint32(doc))
	learned := x.explain(query, x.taughtOf(int32(doc)))
	if !named {
		learned = x.explainShare(query, e.Value)
	}
	if learned.Value == 0 {
		return e
	}
	switch {
	case !named || x.base.Explain(query, doc).Value > 0:
	case e.Value > 0:
		e.Message = "found by meaning and by labelled queries: the tool has no word of the query"
	default:
		e.Message = "found by labelled queries alone: the tool has no word of the query"
	}
	e.Value += learned.Value
	e.Children = append(e.Children, learned)
	return e
}

// explain returns the component of a tool.
func (x *Index) explain(query string, t *taught) retrieval.Explanation {
	e := retrieval.Explanation{Component: Component, Weight: x.support.Weight}
	words := unit(x.base.Words(query))
	for _, w := range words {
		term, ok := x.term(w.Stem)
		word := t.of(term)
		if !ok || word.sum == 0 {
			continue
		}
		part := word.sum * t.scale * x.rarity(term)
		leaf := retrieval.Explanation{Token: w.Stem, Value: x.support.Weight * w.IDF * part, TF: int(word.lessons)}
		leaf.Say(fmt.Sprintf("%.2f of the query × %.2f learned", w.IDF, part))
		e.Children = append(e.Children, leaf)
		e.Value += leaf.Value
	}
	e.Message = fmt.Sprintf("your queries taught %d of the %d words", len(e.Children), len(words))
	return e
}

// explainShare returns the component of a tool with a score that no lesson names.
func (x *Index) explainShare(query string, score float64) retrieval.Explanation {
	best := 0.0
	if hits := x.untaught().Search(query, 1).Hits; len(hits) > 0 {
		best = hits[0].Score
	}
	share := x.support.share(best)
	e := retrieval.Explanation{Component: Component, Value: float64(score * share)}
	e.Message = fmt.Sprintf("none of your queries names the tool: %.2f of its score", share)
	return e
}

// Word is a word that lessons taught of a tool.
type Word struct {
	Stem    string
	Weight  float64 // its share of the tool's vector, whose length is 1
	Lessons []int   // that have it, by their numbers, ascending
}

// Taught returns the words that lessons taught of a document, the weightiest first, then
// by stem, and the numbers of the lessons that name it.
func (x *Index) Taught(doc int) (words []Word, lessons []int) {
	t := x.taughtOf(int32(doc))
	length := lengthOf(t.words)
	stems := map[int32]string{} // that the core does not have
	for stem, term := range x.changes.terms {
		stems[term] = stem
	}
	at := map[int32]int{}
	for i, w := range t.words {
		at[w.term] = i
		word := Word{Stem: stems[w.term], Weight: w.sum / length}
		if int(w.term) < len(x.core.stems) {
			word.Stem = x.core.stems[w.term]
		}
		words = append(words, word)
	}
	for _, number := range t.lessons {
		lessons = append(lessons, int(number))
		for _, e := range x.lesson(number).vector {
			words[at[e.term]].Lessons = append(words[at[e.term]].Lessons, int(number))
		}
	}
	slices.SortFunc(words, func(a, b Word) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Stem, b.Stem))
	})
	return words, lessons
}

// Known returns the words of a query that lessons taught of a document, in the order in
// which they are first said.
func (x *Index) Known(query string, doc int) []string {
	t := x.taughtOf(int32(doc))
	if x.support.Weight == 0 || len(t.lessons) == 0 {
		return nil
	}
	var known []string
	for _, w := range x.base.Words(query) {
		if term, ok := x.term(w.Stem); ok && t.of(term).lessons > 0 {
			known = append(known, w.Stem)
		}
	}
	return known
}
