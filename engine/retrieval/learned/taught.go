package learned

import (
	"cmp"
	"math"
	"slices"
)

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

// of returns what was taught of a term; zero for nothing.
func (t *taught) of(term int32) taughtWord {
	at, ok := slices.BinarySearchFunc(t.words, term, func(w taughtWord, term int32) int { return cmp.Compare(w.term, term) })
	if !ok {
		return taughtWord{}
	}
	return t.words[at]
}

// dot returns the sum over the words of a query.
func (t *taught) dot(words []said) float64 {
	dot := 0.0
	for _, w := range words {
		dot += float64(w.weight * t.of(w.term).sum)
	}
	return dot
}

// lengthOf returns the Euclidean length of a sum.
func lengthOf(words []taughtWord) float64 {
	sum := 0.0
	for _, w := range words {
		sum += float64(w.sum * w.sum)
	}
	return math.Sqrt(sum)
}

// with returns the lessons with one added, whose number is the largest.
func (t *taught) with(number int32, l *lesson) *taught {
	out := &taught{doc: t.doc, lessons: append(slices.Clip(t.lessons), number)}
	out.words = t.plus(l, 1)
	out.scale = scale(len(out.lessons), lengthOf(out.words))
	return out
}

// without returns the lessons with one left out.
func (t *taught) without(number int32, l *lesson) *taught {
	out := &taught{doc: t.doc, lessons: slices.DeleteFunc(slices.Clone(t.lessons), func(n int32) bool { return n == number })}
	out.words = t.plus(l, -1)
	out.scale = scale(len(out.lessons), lengthOf(out.words))
	return out
}

// plus returns the words with a lesson's added, or taken away where sign is -1. A
// word that no lesson has any longer is gone, whatever rounding left of it.
func (t *taught) plus(l *lesson, sign int32) []taughtWord {
	vector := slices.SortedFunc(slices.Values(l.vector), func(a, b entry) int { return cmp.Compare(a.term, b.term) })
	words, share := make([]taughtWord, 0, len(t.words)+len(vector)), l.sharing()
	rest := t.words
	for _, e := range vector {
		for len(rest) > 0 && rest[0].term < e.term {
			words, rest = append(words, rest[0]), rest[1:]
		}
		w := taughtWord{term: e.term}
		if len(rest) > 0 && rest[0].term == e.term {
			w, rest = rest[0], rest[1:]
		}
		w.lessons, w.sum = w.lessons+sign, w.sum+float64(sign)*(e.weight/share)
		if w.lessons > 0 {
			words = append(words, w)
		}
	}
	return append(words, rest...)
}
