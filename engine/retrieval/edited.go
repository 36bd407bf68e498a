package retrieval

import (
	"bytes"
	"cmp"
	"math"

	"caliper/model"
)

// What is asked of a catalog in which one tool is changed needs no index of that
// catalog. The change gives other values to the figures that a score depends on:
//
//	N      the number of tools, when one is added or left out
//	df     the documents with a term that the tool has lost or gained
//	avgdl  the mean length, by the difference of the tool's
//	tf, dl those of the changed tool
//
// All other tools have the bags and the postings that the old index has. The impacts in
// these were made with the old avgdl: an impact is the fraction
//
//	f = tf/(tf + norm), norm = k1·(1 - b + b·dl/avgdl)
//
// of the largest, and when avgdl becomes avgdl' the norm changes by at most its share
// δ = |avgdl/avgdl' - 1|. As tf·norm/(tf+norm)² is at most ¼, f changes by at most
// δ/(4·(1-δ)), the drift. Sums may differ by it from those of new impacts, so that some
// more documents get an exact score. That is computed with the new figures by the scorer
// that ranks the old catalog, and is the same to the last bit as in an index of the
// changed one.
//
// Example: one of 10,000 tools of 50 tokens on average has 20 more tokens than
// before. Then avgdl is 50.002, δ is 4·10⁻⁵, and sums that differ by more than
// rounding and 2·10⁻⁵ of the largest possible sum need no exact score.

// Change makes one catalog of another: a tool is changed, added or left out.
type Change struct {
	Doc    int         // the document of the tool that is changed or left out; -1: it is added
	Tool   *model.Tool // what the tool is then; nil: it is left out
	Before int         // the document before which the changed tool stands; the number of documents: at the end
}

// edit is the one tool in which a catalog differs from that of its lists.
type edit struct {
	doc    int  // the number of the tool
	gone   bool // it was left out
	before int  // see Change
	size   int  // tools in the catalog
	tokens []uint32
	dict   Dictionary // of terms that the lists do not know, numbered from first
	first  uint32
	df     map[uint32]int32 // what is added to the df of a term
	name   []byte           // in lower case
}

// with returns the bags of a changed catalog.
func (b *bags) with(a Analysis, c Change, shortest float64) bags {
	e := &edit{
		doc: c.Doc, gone: c.Tool == nil, before: c.Before, size: len(b.documents),
		dict: NewDictionary(), first: uint32(b.dict.Len()), df: map[uint32]int32{},
	}
	y := *b
	y.edit = e
	if c.Doc < 0 {
		e.doc = len(b.documents)
	} else {
		e.size--
		y.tokens -= len(b.documents[c.Doc])
		e.count(b.documents[c.Doc], -1)
	}
	if c.Tool != nil {
		e.size++
		e.read(a, c.Tool, &b.dict)
		y.tokens += len(e.tokens)
		e.count(e.tokens, 1)
		e.name = appendLower(nil, c.Tool.Name)
	}
	y.setLength(shortest)
	y.drift = driftOf(b.avgdl, y.avgdl)
	return y
}

// driftOf returns by what share of the largest impact an impact changes at most
// when the mean length does.
func driftOf(old, now float64) float64 {
	if old == now {
		return 0
	}
	delta := math.Abs(old/now - 1)
	if !(delta < 0.5) {
		return 1
	}
	return delta/(4*(1-delta)) + 1e-9 // for rounding
}

// count adds a number to the df of every term of a bag.
func (e *edit) count(bag []uint32, n int32) {
	for i, id := range bag {
		if i == 0 || id != bag[i-1] {
			e.df[id] += n
		}
	}
}

// read sets the tokens of a tool.
func (e *edit) read(a Analysis, t *model.Tool, known *Dictionary) {
	n := newAnalyser(a)
	n.addTool(t)
	number := make([]uint32, n.dict.Len())
	for id := range number {
		text := n.dict.Term(uint32(id))
		if old, ok := known.Find(text); ok {
			number[id] = old
		} else {
			number[id] = e.first + e.dict.Intern(text)
		}
	}
	e.tokens = n.tokens[0]
	for i, id := range e.tokens {
		e.tokens[i] = number[id]
	}
}

// term returns the number of a term and how many documents have it. old is its
// number in the lists, if known.
func (e *edit) term(text []byte, old uint32, known bool, lists *Lists) (id, df uint32) {
	if !known {
		id, ok := e.dict.Find(text)
		if !ok {
			return 0, 0
		}
		old = e.first + id
	}
	if df = uint32(int32(lists.Term(old).DF) + e.df[old]); df == 0 {
		return 0, 0
	}
	return old, df
}

// bag returns the tokens of a document.
func (b *bags) bag(doc uint32) []uint32 {
	if b.edited(doc) {
		return b.edit.tokens
	}
	return b.documents[doc]
}

// edited reports whether a document is the one in which the catalog differs from its
// lists.
func (b *bags) edited(doc uint32) bool { return b.edit != nil && int(doc) == b.edit.doc }

// added returns the document that the lists do not have as it is; ok is false when the
// change adds no document.
func (b *bags) added() (doc uint32, ok bool) {
	if b.edit == nil || b.edit.gone {
		return NoDocument, false
	}
	return uint32(b.edit.doc), true
}

// leaves returns the document of the lists that is not in the catalog as it is there.
func (b *bags) leaves() uint32 {
	if b.edit == nil {
		return NoDocument
	}
	return uint32(b.edit.doc)
}

// has reports whether the catalog has a document.
func (b *bags) has(doc int) bool {
	if doc >= 0 && b.edited(uint32(doc)) {
		return !b.edit.gone
	}
	return doc >= 0 && doc < len(b.documents)
}

// order returns a number by which the documents are in catalog order.
func (b *bags) order(doc int) int {
	if b.edit != nil && doc == b.edit.doc {
		return 2 * b.edit.before
	}
	return 2*doc + 1
}

// compare orders hits by score, the highest first, then in catalog order.
func (b *bags) compare(x, y Hit) int {
	return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(b.order(x.Doc), b.order(y.Doc)))
}

// name returns the lower-cased name of a document.
func (b *bags) name(doc int) []byte {
	if doc >= 0 && b.edited(uint32(doc)) {
		return b.edit.name
	}
	return b.names.name(doc)
}

// containing appends the documents whose name contains a part, in catalog order.
func (b *bags) containing(docs []uint32, part []byte) []uint32 {
	added, waits := b.added()
	waits = waits && bytes.Contains(b.edit.name, part)
	for doc := b.names.next(part, 0); ; doc = b.names.next(part, doc+1) {
		end := doc >= len(b.documents)
		if waits && (end || doc >= b.edit.before) {
			docs, waits = append(docs, added), false
		}
		if end {
			return docs
		}
		if !b.edited(uint32(doc)) {
			docs = append(docs, uint32(doc))
		}
	}
}
