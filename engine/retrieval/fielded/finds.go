package fielded

import (
	"bytes"
	"slices"

	"caliper/model/words"
)

// Finds reports whether a query finds a document: whether Search without a limit has
// it. It reads the query and the document, and none of the postings; a query that is
// the name of the document is not even read. It is false when there is no such
// document.
func (x *Index) Finds(query string, doc int) bool {
	if doc < 0 || doc >= x.Len() {
		return false
	}
	if x.isName(query, doc) {
		return true
	}
	s := x.acquire(query)
	defer x.release(s)
	return slices.Contains(s.pinned, uint32(doc)) || s.scanDocument(uint32(doc)).bm25f > 0
}

// isName reports whether a query is the name of a document and finds it for that.
// Only the first tools of a name are certain to be found for it.
func (x *Index) isName(query string, doc int) bool {
	name := x.documents[doc].name
	var room [128]byte
	lower := words.AppendLower(room[:0], bytes.TrimSpace([]byte(query)))
	if name == "" || string(lower) != name {
		return false
	}
	var letters [128]byte
	var pinned [maxPinned]uint32
	named := x.names.find(pinned[:0], words.AppendLetters(letters[:0], lower), maxPinned, func(d *document) bool { return d.name == name })
	return slices.Contains(named, uint32(doc))
}
