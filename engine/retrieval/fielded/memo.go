package fielded

import (
	"caliper/engine/retrieval"
)

// knownQueryWord is the knowledge of an index about a word of a query. Each searcher keeps
// some, so that a word that was asked before costs one look-up.
type knownQueryWord struct {
	kind    retrieval.WordKind
	generic bool
	gives   kindSet // the kind of value that it is
	known   bool    // the vocabulary has the stem
	term    uint32  // of the stem, when it is known
	stem    []byte
	grams   []uint32      // the trigrams that names have, repeated ones too
	similar []similarTerm // the terms that are spelled like the stem, once they were searched for
	spelled bool          // they were
	row     int           // in Index.meanings; -1: they do not know it
}

// mostKnown is how many words a searcher keeps.
const mostKnown = 4096

// learn returns what the index knows of a word.
func (s *searcher) learn(word []byte) *knownQueryWord {
	if w := s.known[string(word)]; w != nil {
		return w
	}
	x := s.x
	w := &knownQueryWord{kind: x.lexicon.Kind(word), generic: x.lexicon.Generic(word), gives: kindsOfWords()[string(word)], row: -1}
	w.stem = x.appendStem(nil, word)
	id, known := x.vocabulary.terms.Find(w.stem)
	if n := singular(word); n > 0 && !(known && x.hasTerm(id)) {
		if one, known := x.vocabulary.terms.Find(word[:n]); known && x.hasTerm(one) { // no tool has the plural
			w.stem = append([]byte(nil), word[:n]...)
		}
	}
	w.term, w.known = x.vocabulary.terms.Find(w.stem)
	if x.meanings != nil {
		if row, ok := x.meanings.Find(string(w.stem)); ok {
			w.row = row
		}
	}
	if w.kind != retrieval.StopWord {
		s.cut.cut(word)
		for trigram := s.cut.next(); trigram != nil; trigram = s.cut.next() {
			if gram, ok := x.vocabulary.grams.Find(trigram); ok && int(gram) < len(x.gramIDF) {
				w.grams = append(w.grams, gram)
			}
		}
	}
	s.known[string(word)] = w
	return w
}
