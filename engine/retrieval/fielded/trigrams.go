package fielded

import (
	"math"
	"unicode/utf8"
)

// trigrams cuts a word into each three runes in a row, with a space before and
// behind it; when it has no more, into all of that.
type trigrams struct {
	word []byte // with spaces
	from int    // of the next trigram, -1 behind the last
	last int    // where its last rune begins
}

// cut begins a word, which is copied.
func (t *trigrams) cut(word []byte) {
	t.word = append(append(append(t.word[:0], ' '), word...), ' ')
	_, first := utf8.DecodeRune(word)
	t.from, t.last = 0, min(1+first, len(t.word)-1)
}

// next returns the next trigram, or nil behind the last. It is valid until the
// next word.
func (t *trigrams) next() []byte {
	if t.last >= len(t.word) || t.from < 0 {
		return nil
	}
	_, size := utf8.DecodeRune(t.word[t.last:])
	from := t.from
	_, first := utf8.DecodeRune(t.word[from:])
	t.from, t.last = from+first, t.last+size
	return t.word[from:t.last]
}

// gramWeight is what a trigram weighs that occurs so often.
func gramWeight(count float64) float64 { return max(0.05, 1+math.Log(count)) }

// gramWeights has the weight of each pair of counts of a record's trigram.
func (r *Recipe) gramWeights() *[gramCounts + 1]float64 {
	table := new([gramCounts + 1]float64)
	for i := range table {
		count := float64(i>>countBits) + r.ToolsetLetters*float64(i&countMask)
		if count > 0 {
			table[i] = gramWeight(count)
		}
	}
	return table
}

// gramIDF is the inverse document frequency of a trigram that the names of df
// of n tools have.
func gramIDF(df, n int) float64 { return math.Log(float64(1+n)/float64(1+df)) + 1 }
