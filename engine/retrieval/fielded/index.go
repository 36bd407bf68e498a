package fielded

import (
	"context"
	"hash/maphash"
	"math"
	"sync"

	"caliper/engine/retrieval"
	"caliper/model"
)

// Index ranks the tools of one catalog: ranker fielded. It never changes and
// is safe for concurrent use.
type Index struct {
	recipe      Recipe
	lexicon     *retrieval.Lexicon
	stems       *retrieval.StemMemory
	vocabulary  vocabulary // frozen; of other catalogs, too
	documents   []document
	presences   []presence // of tallies
	average     float64    // weighted tokens of a tool
	lists       *retrieval.Lists
	idf         []float64 // of terms; 0 when no tool has the term
	gramIDF     []float64
	gramWeights *[gramCounts + 1]float64
	stats       []stats
	names       nameTable
	originals   nameTable // those on their servers
	servers     []uint32  // of each document, see numberServers
	serverCount int
	seed        maphash.Seed // of these
	champions   *retrieval.Remembered[uint32]
	crowds      *retrieval.Remembered[uint32]
	searchers   *sync.Pool
	meanings    *Meanings // nil: it listens to none
}

var _ retrieval.Ranker = (*Index)(nil)

// Index returns the index of a catalog: document i is tools[i]. It keeps no
// tool. toolsets returns titles and descriptions of toolsets; it may be nil. It
// is an error when r is out of range, when the context ends, and when a catalog
// has more than 2^32 postings or 2^29 words.
//
// Tools that the corpus has not seen are read on all cores, for one catalog at a
// time. What depends on the whole catalog is then computed anew.
func (c *Corpus) Index(ctx context.Context, tools []*model.Tool, toolsets Toolsets, r Recipe) (*Index, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	numbers, documents, err := c.documents(ctx, tools, toolsets)
	if err != nil {
		return nil, err
	}
	x := &Index{
		recipe:      r,
		lexicon:     c.lexicon,
		stems:       c.stems,
		vocabulary:  numbers,
		documents:   documents,
		presences:   r.presences(numbers.tallies.list),
		gramWeights: r.gramWeights(),
		champions:   new(retrieval.Remembered[uint32]),
		crowds:      new(retrieval.Remembered[uint32]),
		searchers:   new(sync.Pool),
	}
	x.average = x.averageLength()
	if x.lists, err = retrieval.BuildLists(ctx, numbers.terms.Len(), len(documents), source{x}, x.notes); err != nil {
		return nil, err
	}
	x.setIDF()
	if err := x.setGramIDF(ctx); err != nil {
		return nil, err
	}
	if err := x.setStats(ctx); err != nil {
		return nil, err
	}
	x.names = newNameTable(documents, func(d *document) string { return d.name })
	x.originals = newNameTable(documents, func(d *document) string { return d.original })
	x.servers, x.serverCount = numberServers(tools)
	x.seed = c.seeds[0]
	x.searchers.New = func() any { return newSearcher(x) }
	return x, nil
}

// Len returns the number of documents.
func (x *Index) Len() int { return len(x.documents) }

// averageLength returns the average weighted number of tokens of the tools, or 1
// when no tool has any. It adds integers, so that the sum does not depend on the
// order.
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

// source implements retrieval.Documents for the documents of an index.
type source struct{ x *Index }

// Terms returns the distinct terms of a document.
func (s source) Terms(doc int, terms []uint32) []uint32 {
	r := s.x.documents[doc].record
	for _, t := range r.once() {
		terms = append(terms, t&termMask)
	}
	return append(terms, r.often()...)
}

// Postings returns the distinct terms of a document with their impacts.
func (s source) Postings(doc int, terms []uint32, impacts []uint16) ([]uint32, []uint16) {
	r, recipe := s.x.documents[doc].record, &s.x.recipe
	norm := recipe.lengthNorm(r.length(&recipe.Fields), s.x.average)
	var once [fields]uint16
	for f := range once {
		once[f] = recipe.impact(recipe.Fields[f], norm)
	}
	for _, t := range r.once() {
		terms, impacts = append(terms, t&termMask), append(impacts, once[t>>fieldShift])
	}
	terms = append(terms, r.often()...)
	for _, n := range r.tallies() {
		impacts = append(impacts, recipe.impact(s.x.presences[n].frequency, norm))
	}
	return terms, impacts
}

// manyTallies stands for the number of a tally that is too large for a note. It is
// read from the record.
const manyTallies = math.MaxUint16

// notes returns, for each term that Postings returns, the number of its tally + 1.
func (x *Index) notes(doc int, notes []uint16) []uint16 {
	r := x.documents[doc].record
	for _, t := range r.once() {
		notes = append(notes, uint16(t>>fieldShift)+1)
	}
	for _, n := range r.tallies() {
		notes = append(notes, uint16(min(n+1, manyTallies)))
	}
	return notes
}

// stats are the figures of one document that depend on the whole catalog.
type stats struct {
	norm        float64 // see Recipe.lengthNorm
	description float64 // sum of the idf of the terms of its description
	name        float64 // sum of the idf of the terms of its name
	letters     float64 // Euclidean length of the vector of its trigrams
}

// setIDF sets the idf of the terms.
func (x *Index) setIDF() {
	x.idf = make([]float64, x.lists.Terms())
	for id := range x.idf {
		df := x.lists.Term(uint32(id)).DF
		if df == 0 {
			continue
		}
		background := 0.0
		if id < len(x.lexicon.Background) {
			background = x.lexicon.Background[id]
		}
		x.idf[id] = x.recipe.idf(int(df), x.Len(), background)
	}
}

// setGramIDF sets the idf of the trigrams.
func (x *Index) setGramIDF(ctx context.Context) error {
	parts := make([][]uint32, retrieval.Parts(x.Len())) // df per trigram
	for i := range parts {
		parts[i] = make([]uint32, min(x.vocabulary.grams.Len(), maxTrigrams))
	}
	err := retrieval.Parallel(ctx, x.Len(), len(parts), func(part, from, to int) {
		df := parts[part]
		for i := range x.documents[from:to] {
			for _, g := range x.documents[from+i].record.trigrams() {
				df[g>>gramShift]++
			}
		}
	})
	if err != nil {
		return err
	}
	x.gramIDF = make([]float64, len(parts[0]))
	for id := range x.gramIDF {
		df := 0
		for _, part := range parts {
			df += int(part[id])
		}
		x.gramIDF[id] = gramIDF(df, x.Len())
	}
	return nil
}

// setStats sets the figures of the documents.
func (x *Index) setStats(ctx context.Context) error {
	x.stats = make([]stats, x.Len())
	return retrieval.Parallel(ctx, x.Len(), retrieval.Parts(x.Len()), func(_, from, to int) {
		for doc := from; doc < to; doc++ {
			r := x.documents[doc].record
			x.stats[doc] = stats{
				norm:        x.recipe.lengthNorm(r.length(&x.recipe.Fields), x.average),
				description: x.idfSum(r, Description),
				name:        x.idfSum(r, Name),
				letters:     x.trigramLength(r),
			}
		}
	})
}

// idfSum returns the sum of the idf of the distinct terms of a field whose tokens
// the record has.
func (x *Index) idfSum(r record, f Field) float64 {
	sum := 0.0
	from, to := r.span(f)
	for _, token := range r.tokens()[from:to] {
		if token&fieldAgain == 0 {
			sum += x.idf[token]
		}
	}
	return sum
}

// trigramLength returns the Euclidean length of the vector of the trigrams of a
// document.
func (x *Index) trigramLength(r record) float64 {
	sum := 0.0
	for _, g := range r.trigrams() {
		w := x.gramWeights[g&gramCounts] * x.gramIDF[g>>gramShift]
		sum += float64(w * w)
	}
	return math.Sqrt(sum)
}
