// Package retrieval ranks the tools of a catalog for a query and explains every
// score: as the reference agent does with BM25 (Index, ranker bm25), and by its
// later rules (Gated, ranker bm25-gated). Both are a Ranker.
//
// Goals:
//   - exact: names, order, ties and scores are those of the textbook formula in
//     float64, at any size of catalog, on every machine;
//   - fast: a query costs microseconds and no allocation but its result;
//   - incremental: a Corpus keeps what it learnt of each tool by content, so
//     that a new index costs the tools that are new;
//   - explainable: Explain returns the very numbers that were added.
//
// Non-goals: limits, clamping and faults of tool_search (package engine),
// fields, semantic search, storage.
//
// How it works. Each tool is analysed once into a list of term ids, a bag. An
// index lays these out with package postings: for each term the documents that
// hold it, with the term's contribution to their score (its impact) rounded up
// to 16 bits. A query adds integers to find the few documents that can be among
// the best, with a proven bound on the rounding, and computes only those in
// float64, term by term in query order (score.go).
package retrieval

import (
	"fmt"
	"math"
)

// Params are the two knobs of BM25.
type Params struct {
	K1 float64 // how soon repeats of a term stop to count, 0..1000
	B  float64 // how much long documents are held back, 0..1
}

// Reference are the parameters of the reference agent.
var Reference = Params{K1: 1.5, B: 0.75}

// check reports parameters with which scores would not be positive, finite
// and increasing with the term frequency.
func (p Params) check() error {
	if !(p.K1 >= 0 && p.K1 <= 1000) {
		return fmt.Errorf("bm25: k1 = %v: want 0 to 1000", p.K1)
	}
	if !(p.B >= 0 && p.B <= 1) {
		return fmt.Errorf("bm25: b = %v: want 0 to 1", p.B)
	}
	return nil
}

// Hit is one tool found: its document number, which is its place in the
// catalog, and its score.
type Hit struct {
	Doc   int
	Score float64
}

// Result is the answer to one query: the hits, best first, ties in catalog
// order. Fallback tells that no token of the query stands in the catalog and
// the hits are the tools whose name contains the query, each with
// FallbackScore.
type Result struct {
	Hits     []Hit
	Fallback bool
}

// FallbackScore is the score of every hit of the literal fallback.
const FallbackScore = 0.1

// idf is the inverse document frequency of a term that stands in df of n
// documents: ln(1 + (n - df + 0.5)/(df + 0.5)), Lucene's variant of Robertson
// and Sparck Jones, which is positive even when df is n.
func idf(df, n int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// lengthNorm is the k1*(1 - b + b*dl/avgdl) of BM25 for a document of dl
// tokens. avgdl must be positive. The conversions forbid fused operations,
// which some machines have and which would change the last bit.
func (p Params) lengthNorm(dl int, avgdl float64) float64 {
	return p.K1 * (1 - p.B + float64(p.B*float64(dl))/avgdl)
}

// tfNorm is the saturated term frequency tf*(k1+1)/(tf + norm). It lies
// between 0 and k1+1 and grows with tf.
func (p Params) tfNorm(tf int, norm float64) float64 {
	return float64(float64(tf)*(p.K1+1)) / (float64(tf) + norm)
}
