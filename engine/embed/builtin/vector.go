package builtin

import (
	"math"
	"slices"
	"sort"
)

// Vector is the meaning of a word.
type Vector struct {
	row    string // one int8 a byte
	square int32  // the product of the row with itself
}

// Similarity returns the cosine of two vectors of one table, from -1 to 1. It is 0
// when one is the zero Vector.
func (v Vector) Similarity(u Vector) float64 {
	if v.square == 0 || u.square == 0 {
		return 0
	}
	return float64(dot(v.row, u.row)) / math.Sqrt(float64(v.square)*float64(u.square))
}

// At returns a number of the vector's direction; all together have the length 1.
func (v Vector) At(i int) float64 { return float64(int8(v.row[i])) / math.Sqrt(float64(v.square)) }

// dot returns the sum of the products of two rows of equal length. A row has at most
// 1,024 numbers, so that the sum fits.
func dot(a, b string) int32 {
	b = b[:len(a)]
	var sum int32
	for i := range len(a) {
		sum += int32(int8(a[i])) * int32(int8(b[i]))
	}
	return sum
}

// Neighbour is a word near to another.
type Neighbour struct {
	Word       string
	Similarity float64
}

// Neighbours returns the n words of the table that are nearest to a word, without
// the word itself, nearest first, and of equals in the order of the words. It is
// nil for a word that the table does not have.
func (t *Table) Neighbours(word string, n int) []Neighbour {
	at, ok := t.find(word)
	if !ok || n < 1 {
		return nil
	}
	v := t.vector(at)
	var best []Neighbour
	for i, other := range t.words {
		if i == at {
			continue
		}
		found := Neighbour{Word: other, Similarity: v.Similarity(t.vector(i))}
		if len(best) == n && !nearer(found, best[n-1]) {
			continue
		}
		place := sort.Search(len(best), func(i int) bool { return nearer(found, best[i]) })
		best = slices.Insert(best, place, found)
		best = best[:min(n, len(best))]
	}
	return best
}

// nearer is whether a comes before b.
func nearer(a, b Neighbour) bool {
	if a.Similarity != b.Similarity {
		return a.Similarity > b.Similarity
	}
	return a.Word < b.Word
}
