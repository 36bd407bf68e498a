package builtin

import (
	"math"
	"slices"
	"sort"

	"caliper/engine/retrieval/stem"
)

// Vector is the direction of a word's meaning.
type Vector struct {
	row    string // two numbers a byte
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

// AddTo adds the vector, of the length 1, times a weight to a sum of as many numbers.
// The zero Vector adds nothing.
func (v Vector) AddTo(sum []float64, weight float64) {
	if v.square == 0 {
		return
	}
	by := weight / math.Sqrt(float64(v.square))
	for i := range len(v.row) {
		low, high := halves(v.row[i])
		sum[2*i] += float64(by * float64(low))
		sum[2*i+1] += float64(by * float64(high))
	}
}

// halves returns the two numbers of a byte.
func halves(b byte) (low, high int32) { return int32(int8(b<<4) >> 4), int32(int8(b) >> 4) }

// dot returns the sum of the products of two rows of equal length. A row has at most
// 1,024 numbers, so that the sum fits.
func dot(a, b string) int32 {
	b = b[:len(a)]
	var sum int32
	for i := range len(a) {
		low, high := halves(a[i])
		otherLow, otherHigh := halves(b[i])
		sum += low*otherLow + high*otherHigh
	}
	return sum
}

// Neighbour is a word near to another.
type Neighbour struct {
	Word       string // the most common one with its stem
	Similarity float64
}

// Neighbours returns the n words that are nearest to a word in lower case, nearest first,
// and of equals in the order of their stems, without those that have the stem of the word.
// It is nil for a word that the table does not have.
func (t *Table) Neighbours(word string, n int) []Neighbour {
	at, ok := t.Find(stem.English(word))
	if !ok || n < 1 {
		return nil
	}
	v, _ := t.Entry(at)
	var best []Neighbour
	for i, other := range t.words {
		u, _ := t.Entry(i)
		similarity := v.Similarity(u)
		if i == at || len(best) == n && similarity <= best[n-1].Similarity {
			continue
		}
		place := sort.Search(len(best), func(k int) bool { return similarity > best[k].Similarity })
		best = slices.Insert(best, place, Neighbour{Word: other, Similarity: similarity})
		best = best[:min(n, len(best))]
	}
	return best
}
