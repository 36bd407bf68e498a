package fielded

import (
	"unicode/utf8"

	"caliper/engine/retrieval"
)

// record has the words of one tool in one block of memory, so that scoring it
// reads few cache lines: a header, the tokens of the name, the toolset and the
// description in the order of the text, the terms of all fields, each once, and the
// trigrams of the names.
//
// The header has the number of tokens up to the end of each field, then how many
// terms the tool has once, and how many it has more often. The former have the field
// in the upper bits. The numbers of the tallies of the latter follow behind all terms.
type record []uint32

const (
	onceAt  = uint32(fields) // in the header
	oftenAt = onceAt + 1
	header  = oftenAt + 1
)

// Marks of terms.
const (
	fieldAgain = 1 << 31   // of a token: the term is before in the field
	fieldShift = 29        // of a term that the tool has once: its field
	termMask   = 1<<29 - 1 // the term
)

// tokens returns the tokens of the name, the toolset and the description.
func (r record) tokens() []uint32 { return r[header:][:r[Description]] }

// once returns the terms that the tool has once, with their fields.
func (r record) once() []uint32 { return r[header+r[Description]:][:r[onceAt]] }

// often returns the terms that the tool has more than once.
func (r record) often() []uint32 { return r[header+r[Description]+r[onceAt]:][:r[oftenAt]] }

// tallies returns the number of the tally of each term that often returns.
func (r record) tallies() []uint32 {
	return r[header+r[Description]+r[onceAt]+r[oftenAt]:][:r[oftenAt]]
}

// terms returns what once returns, followed by what often returns.
func (r record) terms() []uint32 { return r[header+r[Description]:][:r[onceAt]+r[oftenAt]] }

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
func (r record) trigrams() []uint32 {
	return r[header+r[Description]+r[onceAt]+2*r[oftenAt]:]
}

// vocabulary numbers terms, trigrams and tallies. The stems of the lexicon come
// first, with the numbers that they have there.
type vocabulary struct {
	terms    retrieval.Dictionary
	grams    retrieval.Dictionary
	tallies  tallies
	spelling spelling // of the terms
}

func newVocabulary(l *retrieval.Lexicon) vocabulary {
	n := vocabulary{terms: retrieval.NewDictionary(), grams: retrieval.NewDictionary(), tallies: newTallies(), spelling: spelling{}}
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
		var room [mostLetters + 1]uint64
		if pairs, ok := letterPairs(room[:0], text); ok { // else it is not found by its spelling
			first, _ := utf8.DecodeRune(text)
			n.spelling[first] = append(n.spelling[first], spelled{signature(pairs), id, uint16(len(pairs))})
		}
	}
	return id
}

// A tally is how often a term is in each field of a tool. Tools have few different
// ones: a catalog of 100,000 tools has some hundreds. So a record has the number of
// the tally, and an index computes what depends on it once for all tools.
type tally [fields]uint32

// once reports whether a term with this tally is only once in a tool.
func (t *tally) once() bool {
	sum := uint32(0)
	for _, n := range t {
		sum += n
	}
	return sum == 1
}

// tallies numbers the tallies of the tools of a corpus. They are only added. Tally f
// belongs to a term that is once in field f and in no other.
type tallies struct {
	list    []tally
	numbers map[tally]uint32
}

func newTallies() tallies {
	t := tallies{numbers: make(map[tally]uint32)}
	for f := range fields {
		var once tally
		once[f] = 1
		t.number(once)
	}
	return t
}

// number returns the number of a tally, which it adds if it is new.
func (t *tallies) number(of tally) uint32 {
	n, ok := t.numbers[of]
	if !ok {
		n = uint32(len(t.list))
		t.list = append(t.list, of)
		t.numbers[of] = n
	}
	return n
}

// presence is the knowledge of an index about a tally.
type presence struct {
	frequency float64 // weighted by fields
	count     uint32  // without weights
	fields    fieldSet
}

// presences returns what each tally is by the weights of the fields. The weights are
// added one by one in the order of fields, so that a frequency is the same to the
// last bit as when the words are counted.
func (r *Recipe) presences(list []tally) []presence {
	all := make([]presence, len(list))
	for i, t := range list {
		p := &all[i]
		for f, n := range t {
			if n > 0 {
				p.fields |= 1 << f
			}
			p.count += n
			for range n {
				p.frequency += r.Fields[f]
			}
		}
	}
	return all
}

// fieldSet is a set of fields.
type fieldSet uint8

func (s fieldSet) has(f Field) bool { return s>>f&1 != 0 }
