package whatif

import (
	"caliper/engine/retrieval"
)

// token is a word of a text as a person writes it.
type token struct {
	word  string // in lower case; empty for anything but a plain word, such as a number
	stem  string
	name  bool // written with a capital inside a sentence, as names of people and places are
	mixed bool // written with a capital inside the word, as abbreviations, names of products and codes are
	first bool // nothing but white space and the end of a sentence before it
}

// plain reports whether a word has ASCII letters alone, and some.
func plain(word string) bool {
	for _, c := range []byte(word) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return word != ""
}

// stemmer remembers the stems of words.
type stemmer map[string]string

func (s stemmer) of(word string) string {
	if known, ok := s[word]; ok {
		return known
	}
	stemmed := retrieval.Stem(word)
	s[word] = stemmed
	return stemmed
}

// leastLetters is the length of the shortest word that is proposed.
const leastLetters = 3

// names reports whether a word in lower case may name what a tool is for: no filler, no
// generic verb, and not too short.
func mayDescribe(word string) bool {
	return len(word) >= leastLetters && !retrieval.Filler(word) && !retrieval.EnglishLexicon().Generic([]byte(word))
}
