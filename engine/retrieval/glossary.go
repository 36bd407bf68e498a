package retrieval

import (
	"strings"
	"unicode/utf8"
)

// Glossary has English words for Chinese terms. It never changes and is safe for
// concurrent use.
type Glossary struct {
	terms   Dictionary
	english [][]GlossaryWord // by number of the term
	longest map[rune]int     // bytes of the longest term that begins with a character
}

// GlossaryWord is an English word with the number of its stem.
type GlossaryWord struct {
	Text string
	Stem uint32
}

// Begins returns the English words of the longest term that a text begins with, and how
// many bytes of the text the term is; 0 when the text begins with none. The text has the
// form of words.Lower, so that traditional characters are simplified ones.
func (g *Glossary) Begins(text []byte) (english []GlossaryWord, size int) {
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

func (r *lexiconReader) glossary(text string) {
	g := &r.lexicon.Glossary
	g.terms, g.longest = NewDictionary(), map[rune]int{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		term := words[0]
		g.terms.Intern([]byte(term))
		var english []GlossaryWord
		for _, w := range words[1:] {
			english = append(english, GlossaryWord{w, r.word(w)})
		}
		g.english = append(g.english, english)
		first, _ := utf8.DecodeRuneInString(term)
		g.longest[first] = max(g.longest[first], len(term))
	}
}
