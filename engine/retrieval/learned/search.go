package learned

import (
	"math"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/meaning"
)

// sums is the memory of one query.
type sums struct {
	dot     []float64 // of each slot, 0 between queries
	touched []int32
	added   []fielded.Addition
	words   []said
}

// said is a word of the query that a lesson has, with its weight.
type said struct {
	term   int32
	weight float64
}

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
	m := x.core.memory.Get().(*sums)
	defer x.core.memory.Put(m)
	return x.base.SearchAdding(dst, query, k, func(q fielded.Asked) fielded.Gain {
		meant := x.meanings(q)
		share := x.support.share(bestOf(q, meant))
		for i := range meant {
			if !x.named(meant[i].Doc) {
				meant[i].Value += float64(meant[i].Value * share)
			}
		}
		return fielded.Gain{Added: together(x.additions(m, q.Words, x.support.Weight), meant), Share: share, Known: x.named}
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

// bestOf returns the best score without lessons: of a candidate of fielded, with what it
// gains for its meaning.
func bestOf(q fielded.Asked, meant []fielded.Addition) float64 {
	best := q.Best
	if len(meant) == 0 {
		return best
	}
	means := make(map[uint32]float64, len(meant))
	for _, m := range meant {
		means[m.Doc], best = m.Value, max(best, m.Value)
	}
	for _, c := range q.Candidates {
		best = max(best, c.Value+means[c.Doc])
	}
	return best
}

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
	holders, tools := 0, len(x.core.taught)
	if int(term) < len(x.core.lists) {
		holders = len(x.core.lists[term])
	}
	for _, t := range x.changes.docs {
		if slot, ok := x.core.slots[t.doc]; ok {
			tools--
			if x.core.taught[slot].of(term).lessons > 0 {
				holders--
			}
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
func (x *Index) additions(m *sums, words []fielded.QueryWord, weight float64) []fielded.Addition {
	m.touched, m.added, m.words = m.touched[:0], m.added[:0], m.words[:0]
	for _, w := range unit(words) {
		if term, ok := x.term(w.Stem); ok {
			m.words = append(m.words, said{term, w.IDF * x.rarity(term)})
		}
	}
	for _, w := range m.words {
		if int(w.term) >= len(x.core.lists) {
			continue // no lesson of the core has it
		}
		for _, p := range x.core.lists[w.term] {
			if m.dot[p.slot] == 0 {
				m.touched = append(m.touched, p.slot)
			}
			m.dot[p.slot] += float64(w.weight * p.sum)
		}
	}
	add := func(t *taught, dot float64) {
		if value := weight * t.scale * dot; value > 0 {
			m.added = append(m.added, fielded.Addition{Doc: uint32(t.doc), Value: value})
		}
	}
	for _, slot := range m.touched {
		dot, t := m.dot[slot], &x.core.taught[slot]
		m.dot[slot] = 0
		if _, changed := x.changed(t.doc); !changed {
			add(t, dot)
		}
	}
	for _, t := range x.changes.docs {
		add(t, t.dot(m.words))
	}
	return m.added
}

// Scored returns how many tools a query finds.
func (x *Index) Scored(query string) int {
	if x.support.Weight == 0 {
		return x.untaught().Scored(query)
	}
	m := x.core.memory.Get().(*sums)
	defer x.core.memory.Put(m)
	return x.base.ScoredAdding(query, func(q fielded.Asked) []fielded.Addition {
		meant := x.meanings(q)
		return together(x.additions(m, q.Words, x.support.Weight), meant)
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
	m := x.core.memory.Get().(*sums)
	defer x.core.memory.Put(m)
	for _, a := range x.additions(m, x.base.Words(query), x.support.Weight) {
		if int(a.Doc) == doc {
			return a.Value
		}
	}
	return 0
}
