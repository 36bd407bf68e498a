package tokens

import (
	_ "embed"
	"sync"
)

// The vocabularies, as OpenAI publishes them in o200k_base.tiktoken and
// cl100k_base.tiktoken, packed by pack_test.go: `go test -run Packed -update`.
// Every token but the single bytes is made of two that come before it, so that
// two ranks stand for its bytes. A third of the published size, this needs no
// unpacking but the joining of tokens.
//
// For each token, in order of its rank, 5 bytes, least first: the rank of the
// token it begins with in the lower 20 bits, the rank of the rest in the upper
// 20. A single byte has singleByte in the lower bits and itself in the upper.
var (
	//go:embed o200k_base.pairs
	o200kPairs string
	//go:embed cl100k_base.pairs
	cl100kPairs string
)

const (
	pairSize   = 5
	rankBits   = 20
	singleByte = 1<<rankBits - 1
)

// vocabulary finds the rank of a token by its bytes. It does not change once
// loaded.
type vocabulary struct {
	bytes []byte   // of every token, in order of rank
	ends  []uint32 // where the bytes of a token end in bytes; they begin where those of the rank before end
	slots []uint32 // a hash table of ranks with linear probing; 0 is a free slot, else the rank + 1
}

// loader returns a function that loads a packed vocabulary when it is called
// first.
func loader(pairs string) func() *vocabulary {
	return sync.OnceValue(func() *vocabulary { return unpack(pairs) })
}

// unpack returns the vocabulary of a packed one.
func unpack(pairs string) *vocabulary {
	n := len(pairs) / pairSize
	size := 1
	for size < 2*n {
		size *= 2
	}
	v := &vocabulary{bytes: make([]byte, 0, 8*n), ends: make([]uint32, 0, n), slots: make([]uint32, size)}
	for ; len(pairs) > 0; pairs = pairs[pairSize:] {
		pair := uint64(pairs[0]) | uint64(pairs[1])<<8 | uint64(pairs[2])<<16 | uint64(pairs[3])<<24 | uint64(pairs[4])<<32
		if first, second := uint32(pair&singleByte), uint32(pair>>rankBits); first == singleByte {
			v.bytes = append(v.bytes, byte(second))
		} else {
			v.bytes = append(append(v.bytes, v.token(first)...), v.token(second)...)
		}
		v.ends = append(v.ends, uint32(len(v.bytes)))
		rank := uint32(len(v.ends) - 1)
		slot := v.slotOf(v.token(rank))
		for v.slots[slot] != 0 {
			slot = (slot + 1) & (len(v.slots) - 1)
		}
		v.slots[slot] = rank + 1
	}
	return v
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
	return int(fingerprint(token, 0, len(token))>>20) & (len(v.slots) - 1)
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
