// Package lexicon has the lists of words of the ranker "fielded".
//
// Goals: data that can be read and edited as text; stems numbered from 0, so
// that a ranker can look them up by number; the same numbers everywhere.
//
// Non-goals: what a word weighs (package fielded), other languages but for the Chinese
// terms of the glossary.
//
// The files, one entry a line, all in lower case:
//
//   - stop.txt: words that say nothing about a tool.
//   - request.txt: words that requests are phrased with.
//   - generic.txt: verbs, in each form, that tools of any kind are named with.
//   - synonyms.txt: a word and its near synonyms or abbreviations. The word is
//     expanded to each of these, and each of these to the word.
//   - domains.txt: words that tools of a domain are described with, a bar, and
//     words with which people ask for such tools. Each of the latter is expanded
//     to each of the former.
//   - background.txt: stems, and how many of 10,000 tools have them.
//   - glossary.txt: a Chinese term in simplified characters, and English words for it, as
//     tools and their domains are spoken of. It is written by hand, for this project.
//
// # Stems
//
// Stem reduces English words to their stems with the Snowball
// algorithm (Porter2), and remembers them.
//
// Goals: a word that was met before costs no allocation; memory is bounded.
// Non-goals: other languages, stop words, cutting text into words.
package lexicon

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"caliper/engine/retrieval/postings"
)

var (
	//go:embed stop.txt
	stopText string
	//go:embed request.txt
	requestText string
	//go:embed generic.txt
	genericText string
	//go:embed synonyms.txt
	synonymsText string
	//go:embed domains.txt
	domainsText string
	//go:embed background.txt
	backgroundText string
	//go:embed glossary.txt
	glossaryText string
)

// Lexicon is the known facts about words. It never changes and is safe for
// concurrent use.
type Lexicon struct {
	kinds postings.Dictionary // stop words, then request words
	stops int
	verbs postings.Dictionary // generic ones

	Stems      []string  // by number
	Words      []string  // by number: the first word with the stem, as the lists have it; empty where only a stem is known
	Background []float64 // by number: the share of tools at large that hold the stem, 0 to 1
	Synonyms   Links
	Domains    Links
	Glossary   Glossary
}

// Links leads from stems, by number, to others: none to itself, each once, in
// the order of their texts.
type Links [][]uint32

// Kind says what a word is worth in a request.
type Kind uint8

const (
	Content Kind = iota // it may name what is wanted
	Request             // it only asks
	Stop                // it says nothing
)

// English returns the lexicon of the embedded files. The first call reads them,
// in some milliseconds.
var English = sync.OnceValue(func() *Lexicon {
	l := &Lexicon{kinds: postings.NewDictionary(), verbs: postings.NewDictionary()}
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
	r := reader{lexicon: l, stems: postings.NewDictionary(), words: map[string]uint32{}}
	r.synonyms(synonymsText)
	r.domains(domainsText)
	r.background(backgroundText)
	r.glossary(glossaryText)
	l.Synonyms.finish(l.Stems)
	l.Domains.finish(l.Stems)
	return l
})

// Kind returns the kind of a word in lower case. A word that is in both lists
// is a stop word.
func (l *Lexicon) Kind(word []byte) Kind {
	id, ok := l.kinds.Find(word)
	switch {
	case !ok:
		return Content
	case int(id) < l.stops:
		return Stop
	}
	return Request
}

// Generic tells whether a word in lower case is a verb that tools of any kind
// are named with, so that it says little of which tool is wanted.
func (l *Lexicon) Generic(word []byte) bool {
	_, ok := l.verbs.Find(word)
	return ok
}

// reader fills a lexicon.
type reader struct {
	lexicon *Lexicon
	stems   postings.Dictionary
	words   map[string]uint32 // stem of each word
}

// word returns the number of a word's stem.
func (r *reader) word(word string) uint32 {
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
func (r *reader) stem(text string) uint32 {
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

func (r *reader) synonyms(text string) {
	for line := range strings.Lines(text) {
		var head uint32
		for i, word := range strings.Fields(line) {
			id := r.word(word)
			if i == 0 {
				head = id
				continue
			}
			r.lexicon.Synonyms.add(head, id)
			r.lexicon.Synonyms.add(id, head)
		}
	}
}

func (r *reader) domains(text string) {
	for line := range strings.Lines(text) {
		domain, words, _ := strings.Cut(line, "|")
		for word := range strings.FieldsSeq(words) {
			from := r.word(word)
			for target := range strings.FieldsSeq(domain) {
				to := r.word(target)
				r.lexicon.Domains.add(from, to)
			}
		}
	}
}

func (r *reader) background(text string) {
	for line := range strings.Lines(text) {
		key, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := strconv.Atoi(number) // a test reads every line
		r.lexicon.Background[r.stem(key)] = float64(n) / 10_000
	}
}

// add adds a link.
func (l Links) add(from, to uint32) {
	if from != to {
		l[from] = append(l[from], to)
	}
}

// finish orders the links and removes repeats.
func (l Links) finish(stems []string) {
	for i, to := range l {
		slices.SortFunc(to, func(a, b uint32) int { return cmp.Compare(stems[a], stems[b]) })
		l[i] = slices.Compact(to)
	}
}
