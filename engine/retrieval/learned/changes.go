package learned

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/meaning"
	"caliper/model"
)

// changes are the lessons that were added and left out since a core was made. They never
// change: With and Without make others.
type changes struct {
	added []lesson         // their numbers follow the core's
	left  map[int32]bool   // numbers of those that do not count
	terms map[string]int32 // of words that the core does not have, numbered behind its own
	docs  []*taught        // what counts in place of the core, by document
}

// maxChanges is how many changes an index has at most before it is Stale.
const maxChanges = 128

// Stale reports whether the weight should be chosen anew, because more lessons were added
// and left out since it was chosen than a tenth of those that it was chosen from, or than
// 128.
func (x *Index) Stale() bool {
	return len(x.changes.added)+len(x.changes.left) > min(maxChanges, x.core.known/10)
}

// With returns an index that has learned from further lessons, too. It keeps the weight.
// It costs the reading of them, and of the lessons about the tools that they name.
func (x *Index) With(lessons ...Lesson) *Index {
	y := *x
	y.changes.added = slices.Clip(x.changes.added)
	y.changes.terms, y.changes.docs = maps.Clone(x.changes.terms), slices.Clone(x.changes.docs)
	for _, l := range lessons {
		read, words := x.core.reading(x.base, l)
		read.become(words, y.addTerm)
		number := int32(len(x.core.lessons) + len(y.changes.added))
		y.changes.added = append(y.changes.added, read)
		for _, doc := range read.docs {
			y.replace(y.taughtOf(doc).with(number, &read))
		}
		if len(read.docs) > 0 {
			y.support.Lessons++
		}
	}
	return &y
}

// Without returns an index that has not learned from some lessons, which are given by
// their numbers. It keeps the weight. It costs a reading of the lessons about the tools
// that they name. Lessons left out already stay so.
func (x *Index) Without(lessons []int) *Index {
	y := *x
	y.changes.left, y.changes.docs = maps.Clone(x.changes.left), slices.Clone(x.changes.docs)
	if y.changes.left == nil {
		y.changes.left = map[int32]bool{}
	}
	for _, number := range lessons {
		if y.changes.left[int32(number)] {
			continue
		}
		y.changes.left[int32(number)] = true
		l := x.lesson(int32(number))
		for _, doc := range l.docs {
			y.replace(y.taughtOf(doc).without(int32(number), l))
		}
		if len(l.docs) > 0 {
			y.support.Lessons--
		}
	}
	return &y
}

// Relearn returns an index that has learned from other lessons, where these are the ones
// of x but for some that were added or are gone, so few that the weight is kept; ok is
// false where they are more. The cost is a comparison of the lists, and the cost of With and
// Without.
func (x *Index) Relearn(lessons []Lesson) (y *Index, ok bool) {
	same := func(number int32, l *Lesson) bool {
		known := &x.lesson(number).Lesson
		return known.ID == l.ID && known.Text == l.Text && known.Group == l.Group && slices.Equal(known.Tools, l.Tools)
	}
	kept, behind := x.present(0, len(x.core.lessons)), x.present(len(x.core.lessons), int(x.count()))
	var gone []int
	var added []Lesson
	for i := range lessons {
		is := func(number int) bool { return same(int32(number), &lessons[i]) }
		if len(kept) > 0 && is(kept[0]) {
			kept = kept[1:]
			continue
		}
		if at := slices.IndexFunc(behind, is); at >= 0 {
			behind = slices.Delete(behind, at, at+1)
			continue
		}
		if before := slices.IndexFunc(kept[:min(maxChanges, len(kept))], is); before >= 0 {
			gone, kept = append(gone, kept[:before]...), kept[before+1:]
			continue
		}
		if added = append(added, lessons[i]); len(added) > maxChanges {
			return nil, false
		}
	}
	gone = append(append(gone, kept...), behind...)
	if len(gone)+len(added) > maxChanges {
		return nil, false
	}
	y = x.Without(gone).With(added...)
	return y, !y.Stale()
}

// present returns the numbers from one to before another, without those left out.
func (x *Index) present(from, to int) []int {
	numbers := make([]int, 0, to-from)
	for number := from; number < to; number++ {
		if !x.changes.left[int32(number)] {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// Over returns an index of another catalog that has learned from the same lessons. It
// keeps the weight. base is the index of that catalog. The error is ctx's, or from
// meaning.New.
func (x *Index) Over(ctx context.Context, base *fielded.Index, catalog []*model.Tool) (*Index, error) {
	var lessons []Lesson
	for _, number := range x.present(0, int(x.count())) {
		lessons = append(lessons, x.Lesson(number))
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
	y.add(meant)
	return y, nil
}

// count returns how many lessons there are, with those that are left out.
func (x *Index) count() int32 { return int32(len(x.core.lessons) + len(x.changes.added)) }

// lesson returns a lesson by its number.
func (x *Index) lesson(number int32) *lesson {
	if behind := int(number) - len(x.core.lessons); behind >= 0 {
		return &x.changes.added[behind]
	}
	return &x.core.lessons[number]
}

// Lesson returns a lesson by its number, which is its index among those that New was
// given, followed by those that With was given.
func (x *Index) Lesson(number int) Lesson { return x.lesson(int32(number)).Lesson }

// term returns the term of a stem.
func (x *Index) term(stem string) (term int32, ok bool) {
	if term, ok = x.core.terms[stem]; !ok {
		term, ok = x.changes.terms[stem]
	}
	return term, ok
}

// addTerm is term for an index that is being made.
func (x *Index) addTerm(stem string) int32 {
	term, ok := x.term(stem)
	if !ok {
		if x.changes.terms == nil {
			x.changes.terms = map[string]int32{}
		}
		term = int32(len(x.core.stems) + len(x.changes.terms))
		x.changes.terms[stem] = term
	}
	return term
}

// taughtOf returns the lessons about a document; nil for one that no lesson names.
func (x *Index) taughtOf(doc int32) *taught {
	if at, ok := x.changed(doc); ok {
		return x.changes.docs[at]
	}
	if slot, ok := x.core.slots[doc]; ok {
		return &x.core.taught[slot]
	}
	return &taught{doc: doc}
}

// changed returns the index of a document in changes.docs.
func (x *Index) changed(doc int32) (at int, ok bool) {
	return slices.BinarySearchFunc(x.changes.docs, doc, func(t *taught, doc int32) int { return cmp.Compare(t.doc, doc) })
}

// replace sets the lessons about a document, in an index that is being made.
func (x *Index) replace(t *taught) {
	at, ok := x.changed(t.doc)
	if ok {
		x.changes.docs[at] = t
	} else {
		x.changes.docs = slices.Insert(x.changes.docs, at, t)
	}
}

// Related returns the lessons that must not be learned from when a query is measured:
// those with its id, its text or its group, where it has them, in ascending order.
func (x *Index) Related(id, text, group string) []int {
	var related []int
	for i := range x.count() {
		l := x.lesson(i)
		if x.changes.left[i] {
			continue
		}
		if id != "" && l.ID == id || text != "" && l.Text == text || group != "" && l.Group == group {
			related = append(related, int(i))
		}
	}
	return related
}
