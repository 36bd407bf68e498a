package learned

import (
	"maps"
	"slices"
)

// taughtLess is what is left of what a tool was taught when lessons are left out.
type taughtLess struct {
	sum   map[int32]float64 // by term
	scale float64
}

// dot returns the sum over the words of a query.
func (t taughtLess) dot(words []said) float64 {
	dot := 0.0
	for _, w := range words {
		dot += float64(w.weight * t.sum[w.term])
	}
	return dot
}

// Without returns an index that has not learned from some lessons. It keeps the weight.
// It costs the reading of the other lessons of the tools that they name.
func (x *Index) Without(lessons []int) *Index {
	left := map[int32]bool{}
	slots := map[int32]bool{}
	for _, l := range lessons {
		left[int32(l)] = true
		for _, doc := range x.docs[l] {
			slots[x.slots[doc]] = true
		}
	}
	y := *x
	y.without = map[int32]taughtLess{}
	for _, slot := range slices.Sorted(maps.Keys(slots)) {
		var rest []int32
		for _, l := range x.taught[slot].lessons {
			if !left[l] {
				rest = append(rest, l)
			}
		}
		y.without[slot] = x.less(rest)
	}
	return &y
}

// less returns what some lessons taught of a tool that they name.
func (x *Index) less(lessons []int32) taughtLess {
	sum := newSummer(len(x.terms))
	terms := sum.add(x, lessons)
	t := taughtLess{map[int32]float64{}, scale(len(lessons), sum.length(terms))}
	for _, term := range terms {
		t.sum[term] = sum.of[term]
	}
	return t
}

// Related returns the lessons that must not be learned from when a query is measured:
// those with its id, its text or its group, where it has them, in ascending order.
func (x *Index) Related(id, text, group string) []int {
	var related []int
	for i, l := range x.lessons {
		if id != "" && l.ID == id || text != "" && l.Text == text || group != "" && l.Group == group {
			related = append(related, i)
		}
	}
	return related
}
