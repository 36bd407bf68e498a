package learned

import (
	"fmt"
	"math"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/meaning"
)

// Len returns the number of documents.
func (x *Index) Len() int { return x.base.Len() }

// Base returns the index without what was learned, and without meaning.
func (x *Index) Base() *fielded.Index {
	if x.meant != nil {
		return x.meant.Base()
	}
	return x.base
}

// Meant returns the index of the meaning that counts too; nil where none does.
func (x *Index) Meant() *meaning.Index { return x.meant }

// untaught returns what ranks where the lessons have no weight.
func (x *Index) untaught() retrieval.Ranker {
	if x.meant != nil {
		return x.meant
	}
	return x.base
}

// meanings returns what tools gain for their meaning.
func (x *Index) meanings(a fielded.Asked) []fielded.Addition {
	if x.meant == nil {
		return nil
	}
	return x.meant.Gains(a)
}

// Search returns the k best tools for a query, best first, ties in catalog order.
func (x *Index) Search(query string, k int) retrieval.Result { return x.SearchInto(nil, query, k) }

// SearchInto is Search, but appends the hits to dst.
func (x *Index) SearchInto(dst []retrieval.Hit, query string, k int) retrieval.Result {
	if x.support.Weight == 0 {
		return x.untaught().SearchInto(dst, query, k)
	}
	return x.base.SearchAdding(dst, query, k, func(q fielded.Asked) fielded.Gain {
		meant := x.meanings(q)
		// The best score without lessons: of a candidate of fielded, with what it gains for its meaning.
		best, means := q.Best, make(map[uint32]float64, len(meant))
		for _, m := range meant {
			means[m.Doc], best = m.Value, max(best, m.Value)
		}
		if len(meant) > 0 {
			for _, c := range q.Candidates {
				best = max(best, c.Value+means[c.Doc])
			}
		}
		share := x.support.share(best)
		for i := range meant {
			if !x.named(meant[i].Doc) {
				meant[i].Value += float64(meant[i].Value * share)
			}
		}
		return fielded.Gain{Added: together(x.additions(q.Words, x.support.Weight), meant), Share: share, Known: x.named}
	})
}

// together returns the additions of two lists; documents of both have the sum.
func together(a, b []fielded.Addition) []fielded.Addition {
	if len(b) == 0 {
		return a
	}
	at := make(map[uint32]int, len(a))
	for i, g := range a {
		at[g.Doc] = i
	}
	for _, g := range b {
		if i, ok := at[g.Doc]; ok {
			a[i].Value += g.Value
		} else {
			a = append(a, g)
		}
	}
	return a
}

// named reports whether a lesson names a document.
func (x *Index) named(doc uint32) bool { return len(x.taughtOf(int32(doc)).lessons) > 0 }

// share returns the share of its score that a tool gains that no lesson names, where the
// best score is given.
func (s *Support) share(best float64) float64 {
	if best <= 0 {
		return 0
	}
	return s.Weight * s.Unlabelled / best
}

// rarity returns the share of what a word of the query adds, by how many of the tools that
// lessons name have it in one; 1 for a word of one tool, and 0 for one that no lesson has.
func (x *Index) rarity(term int32) float64 {
	holders, tools := len(x.core.lists[term]), len(x.core.taught)
	for _, t := range x.docs {
		tools--
		if x.core.taught[x.core.slots[t.doc]].of(term).lessons > 0 {
			holders--
		}
		if len(t.lessons) > 0 {
			tools++
		}
		if t.of(term).lessons > 0 {
			holders++
		}
	}
	if holders == 0 {
		return 0
	}
	return math.Sqrt(math.Sqrt(math.Log((float64(tools)+1)/(float64(holders)+0.5)) / math.Log((float64(tools)+1)/1.5)))
}

// additions returns what the tools gain that lessons of these words name. It replaces their
// idf by their weights in the vector of the query.
func (x *Index) additions(words []fielded.QueryWord, weight float64) (added []fielded.Addition) {
	var said []entry // the words of the query that a lesson has
	for _, w := range unit(words) {
		if term, ok := x.core.terms[w.Stem]; ok {
			said = append(said, entry{term, w.IDF * x.rarity(term)})
		}
	}
	add := func(t *taught, dot float64) {
		if value := weight * t.scale * dot; value > 0 {
			added = append(added, fielded.Addition{Doc: uint32(t.doc), Value: value})
		}
	}
	dots := make([]float64, len(x.core.taught)) // by slot
	var touched []int32
	for _, w := range said {
		for _, p := range x.core.lists[w.at] {
			if dots[p.at] == 0 {
				touched = append(touched, p.at)
			}
			dots[p.at] += float64(w.weight * p.weight)
		}
	}
	for _, slot := range touched {
		t := &x.core.taught[slot]
		if _, changed := x.changed(t.doc); !changed {
			add(t, dots[slot])
		}
		dots[slot] = 0
	}
	for _, t := range x.docs {
		dot := 0.0
		for _, w := range said {
			dot += float64(w.weight * t.of(w.at).sum)
		}
		add(t, dot)
	}
	return added
}

// Scored returns how many tools a query finds.
func (x *Index) Scored(query string) int {
	if x.support.Weight == 0 {
		return x.untaught().Scored(query)
	}
	return x.base.ScoredAdding(query, func(q fielded.Asked) []fielded.Addition {
		meant := x.meanings(q)
		return together(x.additions(q.Words, x.support.Weight), meant)
	})
}

// Rank returns the rank of a document among all that a query finds, counting from 1, and
// its score. ok is false when the query does not find it, or when there is no such
// document.
func (x *Index) Rank(query string, doc int) (rank int, score float64, ok bool) {
	if x.support.Weight == 0 || doc < 0 || doc >= x.Len() {
		return x.untaught().Rank(query, doc)
	}
	return fielded.RankBySearch(x, query, doc)
}

// Finds reports whether a query finds a document: by its definition, by its meaning where
// that counts, or by a word of a lesson that names it.
func (x *Index) Finds(query string, doc int) bool {
	if x.untaught().Finds(query, doc) {
		return true
	}
	return doc >= 0 && doc < x.Len() && x.gained(query, doc) > 0
}

// gained returns what lessons that name a document add to it.
func (x *Index) gained(query string, doc int) float64 {
	if x.support.Weight == 0 || !x.named(uint32(doc)) {
		return 0
	}
	for _, a := range x.additions(x.base.Words(query), x.support.Weight) {
		if int(a.Doc) == doc {
			return a.Value
		}
	}
	return 0
}

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
	learned := retrieval.Explanation{Component: Component}
	t := x.taughtOf(int32(doc))
	named := len(t.lessons) > 0
	if named {
		learned.Weight = x.support.Weight
		words := unit(x.base.Words(query))
		for _, w := range words {
			term, ok := x.core.terms[w.Stem]
			word := t.of(term)
			if !ok || word.sum == 0 {
				continue
			}
			part := word.sum * t.scale * x.rarity(term)
			leaf := retrieval.Explanation{Token: w.Stem, Value: x.support.Weight * w.IDF * part, TF: int(word.lessons)}
			leaf.Say(fmt.Sprintf("%.2f of the query × %.2f learned", w.IDF, part))
			learned.Children = append(learned.Children, leaf)
			learned.Value += leaf.Value
		}
		learned.Message = fmt.Sprintf("your queries taught %d of the %d words", len(learned.Children), len(words))
	} else {
		best := 0.0
		if hits := x.untaught().Search(query, 1).Hits; len(hits) > 0 {
			best = hits[0].Score
		}
		share := x.support.share(best)
		learned.Value = float64(e.Value * share)
		learned.Message = fmt.Sprintf("none of your queries names the tool: %.2f of its score", share)
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
