package fielded

import (
	"fmt"
	"strings"

	"caliper/engine/retrieval"
	"caliper/model/words"
)

// Reading is how an index reads a query: the words that count, with their
// expansions, and those that are ignored.
type Reading struct {
	Words     []Word // in the order of the text
	Sentences int    // that are also scored one by one; 0 when there are fewer than two
	Named     bool   // it has the name of a tool
	Finds     bool   // it finds a tool
}

// Word is a word of a query.
type Word struct {
	Text       string // in lower case
	Stem       string // by which it is looked up; empty for a stop word
	Kind       Kind
	DF         int         // tools that hold it
	Expansions []Expansion // further stems that it is looked up by
}

// Expansion is a stem that a word of a query is expanded to.
type Expansion struct {
	Stem   string
	How    string // synonym, domain, spelling, translation, part or meaning
	Weight float64
	DF     int // tools that hold it
}

// Kind is how an index treats a word of a query.
type Kind string

const (
	Counts  Kind = "counts"  // it is looked up
	Asks    Kind = "asks"    // it is looked up with less weight, because requests are phrased with it
	Stop    Kind = "stop"    // it says nothing about a tool
	Unknown Kind = "unknown" // no tool has it; its expansions count
	Unread  Kind = "unread"  // the query is too long
)

// Read returns how the index reads a query.
func (x *Index) Read(query string) Reading {
	s := x.acquire(query)
	defer x.release(s)
	r := Reading{Sentences: s.sentences, Named: len(s.pinned) > 0}
	r.Finds = r.Named || s.Terms() > 0
	read := 0
	var c words.Cutter
	c.Cut([]byte(query))
	for text := c.Next(); text != nil; text = c.Next() {
		w := Word{Text: string(text), Kind: Stop}
		if x.lexicon.Kind(text) != retrieval.StopWord {
			if w.Kind = Unread; read < len(s.tokens) {
				s.readingOf(&w, &s.tokens[read])
				read++
			}
		}
		r.Words = append(r.Words, w)
		if read < len(s.tokens) && s.tokens[read].uncut && c.Last() {
			w := Word{Text: string(c.Run())}
			s.readingOf(&w, &s.tokens[read])
			read++
			r.Words = append(r.Words, w)
		}
	}
	return r
}

// readingOf sets the stem, kind, df and expansions of w from its token.
func (s *searcher) readingOf(w *Word, t *token) {
	w.Stem, w.Kind = string(s.x.appendStem(nil, []byte(w.Text))), Unknown
	if t.word < 0 {
		return
	}
	w.Stem = string(s.query.stems[s.queryWords[t.word].from:s.queryWords[t.word].to])
	if at := s.catalogTerm(t.word); at >= 0 {
		w.DF, w.Kind = int(s.terms[at].df), Counts
		if t.request {
			w.Kind = Asks
		}
	}
	for i := range s.expansions {
		if b := &s.expansions[i]; b.word == uint32(t.word) && s.terms[b.term].word < 0 {
			target := &s.terms[b.term]
			w.Expansions = append(w.Expansions, Expansion{
				Stem:   s.stemOf(target),
				How:    b.kind.String(),
				Weight: b.factor * s.queryWords[t.word].weight,
				DF:     int(target.df),
			})
		}
	}
}

// String returns the kind as it is shown to people.
func (h expansionKind) String() string {
	return [...]string{"synonym", "domain", "spelling", "translation", "part", "meaning"}[h]
}

// Ignored returns the words that do not count, in order, each once: stop words,
// unread words, and unknown words without expansions.
func (r Reading) Ignored() []string {
	var ignored []string
	seen := map[string]bool{}
	for _, w := range r.Words {
		none := w.Kind == Stop || w.Kind == Unread || w.Kind == Unknown && len(w.Expansions) == 0
		if none && !seen[w.Text] {
			seen[w.Text] = true
			ignored = append(ignored, w.Text)
		}
	}
	return ignored
}

// Why returns a sentence that explains why the query finds nothing, or an empty
// string when the query finds a tool. The sentence is safe for a terminal: it has
// only letters, marks and digits of the query.
func (r Reading) Why() string {
	if r.Finds {
		return ""
	}
	var stop, unknown []string
	for _, w := range r.Ignored() {
		if r.kindOf(w) == Stop {
			stop = append(stop, w)
		} else {
			unknown = append(unknown, w)
		}
	}
	switch {
	case len(r.Words) == 0:
		return "the query has no words"
	case len(unknown) == 0:
		return fmt.Sprintf("the query has only words that say nothing about a tool: %s", firstOf(stop))
	case len(stop) == 0:
		return fmt.Sprintf("no tool has a word of the query, a similar spelling, or a related word: %s", firstOf(unknown))
	}
	return fmt.Sprintf("no tool has a word of the query, a similar spelling, or a related word: %s; %s say nothing about a tool",
		firstOf(unknown), firstOf(stop))
}

// kindOf returns the kind of a word.
func (r Reading) kindOf(text string) Kind {
	for _, w := range r.Words {
		if w.Text == text {
			return w.Kind
		}
	}
	return Unread
}

// someWords is the most words that a sentence lists.
const someWords = 8

// firstOf joins the first words of a list, and adds how many more there are.
func firstOf(list []string) string {
	if len(list) > someWords {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:someWords], ", "), len(list)-someWords)
	}
	return strings.Join(list, ", ")
}
