// Package postings finds the documents with the largest sums of weighted terms,
// with integers.
//
// A document is a bag of terms, each with an impact of 1 to 65535: how much the
// term counts in the document. A plan is a set of terms, each with a weight. The
// sum of a document is
//
//	Σ weight(t) · impact(t, d)
//
// over the terms t of the plan that the document d has. It stands for the score of
// the caller, rounded.
//
// Goals:
//   - fast: a search touches few documents, reads memory in order, and does not
//     allocate;
//   - exact: Top returns what adding up every document would, and Candidates, and
//     Best with Rest, leave out no document that could be among the best by real
//     numbers, which impacts and weights round (see weights.go).
//
// Non-goals: text and tokens, the meaning of impacts, scores in floating point,
// changing lists, storage.
//
// # How
//
// A Dictionary numbers the terms. Build makes Lists of documents. A rare (sparse)
// term has the documents that have it, with their impacts. A frequent (dense) term,
// which an eighth of the documents have, has a column with an impact for every
// document, and a bitmap. A posting may also have a note, a number of the caller that
// no search reads. A Searcher adds the sparse terms to the sums, the rarest
// first, until no document without a sum can be among the best, and completes the
// sums of the few that can (candidates.go). When that never happens, it adds the
// columns in one pass over all documents (columns.go). This is term-at-a-time
// evaluation of impact-ordered scores with early termination; see Anh and Moffat,
// "Pruned query evaluation using pre-computed impacts" (SIGIR 2006).
//
// A sum bounds the score of its document from above, by little for the document
// itself and by much for what any document may lose by rounding. So Best returns
// the k documents with the largest sums, whose scores the caller computes. The k-th
// of these scores is a threshold: Rest returns the other documents whose sums reach
// it, which are few.
//
// # Example
//
// Three documents have the impacts
//
//	      tide  harbour
//	d0    500   200
//	d1          700
//	d2    100
//
// The plan is tide with weight 3 and harbour with weight 1. The sums are 1700 for
// d0, 700 for d1 and 300 for d2, so the best two are d0 and d1. tide is searched
// first. Then d0 has 1500 and d2 has 300, and harbour can add at most 700. For the
// best one, d1 cannot reach 1500: harbour is only added to the documents that can,
// here d0.
//
// Invariants:
//   - sums are below 2^31;
//   - the sum of a document is at least its score, in the unit of the sums;
//   - the same documents and plan give the same answer, on any number of cores,
//     and whatever the dictionary had before;
//   - ties are in document order.
//
// A search costs at most the postings of the sparse terms of its plan and the
// columns of the dense ones, and mostly a part of them.
package postings
