package doctor

import (
	"strings"
	"unicode"

	"caliper/engine/retrieval/lexicon"
	"caliper/engine/retrieval/stem"
	"caliper/engine/vocabulary"
)

// token is a word of a text as a person writes it.
type token struct {
	word  string // in lower case; empty for what is no plain word, such as a number
	shown string // as a sentence has it: an abbreviation as it is written, another word in lower case
	stem  string
	name  bool // written with a capital inside a sentence, as names of people and places are
	mixed bool // written with a capital inside the word, as abbreviations, names of products and codes are
	first bool // nothing but white space and the end of a sentence before it
	last  bool // punctuation or the end of the text behind it
}

// tokensOf cuts a text at white space. Words of ASCII letters alone are plain words; what
// else stands between spaces keeps its place, so that no two words seem to be beside
// each other that are not.
func tokensOf(text string, stems stemmer) []token {
	var out []token
	first := true
	for _, field := range strings.Fields(text) {
		begun := strings.TrimLeftFunc(field, unicode.IsPunct)
		word := strings.TrimRightFunc(begun, unicode.IsPunct)
		t := token{first: first, last: len(word) < len(begun)}
		if plain(word) {
			t.word = strings.ToLower(word)
			t.stem = stems.of(t.word)
			t.mixed = strings.ToLower(word[1:]) != word[1:]
			t.name = !first && !t.mixed && word[0] < 'a'
			t.shown = t.word
			if t.mixed {
				t.shown = word
			}
		}
		first = t.last && strings.ContainsAny(field, ".!?")
		out = append(out, t)
	}
	if len(out) > 0 {
		out[len(out)-1].last = true
	}
	return out
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
	stemmed := stem.English(word)
	s[word] = stemmed
	return stemmed
}

// leastLetters is the length of the shortest word that is proposed.
const leastLetters = 3

// names reports whether a word in lower case may name what a tool is for: no filler, no
// generic verb, and not too short.
func names(word string) bool {
	return len(word) >= leastLetters && !vocabulary.Filler(word) && !lexicon.English().Generic([]byte(word))
}

// beforeVerbs are the words behind which a request has a verb, and beforeObjects those
// that begin its object.
var (
	beforeVerbs   = map[string]bool{"to": true, "please": true, "you": true, "i": true, "we": true, "can": true, "could": true, "should": true}
	beforeObjects = map[string]bool{"a": true, "an": true, "the": true, "my": true, "this": true, "these": true, "all": true, "our": true, "some": true, "any": true}
)

// asVerb reports whether the token at i stands where a request has a verb.
func asVerb(text []token, i int) bool {
	if text[i].first {
		return i+1 < len(text) && !text[i].last && beforeObjects[text[i+1].word]
	}
	return beforeVerbs[text[i-1].word]
}
