package fielded

import (
	"caliper/engine/retrieval/lexicon"
	"caliper/engine/retrieval/postings"
)

// record has the words of one tool in one block of memory, so that scoring it
// reads few cache lines: a header, the tokens of one field after another in the
// order of the text, and the trigrams of the names.
//
// The header has the end of the tokens of each field, counted from the first
// token. A token is the number of its term, or, when the tool has the term before,
// the index of the first token of the term with the mark again.
type record []uint32

const header = uint32(fields)

// Marks of a token.
const (
	again      = 1 << 31 // the term is before in the tool, at the index in the other bits
	repeated   = 1 << 30 // the term is again later in the tool
	fieldAgain = 1 << 29 // the term is before in the field
	termMask   = 1<<29 - 1
)

// tokens returns the tokens of all fields.
func (r record) tokens() []uint32 { return r[header:][:r[fields-1]] }

// span returns the indexes of the first token of a field and of that behind its
// last.
func (r record) span(f Field) (from, to uint32) {
	if f > 0 {
		from = r[f-1]
	}
	return from, r[f]
}

// length returns the weighted number of tokens, without other forms.
func (r record) length(weights *[fields]float64) float64 {
	sum := 0.0
	for f := range OtherForms {
		from, to := r.span(f)
		sum += weights[f] * float64(to-from)
	}
	return sum
}

// A trigram of the names is its number, how often the name has it, and how
// often the toolset's name has it, at most 15 times each.
const (
	countBits    = 4
	countMask    = 1<<countBits - 1
	gramShift    = 2 * countBits
	maxTrigrams  = 1 << (32 - gramShift) // numbers; trigrams that come later are left out
	gramCounts   = 1<<gramShift - 1      // the two counts
	nameCount    = 1 << countBits        // what one in the name adds
	toolsetCount = 1                     // what one in the toolset's name adds
)

// trigrams returns the trigrams of the names, each once.
func (r record) trigrams() []uint32 { return r[header+r[fields-1]:] }

// vocabulary numbers terms and trigrams. The stems of the lexicon come first, with
// the numbers that they have there.
type vocabulary struct {
	terms    postings.Dictionary
	grams    postings.Dictionary
	spelling spelling // of the terms
}

func newVocabulary(l *lexicon.Lexicon) vocabulary {
	n := vocabulary{terms: postings.NewDictionary(), grams: postings.NewDictionary(), spelling: newSpelling()}
	for _, stem := range l.Stems {
		n.term([]byte(stem))
	}
	return n
}

// term returns the number of a term, which it adds if it is new.
func (n *vocabulary) term(text []byte) uint32 {
	before := n.terms.Len()
	id := n.terms.Intern(text)
	if int(id) == before {
		n.spelling.add(id, text)
	}
	return id
}

// freeze returns a copy that never changes.
func (n *vocabulary) freeze() vocabulary {
	return vocabulary{n.terms.Freeze(), n.grams.Freeze(), n.spelling.freeze()}
}

// noGram is the number of a trigram that is left out.
const noGram = ^uint32(0)

// merge adds the terms and trigrams of an analyser and returns the number here
// for each number there.
func (n *vocabulary) merge(a *analyser) (terms, grams []uint32) {
	terms, grams = make([]uint32, a.terms.Len()), make([]uint32, a.grams.Len())
	for id := range terms {
		terms[id] = n.term(a.terms.Term(uint32(id)))
	}
	for id := range grams {
		if grams[id] = n.grams.Intern(a.grams.Term(uint32(id))); grams[id] >= maxTrigrams {
			grams[id] = noGram
		}
	}
	return terms, grams
}

// renumbered appends a record to dst with other numbers.
func renumbered(dst []uint32, r record, terms, grams []uint32) []uint32 {
	dst = append(dst, r[:header]...)
	for _, token := range r.tokens() {
		if token&again == 0 {
			token = token&^termMask | terms[token&termMask]
		}
		dst = append(dst, token)
	}
	for _, g := range r.trigrams() {
		if gram := grams[g>>gramShift]; gram != noGram {
			dst = append(dst, gram<<gramShift|g&gramCounts)
		}
	}
	return dst
}
