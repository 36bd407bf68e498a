package tokens

import "sync/atomic"

const (
	maxRemembered = 64 // bytes of the longest text that is remembered
	memoBits      = 18 // 262,144 texts are remembered at most
)

// memo remembers the tokens of short texts: a table of fixed size in which a
// new text takes the place of an old one, so that memory is bounded, at some
// 32 MB. It is safe for concurrent use without locks, because its entries never
// change. The zero memo is empty and has no table yet: one that a package variable
// had from the start would be a part of the program's file, 4 MB for both encodings.
type memo struct {
	table atomic.Pointer[slots]
}

// slots are the places of a memo, each empty or with a text.
type slots [1 << memoBits]atomic.Pointer[remembered]

// remembered is a text and its tokens.
type remembered struct {
	text   string
	tokens int
}

// find returns the tokens of a text with the given hash.
func (m *memo) find(hash uint64, text []byte) (int, bool) {
	table := m.table.Load()
	if table == nil {
		return 0, false
	}
	slot := hash >> (64 - memoBits) // the upper bits of a fingerprint are the better mixed
	if r := table[slot].Load(); r != nil && r.text == string(text) {
		return r.tokens, true
	}
	if r := table[slot^1].Load(); r != nil && r.text == string(text) {
		return r.tokens, true
	}
	return 0, false
}

// add remembers the tokens of a text in one of its two slots: the first while
// that is free, else the second.
func (m *memo) add(hash uint64, text string, tokens int) {
	table := m.table.Load()
	if table == nil {
		m.table.CompareAndSwap(nil, new(slots))
		table = m.table.Load()
	}
	r := &remembered{text, tokens}
	slot := hash >> (64 - memoBits)
	if !table[slot].CompareAndSwap(nil, r) {
		table[slot^1].Store(r)
	}
}
