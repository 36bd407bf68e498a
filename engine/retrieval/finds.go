package retrieval

import "slices"

// Finds reports whether a query finds a document: whether Search without a limit has
// it. It reads the document and none of the postings. It is false when there is no
// such document.
func (x *Index) Finds(query string, doc int) bool {
	if doc < 0 || doc >= x.Len() {
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
		if df > 0 && slices.Contains(x.documents[doc], id) {
			return true
		}
		scored = scored || df > 0
	}
	return !scored && x.names.contains(doc, appendLower(nil, trim(query)))
}

// Finds reports whether a query admits a document. It reads the document and none of
// the postings. It is false when there is no such document.
func (x *Gated) Finds(query string, doc int) bool {
	if doc < 0 || doc >= x.Len() {
		return false
	}
	var room [64]byte
	if name := appendLower(room[:0], trim(query)); len(name) > 0 && string(name) == string(x.names.name(doc)) {
		return true
	}
	s := x.acquire(query)
	defer x.release(s)
	return s.open() && slices.Contains(x.documents[doc], s.rarest().id) &&
		s.matched(&x.bags, uint32(doc)) >= required(len(s.terms))
}
