package tokens

import "unicode/utf8"

// encoding counts with one vocabulary. The vocabulary is loaded on first use,
// which takes some 10 ms and 4 MB. A text is split into pieces, by a quick
// splitter where it is plain ASCII, and what a piece costs is remembered, because
// schemas repeat their pieces. An encoding is safe for concurrent use.
type encoding struct {
	next  func(text []byte, at int) int // see pieces.go
	split func(text []byte, at int) int // see split.go
	load  func() *vocabulary
	memo  memo
}

// The encodings. They hold no state that a caller can see.
var (
	o200k  = &encoding{next: nextO200k, split: splitO200k, load: loader(o200kPairs, 199_998)}
	cl100k = &encoding{next: nextCl100k, split: splitCl100k, load: loader(cl100kPairs, 100_256)}
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
		end := e.end(text, at)
		total += e.piece(text[at:end])
		at = end
	}
	return total
}

// end returns the end of the piece at an offset of a text.
func (e *encoding) end(text []byte, at int) int {
	if end := e.next(text, at); end >= 0 {
		return end
	}
	return e.split(text, at)
}

// piece returns the tokens of a piece, remembering short ones.
func (e *encoding) piece(text []byte) int {
	if len(text) > maxRemembered {
		return e.encode(text)
	}
	hash := fingerprint(text, 0, len(text))
	if n, ok := e.memo.find(hash, text); ok {
		return n
	}
	n := e.encode(text)
	e.memo.add(hash, string(text), n)
	return n
}

// encode returns the tokens of a piece. A byte that is no UTF-8 counts as U+FFFD.
func (e *encoding) encode(piece []byte) int {
	if !utf8.Valid(piece) {
		piece = []byte(string([]rune(string(piece))))
	}
	return e.load().count(piece)
}
