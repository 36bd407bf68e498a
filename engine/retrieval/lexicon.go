package retrieval

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

var (
	//go:embed lexicon/stop.txt
	stopText string
	//go:embed lexicon/request.txt
	requestText string
	//go:embed lexicon/generic.txt
	genericText string
	//go:embed lexicon/synonyms.txt
	synonymsText string
	//go:embed lexicon/domains.txt
	domainsText string
	//go:embed lexicon/background.txt
	backgroundText string
	//go:embed lexicon/glossary.txt
	glossaryText string
)

// Lexicon is the known facts about words. It never changes and is safe for
// concurrent use.
type Lexicon struct {
	kinds Dictionary // stop words, then request words
	stops int
	verbs Dictionary // generic ones

	Stems      []string  // by number
	Words      []string  // by number: the first word with the stem, as the lists have it; empty where only a stem is known
	Background []float64 // by number: the share of tools at large that hold the stem, 0 to 1
	Synonyms   StemLinks
	Domains    StemLinks
	Glossary   Glossary
}

// StemLinks leads from stems, by number, to others: none to itself, each once, in
// the order of their texts.
type StemLinks [][]uint32

// WordKind says what a word is worth in a request.
type WordKind uint8

const (
	ContentWord WordKind = iota // it may name the wanted thing
	RequestWord                 // it only asks
	StopWord                    // it says nothing
)

// EnglishLexicon returns the lexicon of the embedded files. The first call reads them,
// in some milliseconds.
var EnglishLexicon = sync.OnceValue(func() *Lexicon {
	l := &Lexicon{kinds: NewDictionary(), verbs: NewDictionary()}
	for word := range strings.FieldsSeq(stopText) {
		l.kinds.Intern([]byte(word))
	}
	l.stops = l.kinds.Len()
	for word := range strings.FieldsSeq(requestText) {
		l.kinds.Intern([]byte(word))
	}
	for word := range strings.FieldsSeq(genericText) {
		l.verbs.Intern([]byte(word))
	}
	r := lexiconReader{lexicon: l, stems: NewDictionary(), words: map[string]uint32{}}
	for line := range strings.Lines(synonymsText) {
		var head uint32
		for i, word := range strings.Fields(line) {
			id := r.word(word)
			if i == 0 {
				head = id
				continue
			}
			l.Synonyms.add(head, id)
			l.Synonyms.add(id, head)
		}
	}
	for line := range strings.Lines(domainsText) {
		domain, words, _ := strings.Cut(line, "|")
		for word := range strings.FieldsSeq(words) {
			from := r.word(word)
			for target := range strings.FieldsSeq(domain) {
				to := r.word(target)
				l.Domains.add(from, to)
			}
		}
	}
	for line := range strings.Lines(backgroundText) {
		key, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := strconv.Atoi(number) // a test reads every line
		l.Background[r.stem(key)] = float64(n) / 10_000
	}
	r.glossary(glossaryText)
	l.Synonyms.finish(l.Stems)
	l.Domains.finish(l.Stems)
	return l
})

// Kind returns the kind of a word in lower case. A word that is in both lists
// is a stop word.
func (l *Lexicon) Kind(word []byte) WordKind {
	id, ok := l.kinds.Find(word)
	switch {
	case !ok:
		return ContentWord
	case int(id) < l.stops:
		return StopWord
	}
	return RequestWord
}

// Generic tells whether a word in lower case is a verb that tools of any kind
// are named with, so that it says little of which tool is wanted.
func (l *Lexicon) Generic(word []byte) bool {
	_, ok := l.verbs.Find(word)
	return ok
}

// lexiconReader fills a lexicon.
type lexiconReader struct {
	lexicon *Lexicon
	stems   Dictionary
	words   map[string]uint32 // stem of each word
}

// word returns the number of a word's stem.
func (r *lexiconReader) word(word string) uint32 {
	id, ok := r.words[word]
	if !ok {
		id = r.stem(Stem(word))
		r.words[word] = id
		if r.lexicon.Words[id] == "" {
			r.lexicon.Words[id] = word
		}
	}
	return id
}

// stem returns the number of a stem.
func (r *lexiconReader) stem(text string) uint32 {
	id := r.stems.Intern([]byte(text))
	if l := r.lexicon; int(id) == len(l.Stems) {
		l.Stems = append(l.Stems, text)
		l.Words = append(l.Words, "")
		l.Background = append(l.Background, 0)
		l.Synonyms = append(l.Synonyms, nil)
		l.Domains = append(l.Domains, nil)
	}
	return id
}

// add adds a link.
func (l StemLinks) add(from, to uint32) {
	if from != to {
		l[from] = append(l[from], to)
	}
}

// finish orders the links and removes repeats.
func (l StemLinks) finish(stems []string) {
	for i, to := range l {
		slices.SortFunc(to, func(a, b uint32) int { return cmp.Compare(stems[a], stems[b]) })
		l[i] = slices.Compact(to)
	}
}

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

// SmallTalk reports whether a word in lower case is one of greetings and thanks.
func SmallTalk(word string) bool { return smallTalk[word] }

// smallTalk are words of greetings and thanks. They stand in many descriptions,
// as examples and as filler, and alone ask for nothing.
var smallTalk = map[string]bool{
	"hello": true, "hi": true, "hey": true, "yo": true, "welcome": true,
	"good": true, "morning": true, "afternoon": true, "evening": true, "night": true, "day": true,
	"bye": true, "goodbye": true, "later": true, "soon": true,
	"thank": true, "thanks": true, "much": true, "lot": true, "cheers": true, "appreciate": true,
	"nice": true, "great": true, "cool": true, "awesome": true, "perfect": true, "fine": true, "wow": true, "lol": true,
	"ok": true, "okay": true, "yes": true, "yeah": true, "sorry": true, "doing": true, "today": true, "again": true,
}
