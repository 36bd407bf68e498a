// Package learned ranks the tools of a catalog by the words of their definitions and
// by the user's own labelled queries. It is the ranker "learned": package fielded and
// one component more.
//
// Goals:
//   - A tool is found by the words of requests that it is known to answer, also where
//     its definition has none of them.
//   - The component is a sum over words, like every other: Explain names the words, and
//     Taught the labelled queries that they come from.
//   - Labels that do not help do not count: see "What it weighs". Without labels the
//     ranker is fielded, to the last bit.
//   - A labelled query is measured without what was learned from it (Without).
//
// Non-goals: weights for the components of fielded, negative evidence, and reading files
// of labels (package labels).
//
// # What it computes
//
// A text has the distinct words that fielded looks up, without stop words and expansions.
// The vector of a text has √idf(t) for each of its words t and the length 1:
//
//	u(t) = √idf(t) / √(Σ idf of the words of the text)
//
// idf is that of fielded over the catalog, so that one more label changes no weight of a
// word. A lesson is a labelled query: a text, with the tools that answer it. What n(d)
// lessons taught of a tool d is the sum of their vectors, of which each is shared among
// the tools that its lesson names:
//
//	s(d) = Σ u(lesson) / √(tools of the lesson)
//
// The component is the cosine of the query and that sum. It is held back where few
// lessons name the tool:
//
//	learned(d) = weight · n(d)/(n(d)+2) · Σ u(query, t)·s(d, t) / |s(d)|
//
// # What it weighs
//
// The weight is the one of Weights with which the lessons answer each other best. The
// lessons are dealt to five folds, so that those of one task (Lesson.Group, otherwise the
// same text) are in one fold. The lessons of a fold are asked of an index that learned
// from the other four, with each weight. The weight with the largest mean nDCG@10 is
// taken if that is more than its standard error above the mean without the component;
// otherwise the weight is 0. With fewer lessons than MinLessons it is 0, too. At most
// maxAsked lessons are asked, those whose fingerprints are least.
//
// # Example
//
// The lesson "book a table" names reserve_seat. Its words are book, of idf 6.25, and
// tabl, of idf 5.76; their square roots are 2.5 and 2.4, and √(6.25+5.76) is 3.4655, so
// that u has 0.7214 and 0.6925. No other lesson names the tool, so s is u, |s| is 1 and
// n/(n+2) is 1/3. The query "book flight", whose flight has the idf 4, has u(book) =
// 2.5/√(6.25+4) = 0.7809. With the weight 2 the tool gains
//
//	2 · 1/3 · 0.7809·0.7214 = 0.3756
//
// Invariants:
//   - The score of a tool is that of fielded plus the component, which is never below 0.
//   - The same catalog, lessons and query give the same scores on any machine.
//   - Without(lessons) scores as an index made without them that has the same weight, but
//     for rounding.
//   - An Index never changes.
package learned

import (
	"context"
	"math"
	"slices"
	"sync"

	"caliper/engine/retrieval/fielded"
	"caliper/model"
)

// Weights are the weights that are tried, the least first.
var Weights = []float64{0.5, 1, 1.5, 2, 3, 4, 6}

// support is how many lessons must name a tool for half of what they taught to count.
const support = 2

// Lesson is a labelled query to learn from.
type Lesson struct {
	ID    string
	Text  string
	Group string   // of the task; empty: the text is the task
	Tools []string // names of the tools that answer it, each once
}

// Index ranks one catalog. It implements retrieval.Ranker and is safe for concurrent
// use.
type Index struct {
	base    *fielded.Index
	lessons []Lesson
	vectors [][]entry // of the lessons
	docs    [][]int32 // that each lesson names, in catalog order
	terms   map[string]int32
	lists   [][]posting // of each term, by slot
	taught  []taught    // one a slot, in catalog order
	slots   map[int32]int32
	support Support
	without map[int32]taughtLess // by slot; nil for an index that leaves nothing out
	memory  *sync.Pool           // of *sums
}

// entry is a term of a vector.
type entry struct {
	term   int32
	weight float64
}

// posting is what the lessons taught of a term.
type posting struct {
	slot int32
	sum  float64
}

// taught is a tool that lessons name.
type taught struct {
	doc     int32
	lessons []int32
	scale   float64 // n/(n+2) / |s|
}

// New returns an index of a catalog that learned from lessons. base is the index of the
// same catalog. A lesson that names no tool of the catalog teaches nothing. The error is
// ctx's.
func New(ctx context.Context, base *fielded.Index, catalog []*model.Tool, lessons []Lesson) (*Index, error) {
	x := &Index{base: base, lessons: lessons}
	x.resolve(catalog)
	if err := x.read(ctx); err != nil {
		return nil, err
	}
	all := make([]int32, len(lessons))
	for i := range all {
		all[i] = int32(i)
	}
	x.learn(all)
	var err error
	x.support, err = x.choose(ctx)
	return x, err
}

// resolve finds the documents that the lessons name.
func (x *Index) resolve(catalog []*model.Tool) {
	byName := make(map[string][]int32, 2*len(catalog))
	for i, t := range catalog {
		byName[t.Name] = append(byName[t.Name], int32(i))
		if t.Qualified != t.Name {
			byName[t.Qualified] = append(byName[t.Qualified], int32(i))
		}
	}
	x.docs = make([][]int32, len(x.lessons))
	for i, l := range x.lessons {
		var docs []int32
		for _, name := range l.Tools {
			docs = append(docs, byName[name]...)
		}
		slices.Sort(docs)
		x.docs[i] = slices.Compact(docs)
	}
}

// readAtOnce is how many lessons are read between two looks at the context.
const readAtOnce = 256

// read sets the vectors of the lessons.
func (x *Index) read(ctx context.Context) error {
	x.terms, x.vectors = map[string]int32{}, make([][]entry, len(x.lessons))
	for i := range x.lessons {
		if i%readAtOnce == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(x.docs[i]) == 0 {
			continue
		}
		for _, w := range unit(x.base.Words(x.lessons[i].Text)) {
			term, known := x.terms[w.Stem]
			if !known {
				term = int32(len(x.terms))
				x.terms[w.Stem] = term
			}
			x.vectors[i] = append(x.vectors[i], entry{term, w.IDF})
		}
	}
	return nil
}

// unit replaces the idf of the words of a text by their weights in its vector.
func unit(words []fielded.QueryWord) []fielded.QueryWord {
	sum := 0.0
	for _, w := range words {
		sum += w.IDF
	}
	length := math.Sqrt(sum)
	for i := range words {
		words[i].IDF = math.Sqrt(words[i].IDF) / length
	}
	return words
}

// learn sums the vectors of some lessons, in ascending order.
func (x *Index) learn(from []int32) {
	x.slots, x.taught = map[int32]int32{}, nil
	var docs []int32
	for _, l := range from {
		docs = append(docs, x.docs[l]...)
	}
	slices.Sort(docs)
	for _, doc := range slices.Compact(docs) {
		x.slots[doc] = int32(len(x.taught))
		x.taught = append(x.taught, taught{doc: doc})
	}
	for _, l := range from {
		for _, doc := range x.docs[l] {
			t := &x.taught[x.slots[doc]]
			t.lessons = append(t.lessons, l)
		}
	}
	x.lists = make([][]posting, len(x.terms))
	sum := newSummer(len(x.terms))
	for slot := range x.taught {
		t := &x.taught[slot]
		terms := sum.add(x, t.lessons)
		t.scale = scale(len(t.lessons), sum.length(terms))
		for _, term := range terms {
			x.lists[term] = append(x.lists[term], posting{int32(slot), sum.of[term]})
		}
		sum.clear(terms)
	}
	slots := len(x.taught)
	x.memory = &sync.Pool{New: func() any { return &sums{dot: make([]float64, slots)} }}
}

// scale returns what the sum over the words of a query is multiplied by, but for the
// weight.
func scale(lessons int, length float64) float64 {
	if length == 0 {
		return 0 // its lessons have only stop words
	}
	return float64(lessons) / float64(lessons+support) / length
}

// summer sums the vectors of lessons.
type summer struct {
	of    []float64 // by term
	terms []int32   // that are not 0
}

func newSummer(terms int) *summer { return &summer{of: make([]float64, terms)} }

// add sums the vectors of lessons that name one tool, and returns their terms in
// ascending order.
func (s *summer) add(x *Index, lessons []int32) []int32 {
	s.terms = s.terms[:0]
	for _, l := range lessons {
		share := math.Sqrt(float64(len(x.docs[l])))
		for _, e := range x.vectors[l] {
			if s.of[e.term] == 0 {
				s.terms = append(s.terms, e.term)
			}
			s.of[e.term] += e.weight / share
		}
	}
	slices.Sort(s.terms)
	return s.terms
}

// length returns the Euclidean length of the sum.
func (s *summer) length(terms []int32) float64 {
	sum := 0.0
	for _, t := range terms {
		sum += float64(s.of[t] * s.of[t])
	}
	return math.Sqrt(sum)
}

func (s *summer) clear(terms []int32) {
	for _, t := range terms {
		s.of[t] = 0
	}
}
