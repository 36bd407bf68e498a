package retrieval

import (
	"bytes"
	"slices"
)

// Finds reports whether a query finds a document: whether Search without a limit has
// it. It reads the document and none of the postings. It is false when there is no
// such document.
func (x *Index) Finds(query string, doc int) bool {
	if !x.has(doc) {
		return false
	}
	var room [64]byte
	token, scored := room[:0], false
	for i := 0; ; {
		before := i
		if token, i = nextToken(token[:0], query, i); len(token) == 0 {
			if before == 0 {
				return false // no token at all
			}
			break
		}
		id, df := x.term(token)
		if df > 0 && slices.Contains(x.bag(uint32(doc)), id) {
			return true
		}
		scored = scored || df > 0
	}
	return !scored && bytes.Contains(x.name(doc), appendLower(nil, trim(query)))
}

// Finds reports whether a query admits a document. It reads the document and none of
// the postings. It is false when there is no such document.
func (x *Gated) Finds(query string, doc int) bool {
	if !x.has(doc) {
		return false
	}
	s := x.acquire(query)
	defer x.release(s)
	return s.isNamed(uint32(doc)) || s.admits(uint32(doc))
}
