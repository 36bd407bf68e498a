// Package postings finds the documents that weigh most for a set of weighted
// terms, with integers.
//
// A document is a bag of terms, each with an impact of 1 to 65535: how much the
// term says of the document. A plan is a set of terms, each with a weight. The
// sum of weight times impact over the terms that a document holds stands for
// its score.
//
// Goals:
//   - fast: a search touches few documents, reads memory in order, and does
//     not allocate;
//   - exact: Top is what adding up every document would give, ties in document
//     order; Candidates leaves out no document that could be among the best by
//     real numbers, which impacts and weights round (see weights.go);
//   - total: the same documents and plan give the same answer, on any number
//     of cores, and whatever the dictionary held before.
//
// Non-goals: text and tokens, what an impact means, scores in floating point,
// changes to what was laid, storage.
//
// How it works. A Dictionary numbers the terms. Lay turns documents into Lists:
// of a rare (sparse) term, the documents that hold it; of a frequent (dense)
// one, a column with an impact for every document and a bitmap. A Searcher adds
// up sparse terms, rarest first, until no document without a sum can be among
// the best, and completes the few that can (candidates.go); or, if that never
// happens, adds the columns in one pass over all documents (columns.go).
package postings
