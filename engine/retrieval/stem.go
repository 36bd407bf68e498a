package retrieval

import (
	"sync"

	"github.com/kljensen/snowball/english"
)

const (
	maxStems    = 1 << 14 // remembered
	longestStem = 64      // of a word that is remembered
)

// Stem returns the stem of a word of lower-case ASCII letters and digits.
// Other words are allowed and stemmed as the algorithm does. It allocates some
// hundred bytes; see Memory.
func Stem(word string) string { return english.Stem(word, true) }

// StemMemory remembers stems. It is safe for concurrent use; the zero value is
// empty.
type StemMemory struct {
	mu    sync.RWMutex
	stems map[string]string
}

// English returns the stem of a word, as the function Stem does, without an
// allocation when the word is remembered. Too many words make it forget all.
func (m *StemMemory) English(word []byte) string {
	m.mu.RLock()
	stem, ok := m.stems[string(word)]
	m.mu.RUnlock()
	if ok {
		return stem
	}
	text := string(word)
	stem = Stem(text)
	if len(text) > longestStem {
		return stem
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stems == nil || len(m.stems) >= maxStems {
		m.stems = make(map[string]string)
	}
	m.stems[text] = stem
	return stem
}
