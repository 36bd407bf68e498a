package fielded

import "sync"

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

// expandByMeaning expands a word that no tool has to terms that are near to it in meaning.
func (s *searcher) expandByMeaning(word, row int) {
	m := s.x.meanings
	for _, n := range m.Near(row) {
		s.addExpansion(expansion{word: uint32(word), kind: meaning, likeness: n.Weight, factor: m.Share * n.Weight}, n.Term)
	}
}
