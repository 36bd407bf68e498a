package retrieval

// Ranker ranks the tools of one catalog, whose documents are its places. It
// never changes and is safe for concurrent use.
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
	// Rank returns the place of a document among all that a query finds, from
	// 1, and its score; ok is false when the query does not find it, or when
	// there is no such document.
	Rank(query string, doc int) (rank int, score float64, ok bool)
	// Explain tells how a document came to its score for a query, 0 included.
	// The leaves, added in order, are the score. A document the catalog does
	// not have is a panic.
	Explain(query string, doc int) Explanation
}
