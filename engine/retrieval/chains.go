package retrieval

import (
	"hash/maphash"
	"math/bits"
)

// Chains finds the documents of a key. It is a hash table with chaining, so that
// any number of documents may have one key.
type Chains struct {
	seed  maphash.Seed // random, so that nobody can make keys that collide
	heads []uint32     // by slot, the first document + 1; a power of two long
	next  []uint32     // by document, the next of its slot + 1
}

// NewChains returns the chains of n documents. key returns the key of a document,
// which it may overwrite with the next; ok is false when it has none.
func NewChains(n int, key func(doc int) (key []byte, ok bool)) Chains {
	c := Chains{seed: maphash.MakeSeed(), heads: make([]uint32, 1<<bits.Len(uint(n))), next: make([]uint32, n)}
	for doc := n - 1; doc >= 0; doc-- { // so that chains ascend
		if k, ok := key(doc); ok {
			slot := c.slot(k)
			c.next[doc], c.heads[slot] = c.heads[slot], uint32(doc+1)
		}
	}
	return c
}

func (c *Chains) slot(key []byte) uint64 {
	return maphash.Bytes(c.seed, key) & uint64(len(c.heads)-1)
}

// First returns the first document that may have a key. Its keys must be compared.
func (c *Chains) First(key []byte) (doc uint32, ok bool) {
	doc = c.heads[c.slot(key)]
	return doc - 1, doc > 0
}

// Next returns the document after another, in ascending order.
func (c *Chains) Next(doc uint32) (next uint32, ok bool) {
	next = c.next[doc]
	return next - 1, next > 0
}
