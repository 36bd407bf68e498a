package fielded

import (
	"context"
	"math"
	"math/bits"
	"slices"
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
	postings    *retrieval.Postings
	tallies     []uint16  // of each posting the number of its tally, term by term; nil where a number is too large
	tallyStarts []uint32  // where those of each term begin
	idf         []float64 // of terms; 0 when no tool has the term
	gramIDF     []float64
	gramWeights *[gramCounts + 1]float64
	stats       []stats
	names       nameTable
	originals   nameTable // those on their servers
	begins      []uint64  // bits of the hashes of the first two words of all names
	servers     []uint32  // of each document, see numberServers
	serverCount int
	searchers   *sync.Pool
	meanings    *Meanings // nil: it listens to none
}

var _ retrieval.Ranker = (*Index)(nil)

// Index returns the index of a catalog: document i is tools[i]. It keeps no
// tool. toolsets returns titles and descriptions of toolsets; it may be nil. It
// is an error when r is out of range, when the context ends, and when a catalog
// has more than 2^29 words.
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
		gramWeights: new([gramCounts + 1]float64),
		searchers:   new(sync.Pool),
	}
	x.average = x.averageLength()
	for i := range x.gramWeights { // by the pair of counts
		if count := float64(i>>countBits) + r.ToolsetLetters*float64(i&countMask); count > 0 {
			x.gramWeights[i] = max(0.05, 1+math.Log(count))
		}
	}
	if x.postings, err = retrieval.NewPostings(ctx, numbers.terms.Len(), len(documents), x.terms); err != nil {
		return nil, err
	}
	x.numberTallies()
	x.idf = make([]float64, x.vocabulary.terms.Len())
	for id := range x.idf {
		df := x.postings.DF(uint32(id))
		if df == 0 {
			continue
		}
		background := 0.0
		if id < len(x.lexicon.Background) {
			background = x.lexicon.Background[id]
		}
		x.idf[id] = x.recipe.idf(df, x.Len(), background)
	}
	df := make([]int, min(x.vocabulary.grams.Len(), maxTrigrams))
	for i := range x.documents {
		for _, g := range x.documents[i].record.trigrams() {
			df[g>>gramShift]++
		}
	}
	x.gramIDF = make([]float64, len(df))
	for id, n := range df {
		x.gramIDF[id] = math.Log(float64(1+x.Len())/float64(1+n)) + 1
	}
	x.stats = make([]stats, x.Len())
	for doc := range x.documents {
		r := x.documents[doc].record
		x.stats[doc] = stats{
			norm:        x.recipe.lengthNorm(r.length(&x.recipe.Fields), x.average),
			description: x.idfSum(r, Description),
			name:        x.idfSum(r, Name),
		}
		squares := 0.0
		for _, g := range r.trigrams() {
			w := x.gramWeights[g&gramCounts] * x.gramIDF[g>>gramShift]
			squares += float64(w * w)
		}
		x.stats[doc].letters = math.Sqrt(squares)
	}
	x.names = newNameTable(documents, c.seeds[0], func(d *document) string { return d.name })
	x.originals = newNameTable(documents, c.seeds[0], func(d *document) string { return d.original })
	x.begins = make([]uint64, 1<<bits.Len(uint(len(documents)/4)))
	for i := range documents {
		for _, hash := range documents[i].firstTwo {
			x.begins[hash>>7&uint32(len(x.begins)-1)] |= 1 << (hash >> 1 % 64)
		}
	}
	x.servers, x.serverCount = numberServers(tools)
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

// terms appends the distinct terms of a document with their saturations.
func (x *Index) terms(doc int, terms []uint32, saturations []float64) ([]uint32, []float64) {
	r, recipe := x.documents[doc].record, &x.recipe
	norm := recipe.lengthNorm(r.length(&recipe.Fields), x.average)
	var once [fields]float64
	for f := range once {
		once[f] = recipe.saturation(recipe.Fields[f], norm)
	}
	for _, t := range r.once() {
		terms, saturations = append(terms, t&termMask), append(saturations, once[t>>fieldShift])
	}
	terms = append(terms, r.often()...)
	for _, n := range r.tallies() {
		saturations = append(saturations, recipe.saturation(x.presences[n].frequency, norm))
	}
	return terms, saturations
}

// numberTallies sets the tallies of the postings, and where those of each term begin.
func (x *Index) numberTallies() {
	if len(x.presences) > math.MaxUint16 {
		return
	}
	count := uint32(0)
	x.tallyStarts = make([]uint32, x.vocabulary.terms.Len())
	for id := range x.tallyStarts {
		x.tallyStarts[id] = count
		count += uint32(x.postings.DF(uint32(id)))
	}
	next := slices.Clone(x.tallyStarts)
	x.tallies = make([]uint16, count)
	for i := range x.documents {
		r := x.documents[i].record
		for _, t := range r.once() {
			id := t & termMask
			x.tallies[next[id]] = uint16(t >> fieldShift)
			next[id]++
		}
		numbers := r.tallies()
		for i, id := range r.often() {
			x.tallies[next[id]] = uint16(numbers[i])
			next[id]++
		}
	}
}

// stats are the figures of one document that depend on the whole catalog.
type stats struct {
	norm        float64 // see Recipe.lengthNorm
	description float64 // sum of the idf of the terms of its description
	name        float64 // sum of the idf of the terms of its name
	letters     float64 // Euclidean length of the vector of its trigrams
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
