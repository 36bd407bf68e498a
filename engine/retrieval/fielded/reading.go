package fielded

import (
	"fmt"
	"strings"

	"caliper/engine/retrieval/lexicon"
)

// Reading tells how an index reads a query: what each word counts, and what was
// ignored.
type Reading struct {
	Words     []Word // in the order of the text
	Sentences int    // that are also answered one by one; 0 when there are fewer than two
	Named     bool   // it has the name of a tool
	Finds     bool   // it finds a tool
}

// Word is a word of a query.
type Word struct {
	Text   string // in lower case
	Stem   string // by which it is looked up; empty for a stop word
	Kind   Kind
	DF     int       // tools that hold it
	Brings []Brought // what it stands for, too
}

// Brought is a stem that a word of a query brings.
type Brought struct {
	Stem   string
	How    string // synonym, domain, spelling or part
	Weight float64
	DF     int // tools that hold it
}

// Kind says what came of a word.
type Kind string

const (
	Counts  Kind = "counts"  // it is looked up
	Asks    Kind = "asks"    // so, with less weight: requests are phrased with it
	Stop    Kind = "stop"    // it says nothing about a tool
	Unknown Kind = "unknown" // no tool holds it; what it brings counts
	Unread  Kind = "unread"  // the query is too long
)

// Read tells how a query is read.
func (x *Index) Read(query string) Reading {
	s := x.borrow(query)
	defer x.giveBack(s)
	r := Reading{Sentences: s.pieces, Named: len(s.pinned) > 0}
	r.Finds = r.Named || s.Terms() > 0
	read := 0
	var c cutter
	c.cut([]byte(query))
	for text := c.word(); text != nil; text = c.word() {
		w := Word{Text: string(text), Kind: Stop}
		if x.lexicon.Kind(text) != lexicon.Stop {
			if w.Kind = Unread; read < len(s.tokens) {
				s.readingOf(&w, &s.tokens[read])
				read++
			}
		}
		r.Words = append(r.Words, w)
		if read < len(s.tokens) && s.tokens[read].uncut && c.last() {
			w := Word{Text: string(c.run)}
			s.readingOf(&w, &s.tokens[read])
			read++
			r.Words = append(r.Words, w)
		}
	}
	return r
}

// readingOf completes a word by its token.
func (s *searcher) readingOf(w *Word, t *token) {
	w.Stem, w.Kind = string(s.x.appendStem(nil, []byte(w.Text))), Unknown
	if t.own < 0 {
		return
	}
	w.Stem = string(s.stems[s.own[t.own].from:s.own[t.own].to])
	if place := s.heldPlace(t.own); place >= 0 {
		w.DF, w.Kind = int(s.terms[place].df), Counts
		if t.request {
			w.Kind = Asks
		}
	}
	for i := range s.brings {
		if b := &s.brings[i]; b.own == uint32(t.own) && s.terms[b.place].own < 0 {
			target := &s.terms[b.place]
			w.Brings = append(w.Brings, Brought{
				Stem:   s.stemOf(target),
				How:    b.how.String(),
				Weight: b.factor * s.own[t.own].weight,
				DF:     int(target.df),
			})
		}
	}
}

// String returns how a word brings a term.
func (h how) String() string {
	return [...]string{"synonym", "domain", "spelling", "part"}[h]
}

// Ignored returns the words that count nothing, in order, each once: stop
// words, unread words, and unknown words that bring nothing.
func (r Reading) Ignored() []string {
	var ignored []string
	seen := map[string]bool{}
	for _, w := range r.Words {
		none := w.Kind == Stop || w.Kind == Unread || w.Kind == Unknown && len(w.Brings) == 0
		if none && !seen[w.Text] {
			seen[w.Text] = true
			ignored = append(ignored, w.Text)
		}
	}
	return ignored
}

// Why tells in one sentence why the query finds nothing, or nothing when it
// finds a tool. It holds words, spaces, and letters, marks and digits of any
// script.
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
		return fmt.Sprintf("the query has only words that say nothing about a tool: %s", some(stop))
	case len(stop) == 0:
		return fmt.Sprintf("no tool holds a word of the query, one spelled like it, or one it stands for: %s", some(unknown))
	}
	return fmt.Sprintf("no tool holds a word of the query, one spelled like it, or one it stands for: %s; %s say nothing about a tool",
		some(unknown), some(stop))
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

// someWords is how many words a sentence names.
const someWords = 8

// some joins words, the first ones of many.
func some(words []string) string {
	if len(words) > someWords {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:someWords], ", "), len(words)-someWords)
	}
	return strings.Join(words, ", ")
}
