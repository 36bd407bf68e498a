package meaning

import (
	"cmp"
	"slices"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
)

// Len returns the number of documents.
func (x *Index) Len() int { return x.base.Len() }

// Base returns the index of fielded that this one is made from.
func (x *Index) Base() *fielded.Index { return x.base }

// Words returns the index of fielded that meaning is added to: Base, which listens to the
// table in hybrid.
func (x *Index) Words() *fielded.Index { return x.words }

// Weight returns the weight of meaning; Alone for a ranking by meaning alone.
func (x *Index) Weight() float64 {
	if x.alone {
		return Alone
	}
	return x.weight
}

// Gains returns what tools gain for their meaning in a query, each tool once, in no order.
func (x *Index) Gains(a fielded.Asked) []fielded.Addition {
	return x.additions(new(query), a)
}

// Search returns the k best tools for a query, best first, ties in catalog order.
func (x *Index) Search(text string, k int) retrieval.Result { return x.SearchInto(nil, text, k) }

// SearchInto is Search, but appends the hits to dst.
func (x *Index) SearchInto(dst []retrieval.Hit, text string, k int) retrieval.Result {
	q := new(query)
	if !x.alone {
		return x.words.SearchAdding(dst, text, k, func(a fielded.Asked) fielded.Gain {
			return fielded.Gain{Added: x.additions(q, a)}
		})
	}
	found := x.byMeaning(q, text)
	for _, f := range found[:max(0, min(k, len(found)))] {
		dst = append(dst, retrieval.Hit{Doc: int(f.Doc), Score: f.Value})
	}
	return retrieval.Result{Hits: dst}
}

// ask sets what tools gain for their meaning: those that are asked for a query.
func (x *Index) ask(q *query, text string) {
	x.words.SearchAdding(nil, text, 1, func(a fielded.Asked) fielded.Gain {
		x.additions(q, a)
		return fielded.Gain{}
	})
}

// byMeaning returns what a query finds by meaning alone, and by name, best first.
func (x *Index) byMeaning(q *query, text string) []fielded.Addition {
	x.ask(q, text)
	found := q.added
	for _, named := range x.core.words.AppendNamed(nil, text, q.docs) {
		at := slices.IndexFunc(found, func(f fielded.Addition) bool { return f.Doc == named.Doc })
		if at < 0 {
			near, _ := x.meanings(q, []uint32{named.Doc})
			named.Value += near[0]
			found = append(found, named)
		} else {
			found[at].Value = named.Value + found[at].Value
		}
	}
	slices.SortFunc(found, func(a, b fielded.Addition) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Doc, b.Doc))
	})
	q.added = found
	return found
}

// Scored returns how many tools a query finds.
func (x *Index) Scored(text string) int {
	q := new(query)
	if x.alone {
		return len(x.byMeaning(q, text))
	}
	return x.words.ScoredAdding(text, func(a fielded.Asked) []fielded.Addition { return x.additions(q, a) })
}

// Rank returns the rank of a document among all that a query finds, counting from 1, and
// its score. ok is false when the query does not find it, or when there is no such
// document.
func (x *Index) Rank(text string, doc int) (rank int, score float64, ok bool) {
	return fielded.RankBySearch(x, text, doc)
}

// Finds reports whether a query finds a document. It is false when there is no such
// document.
func (x *Index) Finds(text string, doc int) bool {
	if doc < 0 || doc >= x.Len() {
		return false
	}
	if !x.alone && x.words.Finds(text, doc) {
		return true
	}
	q := new(query)
	is := func(f fielded.Addition) bool { return f.Doc == uint32(doc) }
	if x.alone {
		return slices.ContainsFunc(x.byMeaning(q, text), is)
	}
	x.words.Ask(text, func(a fielded.Asked) { x.additions(q, a) })
	return slices.ContainsFunc(q.added, is)
}
