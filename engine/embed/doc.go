// Package embed computes the similarity of a message and tools, from vectors or
// from the letters of words.
//
// It has the interfaces of the semantic ranking of pre-selection (Embedder,
// Similarity), the text of a tool that is embedded (Template), and Vectors, a
// dense index. Vectors is stored in a file, embeds only tools that changed, and
// survives a crash at any moment of its writing.
//
// Goals: a start that costs no embedding when nothing changed; no trust in
// the bytes of a file; the same vectors for the same tools.
//
// Non-goals: approximate search, since a registry has thousands of tools and not
// millions; ranking and fusion, which package selection does.
//
// # Servers
//
// RemoteClient asks a server for vectors: one that speaks the API of Ollama,
// or one that speaks the embeddings API of OpenAI.
//
// Goals: an answer that is wrong in any way (fewer vectors, another order,
// another length, half a body, a page of HTML) becomes an error that says so
// and never a wrong vector; a server that is busy gets another try, later; a
// caller that stops waiting is let go at once; a secret (the key, and
// credentials within the url) goes to the one server it is for, and nowhere
// else.
//
// Non-goals: starting servers or pulling models, keeping vectors (Vectors
// does), several requests at a time, and reading the environment: the caller
// gives the key, and an HTTP client of its own where a proxy is wanted.
//
// # Without a model
//
// FuzzyIndex compares a message with tools by the letters of their words:
// the similarity that is built in and needs no model.
//
// Goals:
//   - typos, word forms and parts of words lead to the tools that have the correct
//     word;
//   - a floor: small talk is like no tool, and one mistyped main word is like its
//     tool, however long the message or the tool's description is;
//   - fast: a few thousand tools cost a fraction of a millisecond.
//
// Non-goals: meaning (no synonyms; that is why it is called fuzzy everywhere and
// never semantic), exact names (the keyword ranking), stemming, storage.
//
// How it works. Name, toolset, description and parameter names are cut into words
// by words.Cutter. A word is the vector of its character 3- to 5-grams, with a
// space at both ends, weighted by idf over the words of the tools. The likeness of
// two words is the square of the cosine of their vectors, or 0 below a bound
// (fuzzy_words.go). Words at an edit distance of 1 (words.Alignment) of n letters have a
// likeness of at least 1 - 1.5/n, because few grams survive an exchange in a short
// word: "brnach" has 2 of the 15 grams of "branch", and a likeness of 0.75.
//
// Words are compared, not whole tools, so that there can be a floor. Over whole
// tools, a mistyped main word of a tool with a long description has a lower cosine
// than "hello" has with a tool that has little but "shell".
//
// A word m of the message adds to a tool, weighted by the kind of m,
//
//	max over the words w of the tool: likeness(m, w) · rarity(w) · about(w, tool)
//
// where rarity is lower the more tools have w, and about is higher the more of the
// tool is w: field weights times 1 + ln(count), saturated by the length as in BM25.
// The sum E over the words of the message becomes the score E/(1+E), which is
// between 0 and 1 and does not fall when a message gets longer. All
// weights are in fuzzy.go.
//
// Invariants:
//   - the same tools and message give the same scores, to the last bit, whatever
//     was asked before and by how many goroutines at a time;
//   - a word of the message counts once, however often it is repeated.
//
// A word costs the entries of its grams and of the words like it.
//
// # Static models
//
// Model2Vec embeds texts with a static model from a local folder: a table with
// one vector for each token. A text's vector is their mean.
//
// It reads the folders that model2vec and sentence-transformers write
// (safetensors in F32, F16, BF16, F64 or I8, with or without weights and a
// mapping) and tokenizes with WordPiece as BERT does. Source of the layout and
// of the computation: github.com/MinishLab/model2vec.
//
// Goals: the vectors that model2vec gives; a model of hundreds of megabytes
// held once, in the type it is stored in; no network; an error that names the
// file and its fault, whatever its bytes.
//
// Non-goals: other tokenizers (Unigram, BPE, WordLevel), which are refused;
// neural models; training. model2vec also cuts a text at 512 times the median
// length of its tokens, in characters, before it tokenizes; here only the limit
// of tokens holds, which gives the same vector for any text shorter than that.
package embed
