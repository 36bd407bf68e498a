package fielded

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"caliper/engine/retrieval"
)

// expand finds the expansions of the words of the query: synonyms, words of their
// domain, and, for words that no tool has, terms that are spelled like them and
// terms that they are made of, or that are near in meaning. Words are expanded only to terms that a tool has.
func (s *searcher) expand() {
	r := &s.x.recipe
	unknown := 0
	for i := range s.queryWords {
		o := &s.queryWords[i]
		w := s.tokens[o.token].known
		if o.term >= 0 {
			times := 1.0
			if s.catalogTerm(int32(i)) < 0 {
				times = r.Unknown
			}
			id := s.terms[o.term].term
			s.follow(i, id, s.x.lexicon.Synonyms, synonym, times*r.Synonym, -1)
			s.follow(i, id, s.x.lexicon.Domains, domain, times*r.Domain, w.row)
		}
		if s.catalogTerm(int32(i)) < 0 && unknown < maxUnknown {
			unknown++
			// A request word is not treated as a misspelled word: "please" is not "release".
			if r.Spelling > 0 && o.weight >= 1 {
				factor := r.Spelling
				if w.row >= 0 {
					factor *= s.x.meanings.Spelling
				}
				if !w.spelled {
					n := &s.x.vocabulary
					w.similar, w.spelled = n.spelling.find(n, s.x.hasTerm, w.stem, r.LeastLikeness, r.MostAlike), true
				}
				for _, a := range w.similar {
					s.addExpansion(expansion{word: uint32(i), kind: misspelling, likeness: a.likeness, factor: factor * a.likeness}, a.term)
				}
			}
			if w.row >= 0 {
				m := s.x.meanings
				for _, n := range m.Near(w.row) {
					s.addExpansion(expansion{word: uint32(i), kind: meaning, likeness: n.Weight, factor: m.Share * n.Weight}, n.Term)
				}
			}
		}
	}
	// The English words for the Chinese terms that words of the query begin.
	slices.SortFunc(s.glossed, func(a, b glossed) int { return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.stem, b.stem)) })
	for _, g := range slices.Compact(s.glossed) {
		s.addExpansion(expansion{word: g.word, kind: translation, factor: s.x.recipe.Translation}, g.stem)
	}
	unknown = 0
	for i := range s.queryWords {
		if s.catalogTerm(int32(i)) < 0 && unknown < maxUnknown {
			unknown++
			s.split(i)
		}
	}
}

// follow expands a word to the terms that links lead to. row is that of the word where its
// meaning counts, else -1.
func (s *searcher) follow(word int, id uint32, links retrieval.StemLinks, how expansionKind, factor float64, row int) {
	if int(id) >= len(links) {
		return
	}
	for _, to := range links[id] {
		times := 1.0
		if row >= 0 {
			times = s.x.meanings.Domain(row, to)
		}
		s.addExpansion(expansion{word: uint32(word), kind: how, factor: factor * times}, to)
	}
}

// addExpansion adds an expansion to a term, if a tool has the term.
func (s *searcher) addExpansion(b expansion, id uint32) {
	if b.factor == 0 || !s.x.hasTerm(id) {
		return
	}
	at := int(s.indexes[id]) - 1
	if at < 0 {
		if len(s.terms) == maxTerms {
			return
		}
		at = s.addTerm(id, -1)
	}
	b.term = uint32(at)
	s.expansions = append(s.expansions, b)
}

// hasTerm reports whether a tool has a term.
func (x *Index) hasTerm(id uint32) bool { return x.idf[id] > 0 }

const (
	compoundLetters = 6 // least letters of a word that is cut in two; more than mostLetters are no word
	pieceLetters    = 3 // least letters of each of the two
)

// split expands a word to the two terms that it is composed of. It takes the first
// cut for which tools have both terms.
func (s *searcher) split(word int) {
	r := &s.x.recipe
	t := s.tokens[s.queryWords[word].token]
	text := s.query.words[t.from:t.to]
	if r.Compound == 0 {
		return
	}
	if spaceless(text) { // two Chinese characters that no tool has next to each other, each alone
		for at := 0; at < len(text); {
			r, size := utf8.DecodeRune(text[at:])
			if id, ok := s.x.findStem(text[at : at+size]); ok && size < len(text) && unicode.Is(unicode.Han, r) {
				s.addExpansion(expansion{word: uint32(word), kind: compound, factor: s.x.recipe.Compound}, id)
			}
			at += size
		}
		return
	}
	n, at := utf8.RuneCount(text), 0
	if n < compoundLetters || n > mostLetters || bytes.ContainsAny(text, "0123456789") {
		return
	}
	for ; n > pieceLetters; n-- {
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
			s.addExpansion(b, first)
			s.addExpansion(b, second)
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

// Meanings is the known meanings of words, to which an index can listen when it
// expands the words of a query. A word that it does not know is expanded as ever. An index
// that listens also looks for names that are said in words with a typo: see addSpoken.
type Meanings struct {
	Find     func(stem string) (row int, ok bool)       // the number of a word that it knows
	Near     func(row int) []Weighted                   // terms with their similarities: further expansions of a word that no tool has
	Share    float64                                    // of a similarity: the factor of such an expansion
	Domain   func(row int, term uint32) (times float64) // the factor of a term of the domain of a word is multiplied by it
	Spelling float64                                    // and by it that of a term that is spelled like a word that is known, and so no typo
}

// Listening returns an index of the same catalog that listens to m. Both have the same
// memory.
func (x *Index) Listening(m *Meanings) *Index {
	y := *x
	y.meanings, y.searchers = m, new(sync.Pool)
	y.searchers.New = func() any { return newSearcher(&y) }
	return &y
}
