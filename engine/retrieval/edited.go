package retrieval

import (
	"slices"

	"caliper/model"
)

// What is asked of a catalog in which one tool is changed needs no index of that catalog: the
// change gives other values to the number of tools, to the df of the terms that the tool has lost
// or gained, and to the mean length avgdl; all other bags stay. The postings have values for the
// old avgdl. As norm = k1·(1 - b + b·dl/avgdl) falls at most by the share in which avgdl rises to
// avgdl', and tf·(k1+1)/(tf + norm) rises by no larger share, a score is at most
//
//	max(1, avgdl'/avgdl)
//
// times the sum of these values. A document whose sum is large enough gets its score from its bag,
// which is the same to the last bit as in an index of the changed catalog.

// Change makes one catalog of another: a tool is changed, added or left out.
type Change struct {
	Doc    int         // the document of the tool that is changed or left out; -1: it is added
	Tool   *model.Tool // what the tool is then; nil: it is left out
	Before int         // the document before which the changed tool stands; the number of documents: at the end
}

// edit is the one tool in which a catalog differs from that of its postings.
type edit struct {
	doc    uint32 // the number of the tool
	gone   bool   // it was left out
	before int    // see Change
	size   int    // tools in the catalog
	bag    bag
	dict   Dictionary // of terms that the postings do not know, numbered from first
	first  uint32
	df     map[uint32]int // what is added to the df of a term
	rise   float64        // how many times its sum a score is at most
}

// Edited returns the index of a changed catalog. Documents keep their numbers; one that
// is added has the first number that is free. It reads the changed tool only.
func (x *Index) Edited(c Change) *Index { return &Index{x.with(Words, c, 0)} }

// Edited is that of Index.
func (x *Gated) Edited(c Change) *Gated { return &Gated{x.with(Stems, c, leastDL), x.named} }

// with returns the bags of a changed catalog.
func (b *bags) with(a Analysis, c Change, shortest float64) bags {
	e := &edit{
		doc: uint32(len(b.documents)), gone: c.Tool == nil, before: c.Before, size: len(b.documents),
		dict: NewDictionary(), first: uint32(b.dict.Len()), df: map[uint32]int{},
	}
	y := *b
	y.edit = e
	if c.Doc >= 0 {
		e.doc = uint32(c.Doc)
		e.size--
		y.tokens -= b.documents[c.Doc].length()
		e.count(b.documents[c.Doc], -1)
	}
	if c.Tool != nil {
		e.size++
		e.read(a, c.Tool, &b.dict)
		y.tokens += e.bag.length()
		e.count(&e.bag, 1)
	}
	y.setLength(shortest)
	e.rise = max(1, y.avgdl/b.avgdl) * (1 + nearlyEqual)
	return y
}

// nearlyEqual is the share by which two scores differ that may be equal when they are rounded.
const nearlyEqual = 1e-9

// count adds a number to the df of every term of a bag.
func (e *edit) count(bag *bag, n int) {
	for _, id := range bag.terms {
		e.df[id] += n
	}
}

// read sets the bag of a tool.
func (e *edit) read(a Analysis, t *model.Tool, known *Dictionary) {
	n := newAnalyser(a)
	n.addTool(t)
	e.bag = n.bags[0]
	for i, id := range e.bag.terms {
		text := n.dict.Term(id)
		if old, ok := known.Find(text); ok {
			e.bag.terms[i] = old
		} else {
			e.bag.terms[i] = e.first + e.dict.Intern(text)
		}
	}
}

// edited reports whether a document is the one in which the catalog differs from its
// postings.
func (b *bags) edited(doc uint32) bool { return b.edit != nil && doc == b.edit.doc }

// bag returns the bag of a document.
func (b *bags) bag(doc uint32) *bag {
	if b.edited(doc) {
		return &b.edit.bag
	}
	return b.documents[doc]
}

// has reports whether the catalog has a document.
func (b *bags) has(doc int) bool {
	if doc >= 0 && b.edited(uint32(doc)) {
		return !b.edit.gone
	}
	return doc >= 0 && doc < len(b.documents)
}

// hit returns a document with its score as hits are compared: in place of the document it has a
// number by which documents are in catalog order.
func (b *bags) hit(doc uint32, score float64) Hit {
	switch {
	case b.edit == nil:
		return Hit{int(doc), score}
	case b.edited(doc):
		return Hit{2 * b.edit.before, score}
	}
	return Hit{2*int(doc) + 1, score}
}

// appendHits appends what hit returned, with the documents again.
func (b *bags) appendHits(dst, hits []Hit) []Hit {
	for _, h := range hits {
		if e := b.edit; e != nil && h.Doc%2 == 0 {
			h.Doc = int(e.doc)
		} else if e != nil {
			h.Doc /= 2
		}
		dst = append(dst, h)
	}
	return dst
}

// replace puts the changed tool in place of what is in documents, which ascend, if is holds of it.
func (b *bags) replace(docs []uint32, is bool) []uint32 {
	if b.edit == nil {
		return docs
	}
	docs = slices.DeleteFunc(slices.Clone(docs), b.edited)
	if at, _ := slices.BinarySearch(docs, b.edit.doc); is && !b.edit.gone {
		docs = slices.Insert(docs, at, b.edit.doc)
	}
	return docs
}
