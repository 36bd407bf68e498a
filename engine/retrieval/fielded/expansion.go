package fielded

import "unicode/utf8"

// expand finds the expansions of the words of the query: synonyms, words of their
// domain, and, for words that no tool has, terms that are spelled like them and
// terms that they are made of. Words are expanded only to terms that a tool has.
func (s *searcher) expand() {
	r := &s.x.recipe
	unknown := 0
	for i := range s.queryWords {
		o := &s.queryWords[i]
		if o.term >= 0 {
			times := 1.0
			if s.catalogTerm(int32(i)) < 0 {
				times = r.Unknown
			}
			factors := [...]float64{synonym: times * r.Synonym, domain: times * r.Domain}
			for _, to := range s.memo.linksOfWord(&s.memo.words[s.tokens[o.token].memo]) {
				s.addExpansion(expansion{word: uint32(i), kind: to.kind, factor: factors[to.kind]}, to.term)
			}
		}
		if s.catalogTerm(int32(i)) < 0 && unknown < maxUnknown {
			unknown++
			s.spell(i)
		}
	}
	unknown = 0
	for i := range s.queryWords {
		if s.catalogTerm(int32(i)) < 0 && unknown < maxUnknown {
			unknown++
			s.split(i)
		}
	}
}

// addExpansion adds an expansion to a term that a tool has.
func (s *searcher) addExpansion(b expansion, to term) {
	if b.factor == 0 {
		return
	}
	at := s.table.Find(to.term)
	if at < 0 {
		if len(s.terms) == maxTerms {
			return
		}
		at = s.addTerm(to)
	}
	b.term = uint32(at)
	s.expansions = append(s.expansions, b)
}

// hasTerm reports whether a tool has a term.
func (x *Index) hasTerm(id uint32) bool { return x.idf[id] > 0 }

// spell expands a word to the terms that are spelled like it. A request word is
// not treated as a misspelled word: "please" is not "release".
func (s *searcher) spell(word int) {
	r := &s.x.recipe
	if r.Spelling == 0 {
		return
	}
	o := &s.queryWords[word]
	if o.weight < 1 {
		return
	}
	for _, a := range s.memo.similarTo(&s.memo.words[s.tokens[o.token].memo]) {
		s.addExpansion(expansion{word: uint32(word), kind: misspelling, likeness: a.likeness, factor: r.Spelling * a.likeness}, s.x.newTerm(a.term, -1))
	}
}

const (
	compoundLetters = 6 // least letters of a word that is cut in two
	pieceLetters    = 3 // least letters of each of the two
)

// split expands a word to the two terms that it is composed of. It takes the first
// cut for which tools have both terms.
func (s *searcher) split(word int) {
	r := &s.x.recipe
	t := s.tokens[s.queryWords[word].token]
	text := s.query.words[t.from:t.to]
	if r.Compound == 0 || !divisible(text) {
		return
	}
	at := 0
	for n := utf8.RuneCount(text); n > pieceLetters; n-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
		if utf8.RuneCount(text[:at]) < pieceLetters {
			continue
		}
		first, ok := s.x.findStem(text[:at])
		if !ok {
			continue
		}
		if second, ok := s.x.findStem(text[at:]); ok {
			b := expansion{word: uint32(word), kind: compound, factor: r.Compound}
			s.addExpansion(b, s.x.newTerm(first, -1))
			s.addExpansion(b, s.x.newTerm(second, -1))
			return
		}
	}
}

// findStem returns the term of a word; ok is false when no tool has it.
func (x *Index) findStem(word []byte) (id uint32, ok bool) {
	var room [64]byte
	id, ok = x.vocabulary.terms.Find(x.appendStem(room[:0], word))
	return id, ok && x.hasTerm(id)
}
