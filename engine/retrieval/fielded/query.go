package fielded

import (
	"unicode/utf8"

	"caliper/engine/retrieval"
	"caliper/model/words"
)

// How much of a query is read. A longer query is a text that somebody pasted.
const (
	maxTokens     = 4096 // words
	maxQueryWords = 1024 // different words
	maxUnknown    = 32   // different words that no tool has, for which similar terms are searched
	maxTerms      = 4096 // terms, with expansions
	maxSentences  = 12
)

// query is a query as an index reads it. The memory is used again by the next
// query.
type query struct {
	text       []byte
	words      []byte // of the tokens, one after another
	stems      []byte // of the query words, one after another
	wordSpans  []span // of all words of text, stop words too, in letters; an empty one behind each sentence
	letters    []byte // the letters and digits of all words
	tokens     []token
	queryWords []queryWord
	terms      []term
	expansions []expansion
	glossed    []glossed
	han        han
	pairs      []pair
	sentences  int      // that are scored; 0 or at least 2
	values     []value  // in text
	given      kindSet  // their kinds, and the kinds of words that are values
	anyContent bool     // a query word is a content word
	indexes    []uint32 // by term: its index in terms + 1; 0 where the query has it not
	cutter     words.Cutter

	unitMass    []float64 // see measureWords
	idfWeights  []float64 // weight times idf of the terms, of one sentence after another
	wordWeights []float64 // of the query words in the query, then in a sentence
}

// token is one occurrence of a word in the query. Stop words have none.
type token struct {
	from, to uint32 // in words
	known    *knownQueryWord
	word     int32 // its index in queryWords; -1: no tool has it, and there were too many
	sentence int32 // -1: none that is scored
	weight   float64
	request  bool
	uncut    bool // it is the whole run that the tokens before it are pieces of
}

// queryWord is a distinct stem of the query.
type queryWord struct {
	from, to uint32 // in stems
	token    uint32 // the first token
	term     int32  // its index in terms; -1: no catalog has it
	weight   float64
	generic  bool // every token of it is a generic verb
	content  bool // a token of it is no generic verb and no request word
	limited  bool // the weight is lowered, because it is a generic verb
}

// term is a term that tools are scored by: a query word's, or one
// that words of the query are expanded to.
type term struct {
	term      uint32
	word      int32   // its index in queryWords; -1: it is an expansion
	df        int     // 0: no tool has it
	nextPair  int32   // the first pair that begins with it, or -1
	idf       float64 // 0 when no tool has it
	weight    float64
	idfWeight float64 // weight times idf
	ownWeight float64 // the same of a word of the query, 0 of an expansion
	content   bool    // it is a content word's, or one is expanded to it
}

// expansionKind is how a word is expanded to a term.
type expansionKind uint8

const (
	synonym expansionKind = iota
	domain
	misspelling // they are spelled alike
	translation // it is an English word for a Chinese term
	compound    // the word is made of two
	meaning     // they are near in meaning
)

// String returns the kind as it is shown to people.
func (h expansionKind) String() string {
	return [...]string{"synonym", "domain", "spelling", "translation", "part", "meaning"}[h]
}

// expansion is a term that a word of the query is expanded to.
type expansion struct {
	word     uint32 // the index in queryWords
	term     uint32 // the index in terms
	kind     expansionKind
	likeness float64 // of the spelling of the two, or of their meaning
	factor   float64 // of the weight of the word
}

// pair is two terms that are neighbours in the query, by their indexes in terms.
type pair struct {
	first, second uint32
	next          int32 // the next pair that begins with first, or -1
}

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
		w.grams = make([]uint32, 0, len(word))
		for trigram := s.cut.next(); trigram != nil; trigram = s.cut.next() {
			if gram, ok := x.vocabulary.grams.Find(trigram); ok && int(gram) < len(x.gramIDF) {
				w.grams = append(w.grams, gram)
			}
		}
	}
	s.known[string(word)] = w
	return w
}

// parse reads a query.
func (s *searcher) parse(text string) {
	q := &s.query
	if s.known == nil {
		s.known = map[string]*knownQueryWord{}
	} else if len(s.known) > mostKnown {
		clear(s.known)
	}
	q.text = append(q.text[:0], text...)
	q.words, q.stems, q.tokens, q.queryWords = q.words[:0], q.stems[:0], q.tokens[:0], q.queryWords[:0]
	q.wordSpans, q.letters = q.wordSpans[:0], q.letters[:0]
	if q.indexes == nil {
		q.indexes = make([]uint32, s.x.vocabulary.terms.Len())
	}
	for i := range q.terms {
		q.indexes[q.terms[i].term] = 0
	}
	q.terms, q.expansions, q.pairs, q.sentences = q.terms[:0], q.expansions[:0], q.pairs[:0], 0
	q.glossed = q.glossed[:0]
	q.values, q.given = appendValues(q.values[:0], q.text), 0
	for _, v := range q.values {
		q.given |= 1 << v.kind
	}
	for rest := q.text; len(rest) > 0; {
		n := sentenceEnd(rest)
		s.readSentence(rest[:n])
		rest = rest[n:]
	}
	if q.sentences < 2 {
		q.sentences = 0
	}
	s.expand()
	s.pair()
	s.weigh()
}

// sentenceEnd returns where the first sentence of a text ends: behind one of .?!;
// before a space, or behind the end of a line.
func sentenceEnd(text []byte) int {
	for i, b := range text {
		switch b {
		case '\n', '\r':
			return i + 1
		case '.', '?', '!', ';':
			if i+1 < len(text) && text[i+1] == ' ' {
				return i + 1
			}
		}
	}
	return len(text)
}

// readSentence reads one sentence. It is scored by itself when it has two words.
func (s *searcher) readSentence(text []byte) {
	before, count, inRun := len(s.tokens), 0, false
	s.cutter.Cut(text)
	weight := 1.0
	for word := s.cutter.Next(); word != nil && len(s.tokens) < maxTokens; word = s.cutter.Next() {
		run := s.cutter.Run()
		from := uint32(len(s.query.letters))
		s.query.letters = words.AppendLetters(s.query.letters, word)
		s.wordSpans = append(s.wordSpans, span{from, uint32(len(s.query.letters))})
		if !inRun && len(run) > 0 && s.x.recipe.Uncut > 0 && s.x.lexicon.Kind(run) != retrieval.StopWord {
			if _, held := s.x.findStem(run); held {
				weight = 1 - s.x.recipe.Uncut
			}
		}
		inRun = len(run) > 0
		known := s.learn(word)
		s.given |= known.gives
		if known.kind != retrieval.StopWord {
			count++
			s.readWord(word, token{known: known, weight: weight, request: known.kind == retrieval.RequestWord})
			if word[0] >= utf8.RuneSelf && spaceless(word) {
				s.addHan(word, s.tokens[len(s.tokens)-1].word, s.cutter.Last())
			}
		}
		if inRun && s.cutter.Last() {
			if weight < 1 && len(s.tokens) < maxTokens {
				s.readWord(run, token{known: s.learn(run), weight: s.x.recipe.Uncut, uncut: true})
			}
			weight, inRun = 1, false
		}
	}
	s.wordSpans = append(s.wordSpans, span{})
	if count >= 2 && s.sentences < maxSentences {
		for i := range s.tokens[before:] {
			s.tokens[before+i].sentence = int32(s.sentences)
		}
		s.sentences++
	}
}

// readWord adds a token.
func (s *searcher) readWord(word []byte, t token) {
	if t.request {
		t.weight *= s.x.recipe.RequestWord
	}
	t.from, t.word, t.sentence = uint32(len(s.query.words)), -1, -1
	s.query.words = append(s.query.words, word...)
	t.to = uint32(len(s.query.words))
	from, w := len(s.query.stems), t.known
	s.query.stems = append(s.query.stems, w.stem...)
	t.word = s.queryWordOf(from, w)
	if t.word < 0 || int(s.queryWords[t.word].from) != from {
		s.query.stems = s.query.stems[:from] // known before, or left out
	}
	if t.word >= 0 {
		o := &s.queryWords[t.word]
		o.weight = max(o.weight, t.weight)
		o.generic = o.generic && w.generic
		o.content = o.content || !w.generic && !t.request
	}
	s.tokens = append(s.tokens, t)
}

// appendStem appends the stem of a word.
func (x *Index) appendStem(dst, word []byte) []byte {
	if stemmable(word) {
		return append(dst, x.stems.English(word)...)
	}
	return append(dst, word...)
}

// queryWordOf returns the index of the query word whose stem is stems[from:], or -1
// when it is new and there are too many.
func (s *searcher) queryWordOf(from int, w *knownQueryWord) int32 {
	stem, id, known := s.query.stems[from:], w.term, w.known
	if known {
		if at := s.indexes[id]; at > 0 {
			return s.terms[at-1].word
		}
	} else {
		unknown := 0
		for i := range s.queryWords {
			if o := &s.queryWords[i]; o.term < 0 {
				if unknown++; string(s.query.stems[o.from:o.to]) == string(stem) {
					return int32(i)
				}
			}
		}
		if unknown == maxUnknown {
			return -1
		}
	}
	if len(s.queryWords) == maxQueryWords {
		return -1
	}
	o := queryWord{from: uint32(from), to: uint32(len(s.query.stems)), token: uint32(len(s.tokens)), term: -1, generic: true}
	if known {
		o.term = int32(s.addTerm(id, int32(len(s.queryWords))))
	}
	s.queryWords = append(s.queryWords, o)
	return int32(len(s.queryWords) - 1)
}

// addTerm adds a term and returns its index.
func (s *searcher) addTerm(id uint32, word int32) int {
	at := len(s.terms)
	s.terms = append(s.terms, term{term: id, word: word, df: s.x.postings.DF(id), nextPair: -1, idf: s.x.idf[id]})
	s.indexes[id] = uint32(at + 1)
	return at
}

// catalogTerm returns the index in terms of a query word, or -1 when no tool has
// it.
func (s *searcher) catalogTerm(word int32) int32 {
	if word < 0 {
		return -1
	}
	if at := s.queryWords[word].term; at >= 0 && s.terms[at].df > 0 {
		return at
	}
	return -1
}

// pair finds the neighbours in the query, each two once.
func (s *searcher) pair() {
	first, second := int32(-1), int32(-1)
	for i := range s.tokens {
		if s.tokens[i].uncut {
			continue
		}
		first, second = second, s.catalogTerm(s.tokens[i].word)
		if first < 0 || second < 0 {
			continue
		}
		t := &s.terms[first]
		at := t.nextPair
		for at >= 0 && s.pairs[at].second != uint32(second) {
			at = s.pairs[at].next
		}
		if at >= 0 {
			continue
		}
		s.pairs = append(s.pairs, pair{uint32(first), uint32(second), t.nextPair})
		t.nextPair = int32(len(s.pairs) - 1)
	}
}
