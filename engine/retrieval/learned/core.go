package learned

import (
	"context"
	"math"
	"slices"
	"sync"

	"caliper/engine/retrieval/fielded"
	"caliper/model"
)

// core is the lessons learned at once. It never changes.
type core struct {
	names   map[string][]int32 // documents of each name, raw and qualified
	lessons []lesson
	known   int              // lessons that name a tool of the catalog
	deals   []uint64         // of each document: the fold in which it is hidden, see choose
	terms   map[string]int32 // of the words of lessons, by stem
	stems   []string         // of the terms

	lists  [][]posting // of each term, by slot
	taught []taught    // one a slot, in catalog order
	slots  map[int32]int32
	memory *sync.Pool // of *sums
}

// lesson is a Lesson as it is read for a catalog.
type lesson struct {
	Lesson
	docs   []int32 // that it names, in catalog order
	vector []entry
}

// entry is a term of a vector.
type entry struct {
	term   int32
	weight float64
}

// posting is the weight of a term by the lessons.
type posting struct {
	slot int32
	sum  float64
}

// documentsByName returns the documents of a catalog by their names.
func documentsByName(catalog []*model.Tool) map[string][]int32 {
	byName := make(map[string][]int32, 2*len(catalog))
	for i, t := range catalog {
		byName[t.Name] = append(byName[t.Name], int32(i))
		if t.Qualified != t.Name {
			byName[t.Qualified] = append(byName[t.Qualified], int32(i))
		}
	}
	return byName
}

// readAtOnce is how many lessons are read before their words become terms.
const readAtOnce = 4096

// read sets lessons, terms and stems. The words of lessons are read on all processors;
// terms are numbered in the order of the lessons.
func (c *core) read(ctx context.Context, base *fielded.Index, lessons []Lesson) error {
	c.lessons = make([]lesson, len(lessons))
	words := make([][]fielded.QueryWord, min(readAtOnce, len(lessons)))
	for from := 0; from < len(lessons); from += readAtOnce {
		some := c.lessons[from:min(from+readAtOnce, len(lessons))]
		err := parallel(ctx, len(some), func(i int) { some[i], words[i] = c.reading(base, lessons[from+i]) })
		if err != nil {
			return err
		}
		for i := range some {
			some[i].become(words[i], c.addTerm)
			if len(some[i].docs) > 0 {
				c.known++
			}
		}
	}
	return ctx.Err()
}

// addTerm returns the term of a stem, a new one where there is none.
func (c *core) addTerm(stem string) int32 {
	term, known := c.terms[stem]
	if !known {
		term = int32(len(c.stems))
		c.terms[stem], c.stems = term, append(c.stems, stem)
	}
	return term
}

// reading returns a lesson without its vector, and the words of that.
func (c *core) reading(base *fielded.Index, l Lesson) (lesson, []fielded.QueryWord) {
	r := lesson{Lesson: l}
	for _, name := range l.Tools {
		r.docs = append(r.docs, c.names[name]...)
	}
	slices.Sort(r.docs)
	if r.docs = slices.Compact(r.docs); len(r.docs) == 0 {
		return r, nil
	}
	return r, unit(base.Words(l.Text))
}

// become sets the vector of a lesson. term returns the term of a stem.
func (l *lesson) become(words []fielded.QueryWord, term func(stem string) int32) {
	l.vector = make([]entry, len(words))
	for i, w := range words {
		l.vector[i] = entry{term(w.Stem), w.IDF}
	}
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
	c.lists = make([][]posting, len(c.stems))
	sum := summer{make([]taughtWord, len(c.stems)), nil}
	for slot := range c.taught {
		t := &c.taught[slot]
		t.words = sum.words(c, t.lessons)
		t.scale = scale(len(t.lessons), lengthOf(t.words))
		for _, w := range t.words {
			c.lists[w.term] = append(c.lists[w.term], posting{int32(slot), w.sum})
		}
	}
	slots := len(c.taught)
	c.memory = &sync.Pool{New: func() any { return &sums{dot: make([]float64, slots)} }}
}

// summer sums the vectors of lessons.
type summer struct {
	of    []taughtWord // by term; zero between sums
	terms []int32
}

// words returns the sum of the vectors of lessons that name one tool.
func (s *summer) words(c *core, lessons []int32) []taughtWord {
	s.terms = s.terms[:0]
	for _, number := range lessons {
		l := &c.lessons[number]
		for _, e := range l.vector {
			w := &s.of[e.term]
			if w.lessons == 0 {
				s.terms = append(s.terms, e.term)
			}
			w.term, w.lessons, w.sum = e.term, w.lessons+1, w.sum+e.weight/l.sharing()
		}
	}
	slices.Sort(s.terms)
	words := make([]taughtWord, len(s.terms))
	for i, term := range s.terms {
		words[i], s.of[term] = s.of[term], taughtWord{}
	}
	return words
}

// sharing returns what the vector of a lesson is divided by, because it names several
// tools.
func (l *lesson) sharing() float64 { return math.Sqrt(float64(len(l.docs))) }
