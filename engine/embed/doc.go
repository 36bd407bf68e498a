// Package embed computes the similarity of a message and tools from vectors.
//
// It has the interfaces of the semantic ranking of pre-selection (Embedder,
// Similarity), the text of a tool that is embedded (Template), and Vectors, a
// dense index. Vectors is stored in a file, embeds only tools that changed, and
// survives a crash at any moment of its writing.
//
// Goals: a start that costs no embedding when nothing changed; no trust in
// the bytes of a file; the same vectors for the same tools.
//
// Non-goals: embedding itself, which the packages below this one do;
// approximate search, since a registry has thousands of tools and not
// millions; ranking and fusion, which package selection does.
package embed
