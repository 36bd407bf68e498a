package fielded

import (
	"context"
	"math"

	"caliper/engine/retrieval/postings"
)

// facts are figures of one document that depend on its whole catalog.
type facts struct {
	norm        float64 // by its length
	description float64 // sum of the idf of the terms of its description
	name        float64 // and of its name
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
	parts := make([][]uint32, postings.Parts(x.Len())) // df per trigram
	for i := range parts {
		parts[i] = make([]uint32, min(x.numbers.grams.Len(), maxTrigrams))
	}
	err := postings.Parallel(ctx, x.Len(), len(parts), func(part, from, to int) {
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

// setFacts sets the facts of the documents.
func (x *Index) setFacts(ctx context.Context) error {
	x.facts = make([]facts, x.Len())
	return postings.Parallel(ctx, x.Len(), postings.Parts(x.Len()), func(_, from, to int) {
		for doc := from; doc < to; doc++ {
			r := x.documents[doc].record
			x.facts[doc] = facts{
				norm:        x.recipe.lengthNorm(r.length(&x.recipe.Fields), x.average),
				description: x.mass(r, Description),
				name:        x.mass(r, Name),
				letters:     x.letters(r),
			}
		}
	})
}

// mass returns the sum of the idf of the distinct terms of a field.
func (x *Index) mass(r record, f Field) float64 {
	tokens, sum := r.tokens(), 0.0
	for i, to := r.span(f); i < to; i++ {
		token := tokens[i]
		if token&fieldAgain != 0 {
			continue
		}
		if token&again != 0 {
			token = tokens[token&unmarked]
		}
		sum += x.idf[token&unmarked]
	}
	return sum
}

// letters returns the length of the vector of the trigrams of a document.
func (x *Index) letters(r record) float64 {
	sum := 0.0
	for _, g := range r.trigrams() {
		w := x.gramWeigh[g&gramCounts] * x.gramIDF[g>>gramShift]
		sum += float64(w * w)
	}
	return math.Sqrt(sum)
}
