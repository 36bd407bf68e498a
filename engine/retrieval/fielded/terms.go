package fielded

import (
	"iter"
	"slices"

	"caliper/engine/retrieval"
	"caliper/model/words"
)

// Terms returns how many terms the index numbers, other catalogs' of its corpus
// too.
func (x *Index) Terms() int { return len(x.idf) }

// Term returns the stem of a term and its idf, which is 0 when no tool has it. The stem
// must not be changed.
func (x *Index) Term(id uint32) (stem []byte, idf float64) {
	return x.vocabulary.terms.Term(id), x.idf[id]
}

// InFields is how often each field of a tool has a term.
type InFields = [fields]uint32

// Bag yields the terms of a document, each once, with how often its fields have them.
func (x *Index) Bag(doc uint32) iter.Seq2[uint32, InFields] {
	return func(yield func(term uint32, in InFields) bool) {
		r := x.documents[doc].record
		for _, t := range r.once() {
			var in InFields
			in[t>>fieldShift] = 1
			if !yield(t&termMask, in) {
				return
			}
		}
		for i, id := range r.often() {
			if !yield(id, x.vocabulary.tallies.list[r.tallies()[i]]) {
				return
			}
		}
	}
}

// Weighted is a term with a weight above 0.
type Weighted = retrieval.Weighted

// AppendTop appends the k documents with the largest sums of weight times saturation over
// some terms that tools have, each once: the largest first, equal ones in catalog order.
func (x *Index) AppendTop(dst []uint32, terms []Weighted, k int) []uint32 {
	s := x.searchers.Get().(*searcher)
	defer x.searchers.Put(s)
	for _, h := range s.sums.Top(x.postings, terms, k) {
		dst = append(dst, uint32(h.Doc))
	}
	s.sums.Clear()
	return dst
}

// AppendNamed appends the documents whose name a query has, and what each gains for that:
// those with the name in the query, in ascending order, and some further ones whose names
// are only near.
func (x *Index) AppendNamed(dst []Addition, query string, further []uint32) []Addition {
	s := x.acquire(query)
	defer x.release(s)
	add := func(doc uint32) {
		if c := s.named(doc); c.values[pin] > 0 {
			dst = append(dst, Addition{doc, c.values[pin]})
		}
	}
	for _, doc := range s.pinned {
		add(doc)
	}
	for _, doc := range further {
		if !slices.Contains(s.pinned, doc) {
			add(doc)
		}
	}
	return dst
}

// named returns a document with what it gains for its name alone.
func (s *searcher) named(doc uint32) candidate {
	c := candidate{scanned: s.scanDocument(doc)}
	s.setPin(&c)
	s.forget(c.scanned)
	return c
}

// ExplainNamed returns the component Pin of a document; ok is false when it gains nothing
// for its name.
func (x *Index) ExplainNamed(query string, doc int) (e retrieval.Explanation, ok bool) {
	s := x.acquire(query)
	defer x.release(s)
	c := s.named(uint32(doc))
	if c.values[pin] == 0 {
		return retrieval.Explanation{}, false
	}
	e = s.explainPin(&c)
	e.Value = c.values[pin]
	return e, true
}

// FirstWord returns the first word of a query that says something of a tool, in lower case;
// empty where the query has stop words alone. some reports whether it has words at all.
func (x *Index) FirstWord(query string) (word string, some bool) {
	var c words.Cutter
	c.Cut([]byte(query))
	for text := c.Next(); text != nil; text = c.Next() {
		if x.lexicon.Kind(text) != retrieval.StopWord {
			return string(text), true
		}
		some = true
	}
	return "", some
}
