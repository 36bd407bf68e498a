// Package retrieval ranks the tools of a catalog for a query and explains every
// score, as the reference agent does with BM25 (Index, the ranker "bm25") and by
// its later rules (Gated, the ranker "bm25-gated"). Both implement Ranker, as does
// package fielded.
//
// Goals:
//   - exact: names, order, ties and scores equal the textbook formula's in
//     float64, at any size of the catalog, on every machine;
//   - fast: a query costs microseconds and allocates nothing but its result;
//   - incremental: a Corpus remembers the terms of tools by their content, so that
//     a new index has to read only the tools that are new;
//   - explainable: Explain returns the very numbers that were added.
//
// Non-goals: limits, clamping and faults of tool_search (package engine),
// fields, semantic search, storage.
//
// # What it computes
//
// A tool is the bag of the tokens of its name, description and top-level parameter
// names (Analysis). Its score is the sum over the tokens t of the query, repeated
// ones as often as they occur, of
//
//	idf(t) · tf·(k1+1) / (tf + k1·(1 - b + b·dl/avgdl))
//	idf(t) = ln(1 + (N - df + ½) / (df + ½))
//
// where tf is how often the tool has t, dl the number of its tokens, avgdl the
// mean of that over the N tools of the catalog, and df the number of tools that
// have t. This is BM25 (Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009) with the idf of Lucene, which is positive
// even when all tools have t.
//
// # Example
//
// The catalog has read_file, "Read a file", and list_files, "List all files". The
// tokens of the first are read file read a file, the second's are list files
// list all files; avgdl is 5. The query "read the file" has the tokens read, the
// and file. No tool has "the". The other two have df 1 and tf 2 in the first tool:
//
//	idf   = ln(1 + (2 - 1 + ½)/(1 + ½)) = 0.693
//	score = 2 · 0.693 · 2·2.5/(2 + 1.5·(1 - 0.75 + 0.75·5/5)) = 1.98
//
// The second tool has no token of the query, so the query does not find it.
//
// # How
//
// Each tool is analysed once into a bag of term numbers. An index makes Postings of
// the bags: for each term the documents that have it, with the tf factor of the formula.
// A query adds idf times that factor to the sums of these documents (Sums), token by token in
// the order of the query, and keeps the best in a heap. So every score is the formula's in
// float64, and there is no second way to compute it. Of a query of one common word, only the
// documents with its largest values are read; what many tools have in common is remembered
// (champions), for catalogs in which all tools say the same.
//
// # Early end
//
// Most documents cannot be among the best k. Terms are added from the rarest on. Let sum(d) be
// what document d has then, θ the k-th largest sum, and rest what the terms that were not added can
// still add: idf times the largest tf factor, over all of them. When rest < θ, a document among the
// best has
//
//	sum(d) >= θ - rest
//
// and only such documents get the next term, after which θ is larger, rest is smaller and fewer
// documents are left. The sums of the last ones are made anew in the order of the query, so that
// they are exact. This is MaxScore (Turtle and Flood, "Query evaluation: strategies and
// optimizations", 1995). As reading a posting costs a third of looking a document up in the bitmap
// of a term, it must come early to be worth it: before the first common term is read, θ is
// estimated by what each term gives to its k-th best document, and where that promises nothing, all
// postings are added at once.
//
// With k = 1, the query is "list calendars". Three tools have "calendars", with sums of 4.2, 2.9 and
// 1, and most have "list", which adds at most 1.2. Since 1.2 < 4.2, only tools with 3 or more can be
// the best: the first alone is looked up in "list".
//
// Invariants:
//   - hits are ordered by score, then in catalog order: a total order;
//   - a score is the same to the last bit whatever k is, on any number of cores;
//   - Rank is the rank in a Search without a limit, and Finds whether there is one;
//   - the values of the children of an explanation add up to its value, in order.
//
// A query costs at most two passes over the postings of its tokens, some 1.5 ns for each; an index costs two
// passes over its bags.
//
// # Cache
//
// A Cache keeps what was computed of tools by their content, for the
// catalogs in use and some more.
//
// A cache has a limit that follows the catalogs: the spare size plus twice the
// size of the largest recent catalog, which counts a sixteenth less with each
// later catalog. When the cache is larger, it forgets all but the last catalog, which
// is read again.
//
// With a spare size of 100 and catalogs of size 60, the limit is 220. A fourth
// catalog of new tools makes 240, so the cache forgets the first three.
//
// Invariants:
//   - the values of the last catalog are there;
//   - the cache has at most its limit;
//   - a catalog that cannot be made adds nothing.
//
// To forget costs the reading of one catalog. It comes after as much was added as a
// catalog has, or the spare size, so that its cost is spread over what was added.
//
// # Words
//
// A Lexicon has the lists of words of the ranker "fielded", from the folder lexicon.
//
// Goals: data that can be read and edited as text; stems numbered from 0, so
// that a ranker can look them up by number; the same numbers everywhere.
//
// Non-goals: what a word weighs (package fielded), other languages but for the Chinese
// terms of the glossary.
//
// The files, one entry a line, all in lower case:
//
//   - stop.txt: words that say nothing about a tool.
//   - request.txt: words that requests are phrased with.
//   - generic.txt: verbs, in each form, that tools of any kind are named with.
//   - synonyms.txt: a word and its near synonyms or abbreviations. The word is
//     expanded to each of these, and each of these to the word.
//   - domains.txt: words that tools of a domain are described with, a bar, and
//     words with which people ask for such tools. Each of the latter is expanded
//     to each of the former.
//   - background.txt: stems, and how many of 10,000 tools have them.
//   - glossary.txt: a Chinese term in simplified characters, and English words for it, as
//     tools and their domains are spoken of. It is written by hand, for this project.
//
// Stems:
//
// Stem reduces English words to their stems with the Snowball
// algorithm (Porter2), and remembers them.
//
// Goals: a word that was met before costs no allocation; memory is bounded.
// Non-goals: other languages, stop words, cutting text into words.
//
// # Measures
//
// Measure says how well a ranking answers a labelled query, ComparePaired how two differ.
//
// Goals: the metrics that retrieval papers and the peers of tool search
// publish, defined once and to the letter, for single and for several needed
// capabilities; the same bytes for the same rankings.
//
// Non-goals: reading labelled queries and asking a ranker (package engine),
// significance, plots.
package retrieval

import (
	"math"
)

// Params are the two knobs of BM25.
type Params struct {
	K1 float64 // how soon repeats of a term stop to count, 0..1000
	B  float64 // how much long documents are held back, 0..1
}

// Reference are the parameters of the reference agent.
var Reference = Params{K1: 1.5, B: 0.75}

// Hit is one tool found: its document number, which is its index in the catalog,
// and its score.
type Hit struct {
	Doc   int
	Score float64
}

// Result is the answer to one query: the hits, best first, ties in catalog order.
// Fallback is set when no tool of the catalog has a token of the query and the
// hits are the tools whose name contains the query, each with FallbackScore.
type Result struct {
	Hits     []Hit
	Fallback bool
}

// FallbackScore is the score of every hit of the literal fallback.
const FallbackScore = 0.1

// idf returns the inverse document frequency of a term that df of n documents
// have.
func idf(df, n int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// lengthNorm returns k1*(1 - b + b*dl/avgdl) for a document of dl tokens. avgdl
// must be positive. The conversions to float64, here and elsewhere, forbid fused
// operations, which only some processors have and which would change the last bit.
func (p Params) lengthNorm(dl int, avgdl float64) float64 {
	return p.K1 * (1 - p.B + float64(p.B*float64(dl))/avgdl)
}

// tfNorm returns the saturated term frequency tf*(k1+1)/(tf + norm). It is between
// 0 and k1+1 and grows with tf.
func (p Params) tfNorm(tf int, norm float64) float64 {
	return float64(float64(tf)*(p.K1+1)) / (float64(tf) + norm)
}

// Ranker ranks the tools of one catalog. A document is the index of a tool. A
// Ranker never changes and is safe for concurrent use.
type Ranker interface {
	// Len returns the number of documents.
	Len() int
	// Search returns the k best tools for a query, ties in catalog order: all
	// of them when fewer are found, none when k is not positive.
	Search(query string, k int) Result
	// SearchInto is Search, but appends the hits to dst.
	SearchInto(dst []Hit, query string, k int) Result
	// Scored returns how many tools a query finds: the number of hits of
	// Search without a limit.
	Scored(query string) int
	// Rank returns the rank of a document among all that a query finds, counting
	// from 1, and its score. ok is false when the query does not find it, or when
	// there is no such document.
	Rank(query string, doc int) (rank int, score float64, ok bool)
	// Finds reports whether a query finds a document: whether Search without a
	// limit has it. It is false when there is no such document. It costs a reading
	// of the query and of the document, however many tools the query finds.
	Finds(query string, doc int) bool
	// Explain returns how the score of a document for a query is computed, also
	// when it is 0. The leaves, added in order, are the score. It panics when the
	// catalog does not have the document.
	Explain(query string, doc int) Explanation
}
