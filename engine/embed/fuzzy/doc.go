// Package fuzzy compares a message with tools by the letters of their words:
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
// (grams.go). Words at an edit distance of 1 (words.Alignment) of n letters have a
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
// between 0 and 1 and does not fall when a message gets longer (scores.go). All
// weights are in weights.go.
//
// Invariants:
//   - the same tools and message give the same scores, to the last bit, whatever
//     was asked before and by how many goroutines at a time;
//   - a word of the message counts once, however often it is repeated.
//
// A word costs the entries of its grams and of the words like it. What it tells is then
// remembered, so that in a message after that it costs the tools that it is like.
package fuzzy
