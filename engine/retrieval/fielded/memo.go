package fielded

import (
	"caliper/engine/retrieval"
)

// memo remembers what an index knows of the words of queries, so that a word that
// was asked before costs one look-up. Each searcher has one.
type memo struct {
	x       *Index
	numbers retrieval.Dictionary
	words   []memoWord // by number
	stems   []byte     // of words, one after another
	grams   []uint32   // of words, one after another
	similar []similarTerm
	cut     trigrams
}

// memoWord is the knowledge of an index about a word of a query.
type memoWord struct {
	kind    retrieval.WordKind
	generic bool
	gives   kindSet // the kind of value that it is
	known   bool    // the vocabulary has the stem
	term    uint32  // of the stem, when it is known
	stem    span    // in memo.stems
	grams   span    // in memo.grams: the trigrams that names have
	similar span    // in memo.similar: the terms that are spelled like it, once they were searched for
	spelled bool    // they were
	row     int     // in Index.meanings; -1: they do not know it
}

// Limits of a memo, of some hundred kilobytes. It forgets everything when it is
// larger.
const (
	memoWords = 4096
	memoBytes = 1 << 16 // of stems, trigrams and four times the similar terms
)

// begin makes room for the words of a query.
func (m *memo) begin() {
	if m.words == nil || len(m.words) > memoWords || len(m.stems) > memoBytes || len(m.grams) > memoBytes || len(m.similar) > memoBytes/4 {
		*m = memo{x: m.x, numbers: retrieval.NewDictionary(), words: make([]memoWord, 0, 64), cut: m.cut}
	}
}

// number returns the number of a word, which is valid until begin.
func (m *memo) number(word []byte) uint32 {
	n := m.numbers.Intern(word)
	if int(n) == len(m.words) {
		m.words = append(m.words, m.learn(word))
	}
	return n
}

// learn looks up a word.
func (m *memo) learn(word []byte) memoWord {
	x := m.x
	w := memoWord{kind: x.lexicon.Kind(word), generic: x.lexicon.Generic(word), gives: kindsOfWords()[string(word)]}
	w.stem.from = uint32(len(m.stems))
	m.stems = x.appendStem(m.stems, word)
	if n := singular(word); n > 0 && x.hasOnly(word[:n], m.stems[w.stem.from:]) {
		m.stems = append(m.stems[:w.stem.from], word[:n]...)
	}
	w.stem.to = uint32(len(m.stems))
	w.term, w.known = x.vocabulary.terms.Find(m.stems[w.stem.from:])
	w.row = -1
	if x.meanings != nil {
		if row, ok := x.meanings.Find(string(m.stems[w.stem.from:])); ok {
			w.row = row
		}
	}
	w.grams.from = uint32(len(m.grams))
	if w.kind != retrieval.StopWord {
		m.cut.cut(word)
		for trigram := m.cut.next(); trigram != nil; trigram = m.cut.next() {
			if gram, ok := x.vocabulary.grams.Find(trigram); ok && int(gram) < len(x.gramIDF) {
				m.grams = append(m.grams, gram)
			}
		}
	}
	w.grams.to = uint32(len(m.grams))
	return w
}

// stemOfWord returns the stem of a word.
func (m *memo) stemOfWord(w *memoWord) []byte { return m.stems[w.stem.from:w.stem.to] }

// gramsOfWord returns the trigrams of a word, repeated ones too.
func (m *memo) gramsOfWord(w *memoWord) []uint32 { return m.grams[w.grams.from:w.grams.to] }

// similarTo returns the terms that are spelled like the stem of a word.
func (m *memo) similarTo(w *memoWord) []similarTerm {
	if !w.spelled {
		n, r := &m.x.vocabulary, &m.x.recipe
		w.similar.from, w.spelled = uint32(len(m.similar)), true
		m.similar = n.spelling.find(m.similar, n, m.x.hasTerm, m.stemOfWord(w), r.LeastLikeness, r.MostAlike)
		w.similar.to = uint32(len(m.similar))
	}
	return m.similar[w.similar.from:w.similar.to]
}
