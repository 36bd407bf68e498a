package retrieval

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// exactNames finds the documents of a name: a hash table of chains over a
// nameList, so that any number of documents may bear one name.
type exactNames struct {
	seed  maphash.Seed
	heads []uint32 // per slot the first document + 1; a power of two long
	next  []uint32 // per document the next of its slot + 1
}

// newExactNames makes the table of names.
func newExactNames(names *nameList) exactNames {
	n := len(names.ends)
	e := exactNames{seed: maphash.MakeSeed(), heads: make([]uint32, 1<<bits.Len(uint(n))), next: make([]uint32, n)}
	for doc := n - 1; doc >= 0; doc-- { // chains ascend
		slot := e.slot(names.name(doc))
		e.next[doc], e.heads[slot] = e.heads[slot], uint32(doc+1)
	}
	return e
}

func (e *exactNames) slot(name []byte) uint64 {
	return maphash.Bytes(e.seed, name) & uint64(len(e.heads)-1)
}

// find appends to docs the documents whose lower-cased name is name, ascending;
// none when it is empty.
func (e *exactNames) find(names *nameList, name []byte, docs []uint32) []uint32 {
	if len(name) == 0 {
		return docs
	}
	for doc := e.heads[e.slot(name)]; doc > 0; doc = e.next[doc-1] {
		if bytes.Equal(names.name(int(doc-1)), name) {
			docs = append(docs, doc-1)
		}
	}
	return docs
}

// name returns the lower-cased name of a document.
func (l *nameList) name(doc int) []byte { return l.text[l.start(doc) : l.ends[doc]-1] }
