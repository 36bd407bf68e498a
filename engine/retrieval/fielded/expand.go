package fielded

import (
	"unicode/utf8"

	"caliper/engine/retrieval/lexicon"
)

// expand finds what the words of the query bring: synonyms, words of their
// domain, and, for those that no tool holds, words spelled like them and words
// that they are made of. Only terms that a tool holds are brought.
func (s *searcher) expand() {
	r := &s.x.recipe
	strange := 0
	for i := range s.own {
		o := &s.own[i]
		if o.place >= 0 {
			times := 1.0
			if s.heldPlace(int32(i)) < 0 {
				times = r.Unknown
			}
			id := s.terms[o.place].id
			s.follow(i, id, s.x.lexicon.Synonyms, synonym, times*r.Synonym)
			s.follow(i, id, s.x.lexicon.Domains, domain, times*r.Domain)
		}
		if s.heldPlace(int32(i)) < 0 && strange < maxStrange {
			strange++
			s.spell(i)
		}
	}
	strange = 0
	for i := range s.own {
		if s.heldPlace(int32(i)) < 0 && strange < maxStrange {
			strange++
			s.split(i)
		}
	}
}

// follow brings the terms that links lead to.
func (s *searcher) follow(own int, id uint32, links lexicon.Links, how how, factor float64) {
	if int(id) >= len(links) {
		return
	}
	for _, to := range links[id] {
		s.bring(bringing{own: uint32(own), how: how, factor: factor}, to)
	}
}

// bring notes what an own word brings to a term, if a tool holds the term.
func (s *searcher) bring(b bringing, id uint32) {
	if b.factor == 0 || !s.x.held(id) {
		return
	}
	place := s.places.find(id)
	if place < 0 {
		if len(s.terms) == maxTerms {
			return
		}
		place = s.enter(id, -1)
	}
	b.place = uint32(place)
	s.brings = append(s.brings, b)
}

// held tells whether a tool holds a term.
func (x *Index) held(id uint32) bool { return x.idf[id] > 0 }

// spell brings the terms that are spelled like an own word. A word that requests
// are phrased with is no misspelled name of anything: “please” is no release.
func (s *searcher) spell(own int) {
	r := &s.x.recipe
	if r.Spelling == 0 {
		return
	}
	o := &s.own[own]
	if o.weight < 1 {
		return
	}
	n := &s.x.numbers
	s.alike = n.spelling.find(s.alike[:0], n, s.x.held, s.stems[o.from:o.to], r.LeastLikeness, r.MostAlike)
	for _, a := range s.alike {
		s.bring(bringing{own: uint32(own), how: misspelling, alike: a.likeness, factor: r.Spelling * a.likeness}, a.term)
	}
}

const (
	compoundLetters = 6 // of a word that is cut in two
	partLetters     = 3 // of each part
)

// split brings the two terms that an own word is made of, by the first such
// cut of the word that stands first in the query.
func (s *searcher) split(own int) {
	r := &s.x.recipe
	t := s.tokens[s.own[own].token]
	word := s.words[t.from:t.to]
	if r.Compound == 0 || !divisible(word) {
		return
	}
	at := 0
	for n := utf8.RuneCount(word); n > partLetters; n-- {
		_, size := utf8.DecodeRune(word[at:])
		at += size
		if utf8.RuneCount(word[:at]) < partLetters {
			continue
		}
		first, ok := s.x.heldStem(word[:at])
		if !ok {
			continue
		}
		if second, ok := s.x.heldStem(word[at:]); ok {
			b := bringing{own: uint32(own), how: compound, factor: r.Compound}
			s.bring(b, first)
			s.bring(b, second)
			return
		}
	}
}

// heldStem returns the term of a word, if a tool holds it.
func (x *Index) heldStem(word []byte) (id uint32, ok bool) {
	var room [64]byte
	id, ok = x.numbers.terms.Find(x.appendStem(room[:0], word))
	return id, ok && x.held(id)
}
