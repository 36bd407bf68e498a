package fielded

import (
	"hash/maphash"
	"math/bits"
	"unicode/utf8"

	"caliper/engine/words"
)

// nameTable finds the documents of a name: a hash table of chains, by the
// letters and digits of names, so that names that differ in other characters
// only are found together. Documents without a name are left out.
type nameTable struct {
	documents []document
	of        func(*document) string
	seed      maphash.Seed
	heads     []uint32 // per slot the first document + 1; a power of two long
	next      []uint32 // per document the next of its slot + 1
}

func newNameTable(documents []document, of func(*document) string) nameTable {
	n := len(documents)
	t := nameTable{
		documents: documents,
		of:        of,
		seed:      maphash.MakeSeed(),
		heads:     make([]uint32, 1<<bits.Len(uint(n))),
		next:      make([]uint32, n),
	}
	var letters []byte
	for doc := n - 1; doc >= 0; doc-- { // chains ascend
		name := of(&documents[doc])
		if name == "" {
			continue
		}
		letters = appendLetters(letters[:0], name)
		slot := t.slot(letters)
		t.next[doc], t.heads[slot] = t.heads[slot], uint32(doc+1)
	}
	return t
}

func (t *nameTable) slot(letters []byte) uint64 {
	return maphash.Bytes(t.seed, letters) & uint64(len(t.heads)-1)
}

// find appends to docs documents, ascending, whose name has these letters and
// digits, and which are accepted, as long as there are fewer than limit.
func (t *nameTable) find(docs []uint32, letters []byte, limit int, accept func(d *document) bool) []uint32 {
	for doc := t.heads[t.slot(letters)]; doc > 0 && len(docs) < limit; doc = t.next[doc-1] {
		if accept(&t.documents[doc-1]) {
			docs = append(docs, doc-1)
		}
	}
	return docs
}

// has tells whether a document has a name, in lower case, of these letters and
// digits.
func (t *nameTable) has(letters, name []byte) bool {
	var room [1]uint32
	return len(t.find(room[:0], letters, 1, func(d *document) bool { return t.of(d) == string(name) })) > 0
}

// appendLetters appends the letters and digits of a text in lower case.
func appendLetters[Text string | []byte](dst []byte, text Text) []byte {
	for at := 0; at < len(text); {
		if b := text[at]; b < utf8.RuneSelf {
			if ascii[b] != words.Other {
				dst = append(dst, b)
			}
			at++
			continue
		}
		r, size := decode(text[at:])
		if words.Begins(r) {
			dst = utf8.AppendRune(dst, r)
		}
		at += size
	}
	return dst
}

// hasLetters tells whether the letters and digits of a text are these.
func hasLetters(text string, letters []byte) bool {
	for _, r := range text {
		if !words.Begins(r) {
			continue
		}
		l, size := utf8.DecodeRune(letters)
		if l != r || len(letters) == 0 {
			return false
		}
		letters = letters[size:]
	}
	return len(letters) == 0
}

// beginnings tells which two words names begin with: a Bloom filter, so that few
// words of a query that begin no name are looked up.
type beginnings []uint64

// beginningBits is how many bits there are for each document, at least.
const beginningBits = 16

func newBeginnings(documents []document) beginnings {
	b := make(beginnings, 1<<bits.Len(uint(len(documents)*beginningBits/64)))
	for i := range documents {
		for _, hash := range documents[i].begins {
			if hash != 0 {
				b[hash>>7&uint32(len(b)-1)] |= 1 << (hash >> 1 & 63)
			}
		}
	}
	return b
}

// mayHave tells whether a name can begin so.
func (b beginnings) mayHave(hash uint32) bool {
	return b[hash>>7&uint32(len(b)-1)]>>(hash>>1&63)&1 != 0
}
