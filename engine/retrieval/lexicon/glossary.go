package lexicon

import (
	"strings"
	"unicode/utf8"

	"caliper/engine/retrieval/postings"
)

// Glossary has English words for Chinese terms. It never changes and is safe for
// concurrent use.
type Glossary struct {
	terms   postings.Dictionary
	english [][]Word     // by number of the term
	longest map[rune]int // bytes of the longest term that begins with a character
}

// Word is an English word with the number of its stem.
type Word struct {
	Text string
	Stem uint32
}

// Begins returns the English words of the longest term that a text begins with, and how
// many bytes of the text the term is; 0 when the text begins with none. The text has the
// form of words.Lower, so that traditional characters are simplified ones.
func (g *Glossary) Begins(text []byte) (english []Word, size int) {
	first, _ := utf8.DecodeRune(text)
	for n := min(len(text), g.longest[first]); n > 0; n-- {
		if n < len(text) && !utf8.RuneStart(text[n]) {
			continue
		}
		if id, ok := g.terms.Find(text[:n]); ok {
			return g.english[id], n
		}
	}
	return nil, 0
}

func (r *reader) glossary(text string) {
	g := &r.lexicon.Glossary
	g.terms, g.longest = postings.NewDictionary(), map[rune]int{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		term := words[0]
		g.terms.Intern([]byte(term))
		var english []Word
		for _, w := range words[1:] {
			english = append(english, Word{w, r.word(w)})
		}
		g.english = append(g.english, english)
		first, _ := utf8.DecodeRuneInString(term)
		g.longest[first] = max(g.longest[first], len(term))
	}
}
