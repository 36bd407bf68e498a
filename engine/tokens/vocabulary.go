package tokens

import (
	_ "embed"
	"math/bits"
	"sync"
)

// The vocabularies, as OpenAI publishes them in o200k_base.tiktoken and
// cl100k_base.tiktoken, packed; a test has their sums. Every token but the single
// bytes is made of two that come before it, so that two ranks stand for its bytes. A quarter of the published size, this needs no
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
	tokens []string // in order of rank
	ranks  map[string]uint32
}

// loader returns a function that loads a packed vocabulary when it is called
// first. It has that many tokens.
func loader(packed string, tokens int) func() *vocabulary {
	return sync.OnceValue(func() *vocabulary {
		v := &vocabulary{make([]string, 0, tokens), make(map[string]uint32, tokens)}
		add := func(token string) {
			v.ranks[token] = uint32(len(v.tokens))
			v.tokens = append(v.tokens, token)
		}
		for rank := range singleBytes {
			add(packed[rank : rank+1])
		}
		packed := packed[singleBytes:]
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
			add(v.tokens[first] + v.tokens[second])
		}
		return v
	})
}
