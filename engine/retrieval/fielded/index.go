package fielded

import (
	"context"
	"hash/maphash"
	"sync"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/lexicon"
	"caliper/engine/retrieval/postings"
	"caliper/engine/retrieval/stem"
	"caliper/model"
)

// Index ranks the tools of one catalog: ranker fielded. It never changes and
// is safe for concurrent use.
type Index struct {
	recipe    Recipe
	lexicon   *lexicon.Lexicon
	stems     *stem.Memory
	numbers   numbers // frozen; of other catalogs, too
	documents []document
	average   float64 // weighted tokens of a tool
	lists     *postings.Lists
	idf       []float64 // of terms; 0 when no tool has the term
	gramIDF   []float64
	gramWeigh *[gramCounts + 1]float64
	facts     []facts
	names     nameTable
	ownNames  nameTable // those on their servers
	begins    beginnings
	seed      maphash.Seed // of these
	champions postings.Champions[uint32]
	searchers sync.Pool
}

var _ retrieval.Ranker = (*Index)(nil)

// Index returns the index of a catalog: document i is tools[i]. It keeps no
// tool. toolsets tells title and description of the tools' toolsets; it may be
// nil. It is an error when r is out of range, when the context ends, and when a
// catalog has more than 2^32 postings or 2^29 words.
//
// Tools never seen are read, on all cores; that part of the work is done for
// one catalog at a time. What depends on the whole catalog is then made anew.
func (c *Corpus) Index(ctx context.Context, tools []*model.Tool, toolsets Toolsets, r Recipe) (*Index, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	numbers, documents, err := c.documents(ctx, tools, toolsets)
	if err != nil {
		return nil, err
	}
	x := &Index{
		recipe:    r,
		lexicon:   c.lexicon,
		stems:     c.stems,
		numbers:   numbers,
		documents: documents,
		gramWeigh: r.gramWeights(),
	}
	x.average = x.averageLength()
	if x.lists, err = postings.Lay(ctx, numbers.terms.Len(), len(documents), source{x}); err != nil {
		return nil, err
	}
	x.setIDF()
	if err := x.setGramIDF(ctx); err != nil {
		return nil, err
	}
	if err := x.setFacts(ctx); err != nil {
		return nil, err
	}
	x.names = newNameTable(documents, func(d *document) string { return d.name })
	x.ownNames = newNameTable(documents, func(d *document) string { return d.own })
	x.begins, x.seed = newBeginnings(documents), c.seeds[0]
	x.searchers.New = func() any { return newSearcher(x) }
	return x, nil
}

// Len returns the number of documents.
func (x *Index) Len() int { return len(x.documents) }

// averageLength returns the weighted number of tokens of a tool, 1 when no
// tool has any. It adds whole numbers, so that the order does not matter.
func (x *Index) averageLength() float64 {
	var counts [fields]int
	for i := range x.documents {
		before := uint32(0)
		for f, end := range x.documents[i].record[:OtherForms] {
			counts[f] += int(end - before)
			before = end
		}
	}
	sum := 0.0
	for f, n := range counts {
		sum += float64(x.recipe.Fields[f] * float64(n))
	}
	if sum == 0 {
		return 1
	}
	return sum / float64(len(x.documents))
}

// source gives the documents of an index to be laid; see postings.Source.
type source struct{ x *Index }

// Terms returns the distinct terms of a document.
func (s source) Terms(doc int, terms []uint32) []uint32 {
	for _, token := range s.x.documents[doc].record.tokens() {
		if token&again == 0 {
			terms = append(terms, token&unmarked)
		}
	}
	return terms
}

// shortRecord is how many tokens a record has of which all are weighed without
// an allocation.
const shortRecord = 512

// Postings returns them with their impacts.
func (s source) Postings(doc int, terms []uint32, impacts []uint16) ([]uint32, []uint16) {
	r, recipe := s.x.documents[doc].record, &s.x.recipe
	tokens := r.tokens()
	norm := recipe.lengthNorm(r.length(&recipe.Fields), s.x.average)
	var room [shortRecord]float64
	frequencies := room[:] // of terms, at the places where they stand first
	if len(tokens) > len(room) {
		frequencies = make([]float64, len(tokens))
	}
	for f := range fields {
		weight := recipe.Fields[f]
		for i, to := r.span(f); i < to; i++ {
			if tokens[i]&again == 0 {
				frequencies[i] = weight
			} else {
				frequencies[tokens[i]&unmarked] += weight
			}
		}
	}
	for f := range fields {
		once := recipe.impact(recipe.Fields[f], norm)
		for i, to := r.span(f); i < to; i++ {
			token := tokens[i]
			if token&again != 0 {
				continue
			}
			impact := once
			if token&repeated != 0 {
				impact = recipe.impact(frequencies[i], norm)
			}
			terms, impacts = append(terms, token&unmarked), append(impacts, impact)
		}
	}
	return terms, impacts
}
