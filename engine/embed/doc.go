// Package embed gives tools and messages vectors and says how alike they are.
//
// It holds the interfaces of the semantic leg of pre-selection (Embedder,
// Similarity), the text of a tool that is embedded (Template), and Vectors: a
// dense index that is kept in a file, embeds only what changed, and survives
// a crash at any moment of its writing.
//
// Goals: a start that costs no embedding when nothing changed; no trust in
// the bytes of a file; the same vectors for the same tools.
//
// Non-goals: embedding itself, which the packages below this one do;
// approximate search, since a registry has thousands of tools and not
// millions; ranking and fusion, which package selection does.
package embed
