package learned

import (
	"cmp"
	"context"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"

	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/meaning"
	"caliper/model"
)

// core is the lessons learned at once. It never changes.
type core struct {
	lessons []lesson
	deals   []uint64         // of each document: the fold in which it is hidden, see choose
	terms   map[string]int32 // of the words of lessons, by stem
	stems   []string         // of the terms

	lists  [][]entry // of each term, by slot: what lessons taught of it
	taught []taught  // one a slot, in catalog order
	slots  map[int32]int32
}

// lesson is a Lesson as it is read for a catalog.
type lesson struct {
	Lesson
	docs   []int32 // that it names, in catalog order
	vector []entry // of terms
}

// entry is the weight of a term or a slot.
type entry struct {
	at     int32
	weight float64
}

// taught is the lessons about a tool. It never changes.
type taught struct {
	doc     int32
	lessons []int32      // that name it, by their numbers, ascending
	words   []taughtWord // in the order of their terms
	scale   float64      // n/(n+2) / |s|
}

// taughtWord is a word that lessons taught of a tool.
type taughtWord struct {
	term    int32
	lessons int32 // that have it
	sum     float64
}

// learn is New without a weight. Terms are numbered in the order of the lessons.
func learn(ctx context.Context, base *fielded.Index, catalog []*model.Tool, lessons []Lesson) (*Index, error) {
	c := &core{deals: make([]uint64, len(catalog)), terms: map[string]int32{}}
	names := make(map[string][]int32, 2*len(catalog)) // documents by name
	for i, t := range catalog {
		h := fnv.New64a()
		_, _ = h.Write([]byte("hidden\x00" + t.Qualified))
		c.deals[i] = mix(h.Sum64()) % folds
		names[t.Name] = append(names[t.Name], int32(i))
		if t.Qualified != t.Name {
			names[t.Qualified] = append(names[t.Qualified], int32(i))
		}
	}
	for _, l := range lessons {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		read := lesson{Lesson: l}
		for _, name := range l.Tools {
			read.docs = append(read.docs, names[name]...)
		}
		slices.Sort(read.docs)
		if read.docs = slices.Compact(read.docs); len(read.docs) > 0 {
			for _, w := range unit(base.Words(l.Text)) {
				term, known := c.terms[w.Stem]
				if !known {
					term = int32(len(c.stems))
					c.terms[w.Stem], c.stems = term, append(c.stems, w.Stem)
				}
				read.vector = append(read.vector, entry{term, w.IDF})
			}
		}
		c.lessons = append(c.lessons, read)
	}
	all := make([]int32, len(lessons))
	for i := range all {
		all[i] = int32(i)
	}
	c.learn(all, nil)
	return &Index{base: base, core: c}, nil
}

// learn sums the vectors of some lessons, in ascending order, for the documents that are
// not hidden. hidden may be nil.
func (c *core) learn(from []int32, hidden func(doc int32) bool) {
	c.slots, c.taught = map[int32]int32{}, nil
	var docs []int32
	for _, l := range from {
		for _, doc := range c.lessons[l].docs {
			if hidden == nil || !hidden(doc) {
				docs = append(docs, doc)
			}
		}
	}
	slices.Sort(docs)
	for _, doc := range slices.Compact(docs) {
		c.slots[doc] = int32(len(c.taught))
		c.taught = append(c.taught, taught{doc: doc})
	}
	for _, l := range from {
		for _, doc := range c.lessons[l].docs {
			if slot, ok := c.slots[doc]; ok {
				c.taught[slot].lessons = append(c.taught[slot].lessons, l)
			}
		}
	}
	c.lists = make([][]entry, len(c.stems))
	sums := make([]taughtWord, len(c.stems)) // of one tool, by term; zero between tools
	for slot := range c.taught {
		t := &c.taught[slot]
		var terms []int32
		for _, number := range t.lessons {
			l := &c.lessons[number]
			for _, e := range l.vector {
				w := &sums[e.at]
				if w.lessons == 0 {
					terms = append(terms, e.at)
				}
				w.term, w.lessons, w.sum = e.at, w.lessons+1, w.sum+e.weight/l.sharing()
			}
		}
		slices.Sort(terms)
		t.words = make([]taughtWord, len(terms))
		for i, term := range terms {
			t.words[i], sums[term] = sums[term], taughtWord{}
			c.lists[term] = append(c.lists[term], entry{int32(slot), t.words[i].sum})
		}
		t.scale = scale(len(t.lessons), lengthOf(t.words))
	}
}

// sharing returns what the vector of a lesson is divided by, because it names several
// tools.
func (l *lesson) sharing() float64 { return math.Sqrt(float64(len(l.docs))) }

// at returns the index of a term in words; ok is false where none was taught.
func (t *taught) at(term int32) (at int, ok bool) {
	return slices.BinarySearchFunc(t.words, term, func(w taughtWord, term int32) int { return cmp.Compare(w.term, term) })
}

// of returns what was taught of a term; zero for nothing.
func (t *taught) of(term int32) taughtWord {
	if at, ok := t.at(term); ok {
		return t.words[at]
	}
	return taughtWord{}
}

// lengthOf returns the Euclidean length of a sum.
func lengthOf(words []taughtWord) float64 {
	sum := 0.0
	for _, w := range words {
		sum += float64(w.sum * w.sum)
	}
	return math.Sqrt(sum)
}

// Without returns an index that has not learned from some lessons, which are given by
// their numbers. It keeps the weight. It costs a reading of the lessons about the tools
// that they name. Lessons left out already stay so.
func (x *Index) Without(lessons []int) *Index {
	y := *x
	y.left, y.docs = maps.Clone(x.left), slices.Clone(x.docs)
	if y.left == nil {
		y.left = map[int32]bool{}
	}
	for _, i := range lessons {
		number, l := int32(i), &x.core.lessons[i]
		if y.left[number] {
			continue
		}
		y.left[number] = true
		if len(l.docs) > 0 {
			y.support.Lessons--
		}
		for _, doc := range l.docs {
			t := *y.taughtOf(doc)
			t.lessons = slices.DeleteFunc(slices.Clone(t.lessons), func(n int32) bool { return n == number })
			t.words = slices.Clone(t.words)
			for _, e := range l.vector {
				at, _ := t.at(e.at)
				t.words[at].lessons--
				t.words[at].sum -= e.weight / l.sharing()
			}
			// A word that no lesson has any longer is gone, whatever rounding left of it.
			t.words = slices.DeleteFunc(t.words, func(w taughtWord) bool { return w.lessons == 0 })
			t.scale = scale(len(t.lessons), lengthOf(t.words))
			if at, ok := y.changed(doc); ok {
				y.docs[at] = &t
			} else {
				y.docs = slices.Insert(y.docs, at, &t)
			}
		}
	}
	return &y
}

// Over returns an index of another catalog that has learned from the same lessons. It
// keeps the weight. base is the index of that catalog. The error is ctx's, or from
// meaning.New.
func (x *Index) Over(ctx context.Context, base *fielded.Index, catalog []*model.Tool) (*Index, error) {
	var lessons []Lesson
	for i, l := range x.core.lessons {
		if !x.left[int32(i)] {
			lessons = append(lessons, l.Lesson)
		}
	}
	y, err := learn(ctx, base, catalog, lessons)
	if err != nil {
		return nil, err
	}
	y.support = x.support
	if x.meant == nil {
		return y, nil
	}
	meant, err := meaning.New(base, x.meant.Weight())
	if err != nil {
		return nil, err
	}
	y.meant, y.base = meant, meant.Words()
	return y, nil
}

// Lesson returns a lesson by its number, which is its index among those that New was
// given.
func (x *Index) Lesson(number int) Lesson { return x.core.lessons[number].Lesson }

// taughtOf returns the lessons about a document; none for one that no lesson names.
func (x *Index) taughtOf(doc int32) *taught {
	if at, ok := x.changed(doc); ok {
		return x.docs[at]
	}
	if slot, ok := x.core.slots[doc]; ok {
		return &x.core.taught[slot]
	}
	return &taught{doc: doc}
}

// changed returns the index of a document in docs.
func (x *Index) changed(doc int32) (at int, ok bool) {
	return slices.BinarySearchFunc(x.docs, doc, func(t *taught, doc int32) int { return cmp.Compare(t.doc, doc) })
}

// Related returns the lessons that must not be learned from when a query is measured:
// those with its id, its text or its group, where it has them, in ascending order.
func (x *Index) Related(id, text, group string) []int {
	var related []int
	for i, l := range x.core.lessons {
		if !x.left[int32(i)] && (id != "" && l.ID == id || text != "" && l.Text == text || group != "" && l.Group == group) {
			related = append(related, i)
		}
	}
	return related
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
	for _, w := range t.words {
		words = append(words, Word{Stem: x.core.stems[w.term], Weight: w.sum / length})
	}
	for _, number := range t.lessons {
		lessons = append(lessons, int(number))
		for _, e := range x.core.lessons[number].vector {
			at, _ := t.at(e.at)
			words[at].Lessons = append(words[at].Lessons, int(number))
		}
	}
	model.Sort(words, func(a, b Word) int {
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
		if term, ok := x.core.terms[w.Stem]; ok && t.of(term).lessons > 0 {
			known = append(known, w.Stem)
		}
	}
	return known
}
