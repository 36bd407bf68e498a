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

// readTrigrams counts and weighs the trigrams of the words of the query.
func (s *searcher) readTrigrams() {
	if s.askedGrams == nil {
		s.askedGrams = make([]float64, len(s.x.gramIDF))
	}
	for _, gram := range s.grams {
		s.askedGrams[gram] = 0
	}
	s.grams = s.grams[:0]
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.uncut {
			continue
		}
		for _, gram := range t.known.grams {
			if s.askedGrams[gram] == 0 {
				s.grams = append(s.grams, gram)
			}
			s.askedGrams[gram]++
		}
	}
	for _, gram := range s.grams {
		count := s.askedGrams[gram]
		s.askedGrams[gram] = s.x.gramIDF[gram]
		if count > 1 {
			s.askedGrams[gram] *= 1 + math.Log(count)
		}
	}
}
