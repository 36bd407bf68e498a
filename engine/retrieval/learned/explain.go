package learned

import (
	"fmt"
	"slices"
	"strings"

	"caliper/engine/retrieval"
)

// Component is the name of the component in an explanation.
const Component = "learned"

// Explain returns how the score of a document for a query is computed: the explanation
// of fielded, and the component with a leaf for each word that lessons taught of the
// document. Explain panics when the catalog does not have the document.
func (x *Index) Explain(query string, doc int) retrieval.Explanation {
	e := x.base.Explain(query, doc)
	slot, ok := x.slots[int32(doc)]
	if !ok || x.support.Weight == 0 {
		return e
	}
	learned := x.explain(query, slot)
	if learned.Value == 0 {
		return e
	}
	e.Value += learned.Value
	e.Children = append(e.Children, learned)
	if len(e.Children) == 2 && e.Value == learned.Value {
		e.Message = "found by labelled queries alone: the tool has no word of the query"
	}
	return e
}

// explain returns the component of a tool.
func (x *Index) explain(query string, slot int32) retrieval.Explanation {
	e := retrieval.Explanation{Component: Component, Weight: x.support.Weight}
	sum, factor := x.sumOf(slot)
	words := unit(x.base.Words(query))
	var known []string
	for _, w := range words {
		term, ok := x.terms[w.Stem]
		if !ok || sum(term) == 0 {
			continue
		}
		part := sum(term) * factor
		leaf := retrieval.Explanation{Token: w.Stem, Value: x.support.Weight * w.IDF * part, TF: x.lessonsWith(slot, term)}
		leaf.Say(fmt.Sprintf("%.2f of the query × %.2f learned", w.IDF, part))
		e.Children = append(e.Children, leaf)
		known = append(known, w.Stem)
		e.Value += leaf.Value
	}
	e.Message = fmt.Sprintf("your queries: %s (%d of %d)", strings.Join(known, ", "), len(known), len(words))
	return e
}

// sumOf returns what was taught of each term of a tool, and what it is multiplied by.
func (x *Index) sumOf(slot int32) (sum func(term int32) float64, scale float64) {
	if less, ok := x.without[slot]; ok {
		return func(term int32) float64 { return less.sum[term] }, less.scale
	}
	return func(term int32) float64 {
		list := x.lists[term]
		at, ok := slices.BinarySearchFunc(list, slot, func(p posting, slot int32) int { return int(p.slot - slot) })
		if !ok {
			return 0
		}
		return list[at].sum
	}, x.taught[slot].scale
}

// lessonsWith returns how many lessons of a tool have a term.
func (x *Index) lessonsWith(slot, term int32) int {
	count := 0
	for _, l := range x.taught[slot].lessons {
		if slices.ContainsFunc(x.vectors[l], func(e entry) bool { return e.term == term }) {
			count++
		}
	}
	return count
}

// Word is a word that lessons taught of a tool.
type Word struct {
	Stem    string
	Weight  float64 // its share of the tool's vector, whose length is 1
	Lessons []int   // that have it, by their numbers, ascending
}

// Taught returns the words that lessons taught of a document, the weightiest first, then
// by stem, and how many lessons name it.
func (x *Index) Taught(doc int) (words []Word, lessons int) {
	slot, ok := x.slots[int32(doc)]
	if !ok {
		return nil, 0
	}
	t := &x.taught[slot]
	sum := newSummer(len(x.terms))
	terms := slices.Clone(sum.add(x, t.lessons))
	length := sum.length(terms)
	at := map[int32]int{}
	for _, term := range terms {
		at[term] = len(words)
		words = append(words, Word{Weight: sum.of[term] / length})
	}
	for stem, term := range x.terms {
		if i, ok := at[term]; ok {
			words[i].Stem = stem
		}
	}
	for _, l := range t.lessons {
		for _, e := range x.vectors[l] {
			words[at[e.term]].Lessons = append(words[at[e.term]].Lessons, int(l))
		}
	}
	slices.SortFunc(words, func(a, b Word) int {
		switch {
		case a.Weight > b.Weight:
			return -1
		case a.Weight < b.Weight:
			return 1
		}
		return strings.Compare(a.Stem, b.Stem)
	})
	return words, len(t.lessons)
}
