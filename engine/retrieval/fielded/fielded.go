// Package fielded ranks the tools of a catalog by the words of all parts of
// their definitions, without a neural model: ranker fielded.
//
// Goals:
//   - good: words meet whatever their form, case and script, traditional Chinese and
//     simplified too, and a single Chinese character within a word; a tool's name, also
//     a misspelled one in a long sentence, finds it, and so does the name that it
//     has on its server; words that people use lead to those that tools are
//     described with (package lexicon); a generic verb outranks no noun;
//   - explained: Explain returns a tree whose leaves add up to the score, and
//     Read tells what became of every word of a query;
//   - fast at any size: a query costs microseconds and no allocation but its
//     result; a new index of mostly known tools costs little;
//   - total: the same catalog and query give the same hits, on any number of
//     cores, and whatever the corpus held before.
//
// Non-goals: limits and faults of tool_search (package engine), embeddings,
// learning from use, languages other than English beyond their words as written.
//
// How it works. Each tool is read once into a record: its words, field by field,
// as stems by number (words.go, analysis.go, record.go). An Index lays them out
// as postings with integer impacts of BM25F (Robertson, Zaragoza, Taylor 2004),
// whose document frequencies are joined with those of tools at large. Words have
// other forms: macOS is mac and os, and macos too; a tool is found by these, but
// is not the longer for them. A query (query.go) is its stems and what these
// bring: synonyms, words of a domain, and for words that no tool holds, such as
// are spelled like them (expand.go). Where a tool holds a word of it in one that
// is cut, as macos, half of the weight is that of the whole and half that of the
// pieces, so that macOS, MacOS and macos meet and none counts twice. Generic
// verbs (generic.go) weigh less than the nouns.
//
// The first stage finds the best documents by BM25F, with a proven bound on the
// rounding of integers. The second reads the records of these candidates and
// adds components in float64: how much of description and name the query
// covers, its best sentence, letters, pairs of neighbours, names (candidates.go,
// components.go, pins.go). When a query has several sentences, better ranks take
// from what they cover already (order.go). Every other tool that holds a word
// follows behind, by BM25F alone, so that the order goes on without a limit.
//
// All weights and constants are in recipe.go.
package fielded
