package retrieval

import (
	"bytes"
	"math"
	"slices"

	"caliper/engine/retrieval/postings"
	"caliper/model"
)

// Ranks asked of a catalog in which one tool is changed need no index of that
// catalog. The change gives other values to the figures that a score depends on:
//
//	N      the number of tools, when one is added or left out
//	df     the documents with a term that the tool has lost or gained
//	avgdl  the mean length, by the difference of the tool's
//	tf, dl those of the changed tool
//
// All other tools have the bags that the old index has. So a rank is the number of
// documents whose scores, computed with the new figures, are better than that of the
// document in question. Most of them are counted by the sums of the old postings. The
// impacts in these were made with the old avgdl: an impact is the fraction
//
//	f = tf/(tf + norm), norm = k1·(1 - b + b·dl/avgdl)
//
// of the largest, and when avgdl becomes avgdl' the norm changes by at most its share
// δ = |avgdl/avgdl' - 1|. As tf·norm/(tf+norm)² is at most ¼, f changes by at most
// δ/(4·(1-δ)). With that as the drift, postings.Above asks for the exact scores of
// the documents whose sums are too near to tell. These are computed by the scorer
// that ranks the old catalog, so that scores are the same to the last bit as those of
// an index of the changed catalog.
//
// Example: one of 10,000 tools of 50 tokens on average has 20 more tokens than
// before. Then avgdl is 50.002, δ is 4·10⁻⁵, and sums that differ by more than
// rounding and 2·10⁻⁵ of the largest possible sum need no exact score.

// Change is what makes one catalog of another: a tool is changed, added or left out.
type Change struct {
	Doc    int         // the document of the tool that is changed or left out; -1: it is added
	Tool   *model.Tool // what the tool is then; nil: it is left out
	Before int         // the document before which the changed tool stands; the number of documents: at the end
}

// Edited ranks a changed catalog. Documents keep their numbers; one that is added
// has the first number that is free. An Edited never changes and is safe for
// concurrent use.
type Edited interface {
	// Rank returns the rank of a document of the changed catalog and its score, as
	// the ranker of an index of that catalog does. ok is false when the query does
	// not find it, and when it was left out.
	Rank(query string, doc int) (rank int, score float64, ok bool)
	// Search returns the best k hits as that ranker does, and how many hits there
	// are. It costs a pass over the bags of the catalog.
	Search(query string, k int) (found Result, scored int)
}

// edit is the one tool in which a catalog differs from that of its lists.
type edit struct {
	doc    int  // the number of the tool
	gone   bool // it was left out
	before int  // see Change
	size   int  // tools in the catalog
	tokens []uint32
	dict   postings.Dictionary // of terms that the lists do not know, numbered from first
	first  uint32
	df     map[uint32]int32 // what is added to the df of a term
	name   []byte           // in lower case
	drift  float64          // how far impacts are from the real ones at most, as a share of the largest
}

// edited returns the bags of a changed catalog.
func (b *bags) edited(a Analysis, c Change, shortest float64) bags {
	e := &edit{
		doc: c.Doc, gone: c.Tool == nil, before: c.Before, size: len(b.documents),
		dict: postings.NewDictionary(), first: uint32(b.dict.Len()), df: map[uint32]int32{},
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
	e.drift = driftOf(b.avgdl, y.avgdl)
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
func (e *edit) read(a Analysis, t *model.Tool, known *postings.Dictionary) {
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
func (e *edit) term(text []byte, old uint32, known bool, lists *postings.Lists) (id, df uint32) {
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
	if int(doc) == b.edit.doc {
		return b.edit.tokens
	}
	return b.documents[doc]
}

// has reports whether the changed catalog has a document.
func (b *bags) has(doc int) bool {
	if doc == b.edit.doc {
		return !b.edit.gone
	}
	return doc >= 0 && doc < len(b.documents)
}

// order returns a number by which the documents are in catalog order.
func (e *edit) order(doc int) int {
	if doc == e.doc {
		return 2 * e.before
	}
	return 2*doc + 1
}

// ahead reports whether a hit is better than another one in the changed catalog.
func (e *edit) ahead(a, b Hit) bool {
	return a.Score > b.Score || a.Score == b.Score && e.order(a.Doc) < e.order(b.Doc)
}

// rivals yields the documents of the changed catalog other than the changed tool.
func (b *bags) rivals(yield func(doc uint32) bool) {
	for doc := range b.documents {
		if doc != b.edit.doc && !yield(uint32(doc)) {
			return
		}
	}
}

// editedIndex is an Index of a changed catalog.
type editedIndex struct {
	x *Index // of the old catalog
	bags
}

// Edited returns what ranks a changed catalog as an index of it would. It reads the
// changed tool only. A rank costs a pass over the postings of the query.
func (x *Index) Edited(c Change) Edited { return &editedIndex{x, x.edited(Words, c, 0)} }

// Rank implements Edited.
func (y *editedIndex) Rank(query string, doc int) (rank int, score float64, ok bool) {
	if !y.has(doc) {
		return 0, 0, false
	}
	s := y.x.acquireFor(&y.bags, query)
	defer y.x.release(s)
	switch {
	case s.tokens == 0:
		return 0, 0, false
	case len(s.terms) == 0:
		return y.rankLiteral(query, doc)
	}
	scoreOf := func(doc uint32) float64 {
		bag := y.bag(doc)
		return s.scorer.scoreBag(&y.bags, &s.query, bag)
	}
	target := Hit{Doc: doc, Score: scoreOf(uint32(doc))}
	if target.Score == 0 {
		return 0, 0, false
	}
	ahead := func(doc uint32) bool {
		score := scoreOf(doc)
		return score > 0 && y.edit.ahead(Hit{int(doc), score}, target)
	}
	rank = 1
	if doc != y.edit.doc && !y.edit.gone && ahead(uint32(y.edit.doc)) {
		rank++
	}
	drift, ok := postings.Drift(y.edit.drift, len(s.terms))
	if ok && len(s.terms) <= postings.MaxTerms {
		return rank + s.Above(postings.Target{
			Score: target.Score / (y.params.K1 + 1), Spare: s.spare() + drift, Except: uint32(y.edit.doc), Ahead: ahead,
		}, nil), target.Score, true
	}
	for doc := range y.rivals {
		if ahead(doc) {
			rank++
		}
	}
	return rank, target.Score, true
}

// rankLiteral is Rank for the literal fallback.
func (y *editedIndex) rankLiteral(query string, doc int) (rank int, score float64, ok bool) {
	part := appendLower(nil, trim(query))
	contains := func(doc int) bool {
		if doc == y.edit.doc {
			return !y.edit.gone && bytes.Contains(y.edit.name, part)
		}
		return y.names.contains(doc, part)
	}
	if !contains(doc) {
		return 0, 0, false
	}
	rank = 1
	if doc != y.edit.doc && contains(y.edit.doc) && y.edit.order(y.edit.doc) < y.edit.order(doc) {
		rank++
	}
	for other := y.names.next(part, 0); other < len(y.documents); other = y.names.next(part, other+1) {
		if other != y.edit.doc && y.edit.order(other) < y.edit.order(doc) {
			rank++
		}
	}
	return rank, FallbackScore, true
}

// editedGated is a Gated of a changed catalog.
type editedGated struct {
	x *Gated // of the old catalog
	bags
}

// Edited returns what ranks a changed catalog as a Gated of it would. It reads the
// changed tool only. A rank costs a pass over the postings of the query.
func (x *Gated) Edited(c Change) Edited { return &editedGated{x, x.edited(Stems, c, leastDL)} }

// acquire returns a searcher for a query, which knows the tools of its name.
func (y *editedGated) acquire(query string) *gatedSearcher {
	s, e := y.x.acquireFor(&y.bags, query), y.edit
	s.exact = slices.DeleteFunc(s.exact, func(doc uint32) bool { return int(doc) == e.doc })
	if !e.gone && len(s.name) > 0 && bytes.Equal(e.name, s.name) {
		s.exact = append(s.exact, uint32(e.doc))
		slices.Sort(s.exact)
	}
	return s
}

// Rank implements Edited.
func (y *editedGated) Rank(query string, doc int) (rank int, score float64, ok bool) {
	if !y.has(doc) {
		return 0, 0, false
	}
	s, e := y.acquire(query), y.edit
	defer y.x.release(s)
	scoreOf := func(doc uint32) float64 {
		bag := y.bag(doc)
		return s.scorer.scoreBag(&y.bags, &s.query, bag)
	}
	target := Hit{Doc: doc, Score: scoreOf(uint32(doc))}
	ahead := func(doc uint32) bool { return e.ahead(Hit{int(doc), scoreOf(doc)}, target) }
	if s.named(uint32(doc)) {
		rank = 1
		for _, other := range s.exact {
			if ahead(other) {
				rank++
			}
		}
		return rank, target.Score, true
	}
	if !y.admits(s, uint32(doc)) {
		return 0, 0, false
	}
	rank = 1 + len(s.exact)
	if !e.gone && doc != e.doc && !s.named(uint32(e.doc)) && y.admits(s, uint32(e.doc)) && ahead(uint32(e.doc)) {
		rank++
	}
	unnamed := func(doc uint32) bool { return !s.named(doc) && ahead(doc) }
	gate, least := s.rarest(), required(len(s.terms))
	drift, ok := postings.Drift(e.drift, len(s.terms))
	if ok && s.exactly() && y.lists.Term(gate.id).DF > 0 {
		s.Gather(gate.id, least, s.spare()+drift)
		for _, other := range s.exact {
			s.Leave(other) // the tools of the name are counted
		}
		s.Leave(uint32(e.doc))
		return rank + s.GatheredAbove(target.Score/(y.params.K1+1), unnamed), target.Score, true
	}
	for other := range y.rivals {
		if y.admits(s, other) && unnamed(other) {
			rank++
		}
	}
	return rank, target.Score, true
}

// admits reports whether a document passes the gates.
func (y *editedGated) admits(s *gatedSearcher, doc uint32) bool {
	if !s.open() {
		return false
	}
	bag := y.bag(doc)
	return slices.Contains(bag, s.rarest().id) && s.matchedIn(bag) >= required(len(s.terms))
}
