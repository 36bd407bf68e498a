package tokens

import (
	"sync"
	"unicode/utf8"
)

// encoding counts with one vocabulary. The vocabulary is loaded on first use. What a short piece
// costs is remembered, because schemas repeat their pieces. An encoding is safe for concurrent use.
type encoding struct {
	split func(text []byte, at int) int // see split.go
	load  func() *vocabulary

	mu    sync.RWMutex
	known map[string]int // the tokens of short pieces
}

const (
	maxRemembered = 64      // bytes of the longest piece that is remembered
	mostPieces    = 1 << 18 // that are remembered
)

// The encodings. They hold no state that a caller can see.
var (
	o200k  = &encoding{split: splitO200k, load: loader(o200kPairs, 199_998)}
	cl100k = &encoding{split: splitCl100k, load: loader(cl100kPairs, 100_256)}
)

// encoding returns the vocabulary that a method counts by, nil for one that estimates.
func (m Method) encoding() *encoding {
	switch m {
	case O200k, RenderedOpenAI:
		return o200k
	case Cl100k:
		return cl100k
	}
	return nil
}

// countCompact returns the tokens of Compact(def) between a prefix and a
// suffix.
func (e *encoding) countCompact(prefix string, def []byte, suffix string) int {
	buf := compactBuffers.Get().(*[]byte)
	text := append((*buf)[:0], prefix...)
	text = Compact(text, def)
	text = append(text, suffix...)
	n := e.count(text)
	*buf = text
	compactBuffers.Put(buf)
	return n
}

// count returns the tokens of a text: the sum over its pieces.
func (e *encoding) count(text []byte) int {
	total := 0
	for at := 0; at < len(text); {
		end := e.split(text, at)
		total += e.piece(text[at:end])
		at = end
	}
	return total
}

// piece returns the tokens of a piece, remembering short ones.
func (e *encoding) piece(text []byte) int {
	e.mu.RLock()
	n, ok := e.known[string(text)]
	e.mu.RUnlock()
	if ok {
		return n
	}
	whole := text
	if !utf8.Valid(text) { // a byte that is no UTF-8 counts as U+FFFD
		whole = []byte(string([]rune(string(text))))
	}
	if n = e.load().count(whole); len(text) > maxRemembered {
		return n
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.known == nil || len(e.known) == mostPieces {
		e.known = map[string]int{}
	}
	e.known[string(text)] = n
	return n
}
