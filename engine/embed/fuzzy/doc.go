// Package fuzzy compares a message with tools by the letters of their words:
// the similarity that is built in and needs no model.
//
// Goals:
//   - typos, word forms and parts of words lead to the tools that hold the word
//     as it should be;
//   - a floor: small talk is like no tool, and one mistyped main word is like
//     its tool, however long the message around it or the tool's description;
//   - fast: a few thousand tools cost a fraction of a millisecond;
//   - total: the same tools and message give the same scores, to the bit,
//     whatever was asked before and by how many at once.
//
// Non-goals: meaning (no synonyms; that is why it is called fuzzy everywhere and
// never semantic), exact names (the keyword leg), stemming, storage.
//
// How it works. Name, toolset, description and parameter names are cut into
// words (words.go). A word is its character 3- to 5-grams with marks at both
// ends, weighted by how few words of the tools hold them; two words are as alike
// as the cosine of these, squared, and nothing below a bound (grams.go). Two
// words one edit apart are alike by that (edits.go), since a swap of two letters
// in a short word leaves hardly a gram: "brnach" keeps 2 of the 15 of "branch".
//
// The cosine is taken word by word and not over whole tools, so that a floor can
// be. Over whole tools, a mistyped main word of a tool with a long description
// has a lower cosine than "hello" has with a short tool that says "shell".
//
// What a message word tells of a tool is the best of the tool's words: how alike,
// times how much the tool is about it (field weights, sublinear counts, length
// of the description), times how few tools hold it. The sum E over the words of
// the message becomes the score E/(1+E), which lies between 0 and 1 and does
// not fall as a message grows (scores.go). All weights are in weights.go.
package fuzzy
