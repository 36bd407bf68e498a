package fielded

import (
	"caliper/engine/retrieval/lexicon"
	"caliper/engine/retrieval/postings"
)

// numbers numbers terms and trigrams. The stems of the lexicon come first, with
// the numbers that they have there.
type numbers struct {
	terms    postings.Dictionary
	grams    postings.Dictionary
	spelling spelling // of the terms
}

func newNumbers(l *lexicon.Lexicon) numbers {
	n := numbers{terms: postings.NewDictionary(), grams: postings.NewDictionary(), spelling: newSpelling()}
	for _, stem := range l.Stems {
		n.term([]byte(stem))
	}
	return n
}

// term returns the number of a term, which it adds if it is new.
func (n *numbers) term(text []byte) uint32 {
	before := n.terms.Len()
	id := n.terms.Intern(text)
	if int(id) == before {
		n.spelling.add(id, text)
	}
	return id
}

// freeze returns a copy that never changes.
func (n *numbers) freeze() numbers {
	return numbers{n.terms.Freeze(), n.grams.Freeze(), n.spelling.freeze()}
}

// noGram is the number of a trigram that is left out.
const noGram = ^uint32(0)

// adopt adds the terms and trigrams of an analyser and returns, for each of
// its numbers, the one here.
func (n *numbers) adopt(a *analyser) (terms, grams []uint32) {
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
			token = token&^unmarked | terms[token&unmarked]
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
