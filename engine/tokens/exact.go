package tokens

import (
	"strings"
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"
)

// encoding counts with one vocabulary. The vocabulary is loaded on first use,
// which takes some 20 ms and 30 MB; text is split by our own code where it is
// plain ASCII, and what its pieces cost is remembered, because schemas repeat
// their pieces. An encoding is safe for concurrent use.
type encoding struct {
	next func(text []byte, at int) int // see pieces.go
	load func() *codec.Codec
	memo memo
}

// The encodings. They hold no state that a caller can see.
var (
	o200k  = &encoding{next: nextO200k, load: sync.OnceValue(codec.NewO200kBase)}
	cl100k = &encoding{next: nextCl100k, load: sync.OnceValue(codec.NewCl100kBase)}
)

// encoding returns the vocabulary of an exact method, nil for Chars4.
func (m Method) encoding() *encoding {
	switch m {
	case O200k:
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

// count returns the tokens of a text.
//
// The library cuts a text into pieces by a regular expression without
// look-behind, and encodes each piece by itself. So a text may be cut at any
// place where a piece must end, and the parts counted apart: as pieces where
// our own splitter can tell them, else by the library up to the next place
// where a piece must end.
func (e *encoding) count(text []byte) int {
	total := 0
	for at := 0; at < len(text); {
		end := e.next(text, at)
		if end < 0 {
			end = certainEnd(text, at)
		}
		total += e.piece(text[at:end])
		at = end
	}
	return total
}

// piece returns the tokens of a part of a text, remembering short ones.
func (e *encoding) piece(text []byte) int {
	if len(text) > maxRemembered {
		return e.ask(string(text))
	}
	hash := fingerprint(text, 0, len(text))
	if n, ok := e.memo.find(hash, text); ok {
		return n
	}
	s := string(text)
	n := e.ask(s)
	e.memo.add(hash, s, n)
	return n
}

// ask has the library count a text. The expressions of the library's version
// 0.10.0 do not match DEL and leave it out, so it gets U+0002 instead: to the
// published expressions the two are alike, and both vocabularies hold each of
// them only as a token of its own.
func (e *encoding) ask(text string) int {
	text = strings.ReplaceAll(text, "\x7f", "\x02")
	// The expression has no time limit and the error mode lets any bytes
	// pass, the only two sources of an error.
	n, _ := e.load().Count(text)
	return n
}
