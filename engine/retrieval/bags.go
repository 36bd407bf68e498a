package retrieval

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"caliper/model"
	"caliper/model/words"
)

// bags are the documents of one catalog as bags of words, and the postings
// that BM25 gives them. They never change and are safe for concurrent use.
type bags struct {
	params    Params
	avgdl     float64     // mean number of tokens of a document
	dict      Dictionary  // frozen; numbers terms of other catalogs too
	stems     *StemMemory // nil: terms are words as they are
	documents []*bag      // shared with the corpus
	tokens    int         // of all documents
	postings  *Postings
	searchers *sync.Pool
	edit      *edit // nil: the catalog is as the postings have it
}

// newBags makes the bags and postings of a catalog. The mean length is at least shortest.
func (c *Corpus) newBags(ctx context.Context, tools []*model.Tool, p Params, shortest float64) (bags, error) {
	// Scores must be positive, finite and increasing with the term frequency.
	if !(p.K1 >= 0 && p.K1 <= 1000) {
		return bags{}, fmt.Errorf("bm25: k1 = %v: want 0 to 1000", p.K1)
	}
	if !(p.B >= 0 && p.B <= 1) {
		return bags{}, fmt.Errorf("bm25: b = %v: want 0 to 1", p.B)
	}
	dict, documents, err := c.documents(ctx, tools)
	if err != nil {
		return bags{}, err
	}
	b := bags{params: p, dict: dict, documents: documents}
	if c.analysis == Stems {
		b.stems = c.stems
	}
	for _, d := range documents {
		b.tokens += d.length()
	}
	b.setLength(shortest)
	norm := func(doc int) float64 { return p.lengthNorm(documents[doc].length(), b.avgdl) }
	value := func(tally uint32, norm float64) float64 { return p.tfNorm(int(tally), norm) }
	if b.postings, err = NewPostings(ctx, dict.Len(), len(documents), b.terms, norm, value); err != nil {
		return bags{}, err
	}
	b.searchers = &sync.Pool{New: func() any { return &searcher{sums: NewSums(len(documents) + 1)} }}
	return b, nil
}

// setLength sets the mean length of the documents, which is at least shortest.
func (b *bags) setLength(shortest float64) {
	if b.avgdl = 0; b.tokens > 0 {
		b.avgdl = max(shortest, float64(b.tokens)/float64(b.Len()))
	}
}

// terms appends the distinct terms of a document, and how often it has each.
func (b *bags) terms(doc int, terms, tallies []uint32) ([]uint32, []uint32) {
	d := b.documents[doc]
	for range len(d.terms) - len(d.repeats) {
		tallies = append(tallies, 1)
	}
	return append(terms, d.terms...), append(tallies, d.repeats...)
}

// Len returns the number of documents.
func (b *bags) Len() int {
	if b.edit != nil {
		return b.edit.size
	}
	return len(b.documents)
}

// term returns the number of a token's term, and how many documents have it.
func (b *bags) term(token []byte) (id uint32, df int) {
	if b.stems != nil {
		var room [64]byte
		token = append(room[:0], b.stems.English(token)...)
	}
	id, ok := b.dict.Find(token)
	if ok {
		df = b.postings.DF(id)
	}
	if e := b.edit; e != nil {
		if !ok {
			id, ok = e.dict.Find(token)
			id += e.first
		}
		df += e.df[id]
	}
	if !ok {
		return 0, 0
	}
	return id, df
}

// lower returns a name in lower case as Python has it (full mapping, final sigma). A byte that
// is not UTF-8 becomes U+FFFD.
func lower(name string) string {
	for i := range len(name) {
		if name[i] >= 0x80 {
			return cases.Lower(language.Und).String(strings.ToValidUTF8(name, "\ufffd"))
		}
	}
	return strings.ToLower(name)
}

// searcher is a query as an index reads it, and the memory of its search. It is used again by
// the next query.
type searcher struct {
	b      *bags
	text   string
	tokens int         // of the text
	terms  []queryTerm // the distinct terms that a tool has, in order of first occurrence
	index  []int32     // of each term of the dictionary: one more than its index in terms, 0 when it is not there
	order  []int       // the tokens of the query as indexes of terms, without those that no tool has
	token  []byte
	sums   Sums
	query  []Weighted // its terms, see best
	named  []uint32   // the tools whose name is the query, ascending; of Gated
}

// queryTerm is a term of the query.
type queryTerm struct {
	id   uint32
	df   int
	idf  float64
	adds float64 // to the document that is scored
}

const largeQuery = 1 << 12 // tokens of a query whose memory is not kept

// acquire returns a searcher that has read the query.
func (b *bags) acquire(text string) *searcher {
	s := b.searchers.Get().(*searcher)
	s.b, s.text, s.tokens, s.terms, s.order = b, text, 0, s.terms[:0], s.order[:0]
	words := b.dict.Len()
	if b.edit != nil {
		words += b.edit.dict.Len()
	}
	s.index = append(s.index, make([]int32, max(0, words-len(s.index)))...)
	for i := 0; ; s.tokens++ {
		if s.token, i = nextToken(s.token[:0], text, i); len(s.token) == 0 {
			return s
		}
		id, df := b.term(s.token)
		if df == 0 {
			continue
		}
		if s.index[id] == 0 {
			s.terms = append(s.terms, queryTerm{id: id, df: df, idf: idf(df, b.Len())})
			s.index[id] = int32(len(s.terms))
		}
		s.order = append(s.order, int(s.index[id])-1)
	}
}

// release keeps a searcher for the next query.
func (b *bags) release(s *searcher) {
	for _, t := range s.terms {
		s.index[t.id] = 0
	}
	if s.sums.Clear(); len(s.order) <= largeQuery {
		b.searchers.Put(s)
	}
}

// addTerms adds up the scores of all documents; of an edited catalog, all but that of the edited
// document are as its postings have them (see exact).
func (s *searcher) addTerms() {
	for _, at := range s.order {
		if t := &s.terms[at]; s.b.edit == nil || s.b.postings.DF(t.id) > 0 {
			s.sums.Add(s.b.postings, t.id, t.idf)
		}
	}
	if e := s.b.edit; e != nil {
		s.sums.Set(e.doc, s.score(e.doc))
	}
}

// exact returns the score of a document after addTerms; 0 where it is certainly below another.
func (s *searcher) exact(doc uint32, least float64) float64 {
	sum := s.sums.Of(doc)
	switch {
	case s.b.edit == nil:
		return sum
	case s.b.edited(doc):
		return s.score(doc)
	case sum*s.b.edit.rise < least:
		return 0
	}
	return s.score(doc)
}

// score returns the score of one document, as addTerms adds it up: over the tokens of the query,
// repeats counted, in their order. Adding 0 changes no float, so that tokens the catalog lacks
// may be left out.
func (s *searcher) score(doc uint32) (sum float64) {
	bag := s.b.bag(doc)
	norm := s.b.params.lengthNorm(bag.length(), s.b.avgdl)
	for i := range s.terms {
		s.terms[i].adds = 0
	}
	for at, id := range bag.terms {
		if i := s.index[id]; i > 0 {
			t := &s.terms[i-1]
			t.adds = float64(t.idf * s.b.params.tfNorm(bag.frequency(at), norm))
		}
	}
	for _, at := range s.order {
		sum += s.terms[at].adds
	}
	return sum
}

// best returns the best k documents by score, until the next query.
func (s *searcher) best(k int) []Hit {
	if s.b.edit != nil {
		s.addTerms()
		s.sums.Begin(k)
		least := 0.0
		for _, doc := range s.sums.AtLeast(0) {
			if score := s.exact(doc, least); score > 0 {
				s.sums.Offer(s.b.hit(doc, score))
			}
			if len(s.sums.best) == k {
				least = s.sums.best[0].Score
			}
		}
		return s.sums.Sorted()
	}
	s.query = s.query[:0]
	for _, at := range s.order {
		s.query = append(s.query, Weighted{s.terms[at].id, s.terms[at].idf})
	}
	return s.sums.Top(s.b.postings, s.query, k)
}

// literal returns the tools whose name contains the query, in catalog order.
func (s *searcher) literal() (docs []int) {
	part := lower(words.Strip(s.text))
	e := s.b.edit
	for doc := range len(s.b.documents) + 1 {
		if e != nil && !e.gone && doc == e.before && strings.Contains(e.bag.name, part) {
			docs = append(docs, int(e.doc))
		}
		if doc < len(s.b.documents) && !s.b.edited(uint32(doc)) && strings.Contains(s.b.documents[doc].name, part) {
			docs = append(docs, doc)
		}
	}
	return docs
}
