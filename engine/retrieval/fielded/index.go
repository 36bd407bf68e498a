package fielded

import (
	"context"
	"math"
	"math/bits"
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
	x.postings, err = retrieval.NewPostings(ctx, numbers.terms.Len(), len(documents), x.terms, x.norm, func(tally uint32, norm float64) float64 {
		return r.saturation(x.presences[tally].frequency, norm)
	})
	if err != nil {
		return nil, err
	}
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
	err = retrieval.Parallel(ctx, x.Len(), retrieval.Parts(x.Len()), func(_, from, to int) {
		for doc := from; doc < to; doc++ {
			r, squares := x.documents[doc].record, 0.0
			for _, g := range r.trigrams() {
				w := x.gramWeights[g&gramCounts] * x.gramIDF[g>>gramShift]
				squares += float64(w * w)
			}
			x.stats[doc] = stats{x.norm(doc), x.idfSum(r, Description), x.idfSum(r, Name), math.Sqrt(squares)}
		}
	})
	if err != nil {
		return nil, err
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

// terms appends the distinct terms of a document with the numbers of their tallies. Tally f belongs to a term that
// is once in field f.
func (x *Index) terms(doc int, terms, tallies []uint32) ([]uint32, []uint32) {
	r, from := x.documents[doc].record, len(terms)
	terms, tallies = append(terms, r.once()...), append(tallies, r.once()...)
	for i := from; i < len(terms); i++ {
		terms[i] &= termMask
		tallies[i] >>= fieldShift
	}
	return append(terms, r.often()...), append(tallies, r.tallies()...)
}

// norm returns the length norm of a document, 1 - b + b*length/average. The conversions to
// float64, here and elsewhere, forbid fused operations, which only some processors have and
// which would change the last bit.
func (x *Index) norm(doc int) float64 {
	return 1 - x.recipe.B + float64(x.recipe.B*x.documents[doc].record.length(&x.recipe.Fields))/x.average
}

// stats are the figures of one document that depend on the whole catalog.
type stats struct {
	norm        float64 // see Index.norm
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
