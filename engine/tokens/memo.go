package tokens

import "sync/atomic"

const (
	maxRemembered = 64 // bytes of the longest text that is remembered
	memoBits      = 18 // 262,144 texts are remembered at most
)

// memo remembers the tokens of short texts: a table of fixed size in which a
// new text takes the place of an old one, so that memory is bounded, at some
// 32 MB. It is safe for concurrent use without locks, because its entries never
// change.
type memo struct {
	slots [1 << memoBits]atomic.Pointer[remembered]
}

// remembered is a text and its tokens.
type remembered struct {
	text   string
	tokens int
}

// find returns the tokens of a text with the given hash.
func (m *memo) find(hash uint64, text []byte) (int, bool) {
	slot := hash >> (64 - memoBits) // the upper bits of a fingerprint are the better mixed
	if r := m.slots[slot].Load(); r != nil && r.text == string(text) {
		return r.tokens, true
	}
	if r := m.slots[slot^1].Load(); r != nil && r.text == string(text) {
		return r.tokens, true
	}
	return 0, false
}

// add remembers the tokens of a text in one of its two slots: the first while
// that is free, else the second.
func (m *memo) add(hash uint64, text string, tokens int) {
	r := &remembered{text, tokens}
	slot := hash >> (64 - memoBits)
	if !m.slots[slot].CompareAndSwap(nil, r) {
		m.slots[slot^1].Store(r)
	}
}
