package tokens

import (
	"container/heap"
	"math"
)

// count returns the number of tokens that byte pair encoding makes of a piece:
// a piece that is a token is one; else every byte is a token, and while two
// neighbours together are a token, the pair of lowest rank, the leftmost of
// those, becomes one. Source: Sennrich, Haddow and Birch, "Neural Machine
// Translation of Rare Words with Subword Units", 2016, in the form of OpenAI's
// tiktoken, which merges by rank.
//
// With the tokens a b c ab bc abc of ranks 0 to 5, "abcb" is [ab c b] after the
// first merge, [abc b] after the second: two tokens.
//
// Invariants:
//   - the tokens of a piece, joined, are the piece;
//   - the cost of a piece of n bytes is O(n log n).
func (v *vocabulary) count(piece []byte) int {
	if _, ok := v.ranks[string(piece)]; ok {
		return 1
	}
	n := len(piece)
	// The part that begins at i ends where the next begins, at next[i];
	// ranks[i] is that of both together.
	next, before, ranks := make([]int, n), make([]int, n+1), make([]uint32, n)
	var open candidates
	look := func(i int) {
		ranks[i] = noPair
		if j := next[i]; j < n {
			if rank, ok := v.ranks[string(piece[i:next[j]])]; ok {
				ranks[i] = rank
				heap.Push(&open, uint64(rank)<<32|uint64(i))
			}
		}
	}
	for i := range n {
		next[i], before[i+1] = i+1, i
	}
	for i := range n {
		look(i)
	}
	parts := n
	for len(open) > 0 {
		c := heap.Pop(&open).(uint64)
		at := int(uint32(c))
		if ranks[at] != uint32(c>>32) {
			continue
		}
		gone := next[at]
		next[at], ranks[gone] = next[gone], noPair
		before[next[gone]] = at
		parts--
		look(at)
		if at > 0 {
			look(before[at])
		}
	}
	return parts
}

// noPair is the rank of two neighbours that are no token.
const noPair = math.MaxUint32

// candidates is a heap of pairs that may be merged, the part that begins at an offset and the
// one behind it: their rank in the upper half of a number and the offset in the lower, so that
// the lowest rank is first, of equal ranks the leftmost. A pair that has changed since stays in
// it and is passed over.
type candidates []uint64

func (c candidates) Len() int           { return len(c) }
func (c candidates) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c candidates) Less(i, j int) bool { return c[i] < c[j] }

// Push adds a candidate.
func (c *candidates) Push(x any) { *c = append(*c, x.(uint64)) }

// Pop removes the last candidate.
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
