package retrieval

import (
	"context"
	"math"
	"slices"

	"caliper/model"
)

// bags are the documents of one catalog as bags of words, and the postings
// that BM25 gives them. They never change and are safe for concurrent use.
type bags struct {
	params    Params
	avgdl     float64     // mean number of tokens of a document
	dict      Dictionary  // frozen; numbers terms of other catalogs too
	stems     *StemMemory // nil: terms are words as they are
	documents [][]uint32  // tokens of each document, shared with the corpus
	tokens    int         // of all documents
	lists     *Lists
	names     nameList
	edit      *edit   // nil: the catalog is as the lists have it
	drift     float64 // how far impacts are from the real ones at most, as a share of the largest
}

// newBags makes the bags and postings of a catalog. avgdl is at least shortest.
func (c *Corpus) newBags(ctx context.Context, tools []*model.Tool, p Params, shortest float64) (bags, error) {
	if err := p.check(); err != nil {
		return bags{}, err
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
		b.tokens += len(d)
	}
	if err := b.post(ctx, shortest); err != nil {
		return bags{}, err
	}
	b.names, err = newNameList(ctx, tools)
	return b, err
}

// post makes the postings. The mean length is at least shortest.
func (b *bags) post(ctx context.Context, shortest float64) (err error) {
	b.setLength(shortest)
	b.lists, err = BuildLists(ctx, b.dict.Len(), len(b.documents), source{b}, nil)
	return err
}

// setLength sets the mean length of the documents, which is at least shortest.
func (b *bags) setLength(shortest float64) {
	b.avgdl = 0
	if b.tokens > 0 {
		b.avgdl = max(shortest, float64(b.tokens)/float64(b.Len()))
	}
}

// source implements Documents for bags.
type source struct{ b *bags }

// Terms returns the distinct terms of a document.
func (s source) Terms(doc int, terms []uint32) []uint32 {
	tokens := s.b.documents[doc]
	terms = slices.Grow(terms, len(tokens))[:len(tokens)]
	last, n := uint32(math.MaxUint32), 0
	for _, id := range tokens {
		terms[n] = id
		if id != last {
			n++
		}
		last = id
	}
	return terms[:n]
}

// Postings returns the distinct terms of a document with their impacts.
func (s source) Postings(doc int, terms []uint32, impacts []uint16) ([]uint32, []uint16) {
	tokens := s.b.documents[doc]
	terms, impacts = slices.Grow(terms, len(tokens)), slices.Grow(impacts, len(tokens))
	terms, impacts = terms[:len(tokens)], impacts[:len(tokens)]
	norm := s.b.params.lengthNorm(len(tokens), s.b.avgdl)
	once, n := impact(1, norm), 0
	for i := 0; i < len(tokens); n++ {
		id, tf := tokens[i], 1
		for i++; i < len(tokens) && tokens[i] == id; i++ {
			tf++
		}
		terms[n], impacts[n] = id, once
		if tf > 1 {
			impacts[n] = impact(tf, norm)
		}
	}
	return terms[:n], impacts[:n]
}

// impact returns the impact of a term that occurs tf times in a document of
// the given length norm: its tfNorm as a fraction of the largest possible,
// k1+1, in units of 1/65535 and rounded up.
func impact(tf int, norm float64) uint16 {
	exact := math.MaxUint16 * (float64(tf) / (float64(tf) + norm))
	whole := uint16(exact)
	if float64(whole) < exact {
		whole++
	}
	return whole
}

// Len returns the number of documents.
func (b *bags) Len() int {
	if b.edit != nil {
		return b.edit.size
	}
	return len(b.documents)
}

// scorer computes exact scores of one query. Its memory is used again by the
// next one.
type scorer struct {
	counts        []uint32  // frequency of each term of the query in the document; 0 between documents
	contributions []float64 // of each term to the document's score
}

// begin makes the memory ready for a query of n terms.
func (s *scorer) begin(n int) {
	s.counts = slices.Grow(s.counts[:0], n)[:n]
	s.contributions = slices.Grow(s.contributions[:0], n)[:n]
}

// score returns the score of a document: the sum of the contributions of the
// query's tokens, repeats counted, added in the order of the query. Adding 0
// changes no float, so that tokens the catalog lacks may be left out.
func (s *scorer) score(b *bags, q *query, doc uint32) float64 {
	tokens := b.bag(doc)
	for _, id := range tokens {
		if q.table.MayHold(id) {
			if index := q.table.Find(id); index >= 0 {
				s.counts[index]++
			}
		}
	}
	norm := b.params.lengthNorm(len(tokens), b.avgdl)
	for index, tf := range s.counts {
		s.contributions[index] = 0
		if tf > 0 {
			s.contributions[index] = q.terms[index].idf * b.params.tfNorm(int(tf), norm)
			s.counts[index] = 0
		}
	}
	sum := 0.0
	for _, index := range q.order {
		sum += s.contributions[index]
	}
	return sum
}
