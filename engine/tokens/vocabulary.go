package tokens

import (
	_ "embed"
	"math/bits"
	"sync"
)

// The vocabularies, as OpenAI publishes them in o200k_base.tiktoken and
// cl100k_base.tiktoken, packed by pack_test.go: `go test -run Packed -update`.
// Every token but the single bytes is made of two that come before it, so that
// two ranks stand for its bytes. A quarter of the published size, this needs no
// unpacking but the joining of tokens.
//
// A packed vocabulary begins with the tokens that are one byte, which have the
// lowest ranks. A string of bits follows, of each byte the lowest first. It has two
// numbers for each further token, in order of its rank: the rank of the token it
// begins with and the rank of the rest. A number is a bit, and behind a 1 shortBits
// bits, behind a 0 as many as the highest rank before the token needs.
var (
	//go:embed o200k_base.pairs
	o200kPairs string
	//go:embed cl100k_base.pairs
	cl100kPairs string
)

const (
	singleBytes = 256 // tokens that are one byte
	shortBits   = 10  // of a low rank
)

// vocabulary finds the rank of a token by its bytes. It does not change once
// loaded.
type vocabulary struct {
	bytes []byte   // of every token, in order of rank
	ends  []uint32 // where the bytes of a token end in bytes; they begin where the rank before ends
	shift int      // of a fingerprint, to the slot at which the search for a token begins
	slots []uint32 // a hash table of ranks with linear probing; 0 is a free slot, else the rank + 1
}

// loader returns a function that loads a packed vocabulary when it is called
// first. It has that many tokens.
func loader(packed string, tokens int) func() *vocabulary {
	return sync.OnceValue(func() *vocabulary { return unpack(packed, tokens) })
}

// unpack returns the vocabulary of a packed one.
func unpack(packed string, tokens int) *vocabulary {
	size := 2 << bits.Len(uint(tokens-1)) // at most half full
	v := &vocabulary{bytes: make([]byte, 0, 8*tokens), ends: make([]uint32, 0, tokens), slots: make([]uint32, size), shift: 64 - bits.Len(uint(size-1))}
	for rank := range uint32(singleBytes) {
		v.bytes = append(v.bytes, packed[rank])
		v.add(rank)
	}
	packed = packed[singleBytes:]
	waiting, count := uint64(0), 0 // bits that are read and not used, and their number
	read := func(width int) uint32 {
		for ; count < width; count += 8 {
			waiting |= uint64(packed[0]) << count
			packed = packed[1:]
		}
		n := uint32(waiting) & (1<<width - 1)
		waiting >>= width
		count -= width
		return n
	}
	number := func(width int) uint32 {
		if read(1) == 1 {
			width = shortBits
		}
		return read(width)
	}
	for rank := uint32(singleBytes); rank < uint32(tokens); rank++ {
		width := bits.Len32(rank - 1)
		first, second := number(width), number(width)
		v.bytes = append(append(v.bytes, v.token(first)...), v.token(second)...)
		v.add(rank)
	}
	return v
}

// add makes the bytes behind the last token's the token of the next rank.
func (v *vocabulary) add(rank uint32) {
	v.ends = append(v.ends, uint32(len(v.bytes)))
	slot := v.slotOf(v.token(rank))
	for v.slots[slot] != 0 {
		slot = (slot + 1) & (len(v.slots) - 1)
	}
	v.slots[slot] = rank + 1
}

// token returns the bytes of the token of a rank.
func (v *vocabulary) token(rank uint32) []byte {
	begin := uint32(0)
	if rank > 0 {
		begin = v.ends[rank-1]
	}
	return v.bytes[begin:v.ends[rank]]
}

// slotOf returns the slot at which the search for a token begins.
func (v *vocabulary) slotOf(token []byte) int {
	return int(fingerprint(token, 0, len(token)) >> v.shift) // the upper bits are the better mixed
}

// rank returns the rank of the token with those bytes; ok is false when there is
// none.
func (v *vocabulary) rank(token []byte) (rank uint32, ok bool) {
	for slot := v.slotOf(token); v.slots[slot] != 0; slot = (slot + 1) & (len(v.slots) - 1) {
		if rank = v.slots[slot] - 1; string(v.token(rank)) == string(token) {
			return rank, true
		}
	}
	return 0, false
}
