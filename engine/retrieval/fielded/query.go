package fielded

import (
	"slices"

	"caliper/engine/retrieval/lexicon"
)

// What of a query is read. Longer ones are texts that somebody pasted.
const (
	maxTokens  = 4096 // words
	maxOwn     = 1024 // different ones
	maxStrange = 32   // of these, that no tool holds and that need a search
	maxTerms   = 4096 // with those that are brought
	maxPieces  = 12   // sentences
)

// query is a query as an index understands it. Its memory is used again by
// the next one.
type query struct {
	text   []byte
	words  []byte // of the tokens, one after another
	stems  []byte // of the own words, one after another
	spoken []span // the words of text, stop words too, in said; an empty one behind each sentence
	said   []byte // their letters and digits
	tokens []token
	own    []own
	terms  []term
	brings []bringing
	pairs  []pair
	pieces int // sentences that count; 0 or at least 2
	places places
	cutter cutter
	alike  []alike

	carried    []float64 // see carry
	shares     []float64 // weight times idf of the terms in one piece after another
	ownWeights []float64 // of the own words in the query, then in a piece
}

// token is a word of the query that is no stop word.
type token struct {
	from, to uint32 // in words
	own      int32  // -1: no tool holds it, and there were too many
	piece    int32  // -1: none that counts
	weight   float64
	request  bool
	uncut    bool // the run that the tokens before it are pieces of
}

// own is a distinct stem of the query.
type own struct {
	from, to uint32 // in stems
	token    uint32 // the first
	place    int32  // in terms; -1: the catalog has no number for it
	weight   float64
	generic  bool // every token of it is a generic verb
	content  bool // a token of it is none, and no request word

	restrained bool // weight is lowered, as a generic verb's
}

// term is a stem that counts: one of the query, or one that these bring.
type term struct {
	id       uint32
	own      int32   // its place in own; -1: it is brought
	df       uint32  // 0: no tool holds it
	nextPair int32   // the first pair that begins with it, or -1
	idf      float64 // 0 when no tool holds it
	weight   float64
	share    float64 // weight times idf
}

// how a word brings a term.
type how uint8

const (
	synonym how = iota
	domain
	misspelling // they are spelled alike
	compound    // the word is made of two
)

// bringing is what an own word brings to a term.
type bringing struct {
	own    uint32
	place  uint32 // of the term
	how    how
	alike  float64 // how much the two are spelled alike
	factor float64 // of the own word's weight
}

// pair is two neighbours of the query, by their places in terms.
type pair struct {
	first, second uint32
	next          int32 // the next pair that begins with first, or -1
}

// parse reads a query.
func (s *searcher) parse(text string) {
	q := &s.query
	q.text = append(q.text[:0], text...)
	q.words, q.stems, q.tokens, q.own = q.words[:0], q.stems[:0], q.tokens[:0], q.own[:0]
	q.spoken, q.said = q.spoken[:0], q.said[:0]
	q.terms, q.brings, q.pairs, q.pieces = q.terms[:0], q.brings[:0], q.pairs[:0], 0
	q.places.clear()
	for rest := q.text; len(rest) > 0; {
		n := sentence(rest)
		s.readPiece(rest[:n])
		rest = rest[n:]
	}
	if q.pieces < 2 {
		q.pieces = 0
	}
	s.expand()
	s.pair()
	s.weigh()
}

// sentence returns where the first sentence of a text ends: behind one of .?!;
// that a space follows, or behind the end of a line.
func sentence(text []byte) int {
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

// readPiece reads one sentence. It counts as a piece when it has two tokens.
func (s *searcher) readPiece(text []byte) {
	before, words, pieces := len(s.tokens), 0, false
	s.cutter.cut(text)
	weight := 1.0
	for word := s.cutter.word(); word != nil && len(s.tokens) < maxTokens; word = s.cutter.word() {
		run := s.cutter.run
		from := uint32(len(s.query.said))
		s.query.said = appendLetters(s.query.said, word)
		s.spoken = append(s.spoken, span{from, uint32(len(s.query.said))})
		if !pieces && len(run) > 0 && s.holdsUncut(run) {
			weight = 1 - s.x.recipe.Uncut
		}
		pieces = len(run) > 0
		if kind := s.x.lexicon.Kind(word); kind != lexicon.Stop {
			words++
			s.readWord(word, token{weight: weight, request: kind == lexicon.Request})
		}
		if pieces && s.cutter.last() {
			if weight < 1 && len(s.tokens) < maxTokens {
				s.readWord(run, token{weight: s.x.recipe.Uncut, uncut: true})
			}
			weight, pieces = 1, false
		}
	}
	s.spoken = append(s.spoken, span{})
	if words >= 2 && s.pieces < maxPieces {
		for i := range s.tokens[before:] {
			s.tokens[before+i].piece = int32(s.pieces)
		}
		s.pieces++
	}
}

// holdsUncut tells whether a tool holds a word that is cut also as one.
func (s *searcher) holdsUncut(run []byte) bool {
	if s.x.recipe.Uncut == 0 || s.x.lexicon.Kind(run) == lexicon.Stop {
		return false
	}
	_, held := s.x.heldStem(run)
	return held
}

// readWord adds a token.
func (s *searcher) readWord(word []byte, t token) {
	if t.request {
		t.weight *= s.x.recipe.RequestWord
	}
	t.from, t.own, t.piece = uint32(len(s.words)), -1, -1
	s.words = append(s.words, word...)
	t.to = uint32(len(s.words))
	from := len(s.stems)
	s.stems = s.x.appendStem(s.stems, word)
	if n := singular(word); n > 0 && s.x.holdsOnly(word[:n], s.stems[from:]) {
		s.stems = append(s.stems[:from], word[:n]...)
	}
	t.own = s.ownWord(from)
	if t.own < 0 || int(s.own[t.own].from) != from {
		s.stems = s.stems[:from] // known before, or left out
	}
	if t.own >= 0 {
		o := &s.own[t.own]
		o.weight = max(o.weight, t.weight)
		generic := s.x.lexicon.Generic(word)
		o.generic = o.generic && generic
		o.content = o.content || !generic && !t.request
	}
	s.tokens = append(s.tokens, t)
}

// holdsOnly tells whether a tool holds a term, and none another.
func (x *Index) holdsOnly(term, other []byte) bool {
	id, known := x.numbers.terms.Find(other)
	if known && x.held(id) {
		return false
	}
	id, known = x.numbers.terms.Find(term)
	return known && x.held(id)
}

// appendStem appends the stem of a word.
func (x *Index) appendStem(dst, word []byte) []byte {
	if stemmable(word) {
		return append(dst, x.stems.English(word)...)
	}
	return append(dst, word...)
}

// ownWord returns the own word whose stem stands last in stems, from there on;
// or -1 when it is new and there is no room for it.
func (s *searcher) ownWord(from int) int32 {
	stem := s.stems[from:]
	id, known := s.x.numbers.terms.Find(stem)
	place := -1
	if known {
		if place = s.places.find(id); place >= 0 {
			return s.terms[place].own
		}
	} else {
		strange := 0
		for i := range s.own {
			if o := &s.own[i]; o.place < 0 {
				if strange++; string(s.stems[o.from:o.to]) == string(stem) {
					return int32(i)
				}
			}
		}
		if strange == maxStrange {
			return -1
		}
	}
	if len(s.own) == maxOwn {
		return -1
	}
	o := own{from: uint32(from), to: uint32(len(s.stems)), token: uint32(len(s.tokens)), place: -1, generic: true}
	if known {
		o.place = int32(s.enter(id, int32(len(s.own))))
	}
	s.own = append(s.own, o)
	return int32(len(s.own) - 1)
}

// enter adds a term and returns its place.
func (s *searcher) enter(id uint32, own int32) int {
	place := len(s.terms)
	s.terms = append(s.terms, term{id: id, own: own, df: s.x.lists.Term(id).DF, nextPair: -1, idf: s.x.idf[id]})
	s.places.enter(id, place)
	return place
}

// heldPlace returns the place of an own word in terms, or -1 when no tool holds
// it.
func (s *searcher) heldPlace(own int32) int32 {
	if own < 0 {
		return -1
	}
	if place := s.own[own].place; place >= 0 && s.terms[place].df > 0 {
		return place
	}
	return -1
}

// pair finds the neighbours of the query, each two once.
func (s *searcher) pair() {
	first, second := int32(-1), int32(-1)
	for i := range s.tokens {
		if s.tokens[i].uncut {
			continue
		}
		first, second = second, s.heldPlace(s.tokens[i].own)
		if first < 0 || second < 0 || s.pairOf(first, uint32(second)) >= 0 {
			continue
		}
		t := &s.terms[first]
		s.pairs = append(s.pairs, pair{uint32(first), uint32(second), t.nextPair})
		t.nextPair = int32(len(s.pairs) - 1)
	}
}

// pairOf returns the pair of two terms, or -1.
func (q *query) pairOf(first int32, second uint32) int32 {
	for i := q.terms[first].nextPair; i >= 0; i = q.pairs[i].next {
		if q.pairs[i].second == second {
			return i
		}
	}
	return -1
}

// weigh sets the weights of the terms, in the query and in each piece.
func (s *searcher) weigh() {
	n := len(s.terms)
	s.ownWeights = slices.Grow(s.ownWeights[:0], len(s.own))[:len(s.own)]
	for i := range s.own {
		s.ownWeights[i] = s.own[i].weight
	}
	s.carry()
	s.restrain()
	for i := range s.own {
		o := &s.own[i]
		o.restrained = s.ownWeights[i] < o.weight
		o.weight = s.ownWeights[i]
	}
	s.shares = slices.Grow(s.shares[:0], n*max(1, s.pieces))[:n*max(1, s.pieces)]
	s.weighTerms(s.shares[:n])
	for i := range s.terms {
		t := &s.terms[i]
		t.weight = s.shares[i]
		t.share = t.weight * t.idf
	}
	for piece := range s.pieces {
		clear(s.ownWeights)
		for i := range s.tokens {
			if t := &s.tokens[i]; t.piece == int32(piece) && t.own >= 0 {
				s.ownWeights[t.own] = max(s.ownWeights[t.own], t.weight)
			}
		}
		s.restrain()
		shares := s.pieceShares(piece)
		s.weighTerms(shares)
		for i := range shares {
			shares[i] *= s.terms[i].idf
		}
	}
}

// pieceShares returns weight times idf of the terms in a piece.
func (q *query) pieceShares(piece int) []float64 {
	n := len(q.terms)
	return q.shares[n*piece:][:n]
}

// weighTerms sets the weights of the terms by ownWeights: those of words that
// stand there, and for others what these bring.
func (s *searcher) weighTerms(weights []float64) {
	clear(weights)
	for i := range s.brings {
		b := &s.brings[i]
		weights[b.place] += float64(b.factor * s.ownWeights[b.own])
	}
	for i := range s.terms {
		if own := s.terms[i].own; own >= 0 && s.ownWeights[own] > 0 {
			weights[i] = s.ownWeights[own]
		} else {
			weights[i] = min(weights[i], s.x.recipe.MostBrought)
		}
	}
}
