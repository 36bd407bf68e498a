package fielded

import (
	"math"
	"unicode/utf8"
)

// trigrams cuts a word, with a space before and behind it, into every three runes
// in a row. A word of one rune is one trigram, with its spaces.
type trigrams struct {
	word []byte // with spaces
	from int    // where the next trigram begins; -1 behind the last
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

// gramWeights has the weight of each pair of counts of a record's trigram.
func (r *Recipe) gramWeights() *[gramCounts + 1]float64 {
	table := new([gramCounts + 1]float64)
	for i := range table {
		count := float64(i>>countBits) + r.ToolsetLetters*float64(i&countMask)
		if count > 0 {
			table[i] = max(0.05, 1+math.Log(count))
		}
	}
	return table
}

// gramIDF returns the inverse document frequency of a trigram that df of n tools
// have in their names.
func gramIDF(df, n int) float64 { return math.Log(float64(1+n)/float64(1+df)) + 1 }

// trigramMatcher compares the trigrams of a query with the names'. The memory
// is used again by the next query.
type trigramMatcher struct {
	asked   []uint32  // the trigrams of the query
	weights []float64 // of each trigram of the index, with the idf; 0 where the query has it not
}

// readTrigrams counts and weighs the trigrams of the words of the query.
func (s *searcher) readTrigrams() {
	l := &s.trigramMatcher
	if l.weights == nil {
		l.weights = make([]float64, len(s.x.gramIDF))
	}
	for _, gram := range l.asked {
		l.weights[gram] = 0
	}
	l.asked = l.asked[:0]
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.uncut {
			continue
		}
		for _, gram := range s.memo.gramsOfWord(&s.memo.words[t.memo]) {
			if l.weights[gram] == 0 {
				l.asked = append(l.asked, gram)
			}
			l.weights[gram]++
		}
	}
	for _, gram := range l.asked {
		count := l.weights[gram]
		l.weights[gram] = s.x.gramIDF[gram]
		if count > 1 {
			l.weights[gram] *= 1 + math.Log(count)
		}
	}
}

// cosine returns the cosine of the trigrams of a document's names and of the
// query, times the length of the query's vector.
func (s *searcher) cosine(doc uint32) float64 {
	length := s.x.stats[doc].letters
	if length == 0 {
		return 0
	}
	sum := 0.0
	for _, g := range s.x.documents[doc].record.trigrams() {
		gram := g >> gramShift
		if weight := s.weights[gram]; weight > 0 {
			sum += s.x.gramWeights[g&gramCounts] * s.x.gramIDF[gram] * weight
		}
	}
	return sum / length
}
