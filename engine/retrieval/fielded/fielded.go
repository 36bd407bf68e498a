// Package fielded ranks the tools of a catalog by the words in all fields of
// their definitions, without a neural model. It is the ranker "fielded".
//
// Goals:
//   - Words match in any form, case and script: inflected English, camel case,
//     traditional and simplified Chinese, a single Chinese character within a
//     word. A tool is found by its name, by a misspelled name in a long sentence,
//     and by the name that it has on its server. A tool is also found by words
//     that people use and its definition does not (retrieval.Lexicon).
//   - Explain returns the score as a tree of sums. Read returns how each word of a
//     query is looked up.
//   - A query costs microseconds at any size of the catalog. A new index of
//     mostly known tools costs little.
//
// Non-goals: the limits and faults of tool_search (package engine), embeddings,
// learning from use, and word forms of languages other than English.
//
// # From text to terms
//
// A text is cut into words by words.Cutter. Stop words (retrieval.Lexicon) are
// dropped. The term of any other word is its English stem, or the word itself
// when it has characters beyond ASCII. A tool has eight fields of terms. Field f
// has the weight w(f), which is Recipe.Fields. One of them, OtherForms, has the
// other forms of words: macos for macOS, which is cut in two; oauth for oauth2.
// Another, Translations, has English words for Chinese terms (translation.go).
//
// # BM25F
//
// BM25F adds up the terms t of the query that a tool d has. It has one saturation
// for all fields together (Robertson, Zaragoza and Taylor, "Simple BM25 extension
// to multiple weighted fields", CIKM 2004):
//
//	BM25F(d)         = Σ weight(t) · idf(t) · saturation(t, d)
//	saturation(t, d) = v·(k1+1) / (v+k1)
//	v                = Σ w(f)·tf(t, f, d) / norm(d), over the fields f
//	norm(d)          = 1 - b + b·length(d)/average
//	length(d)        = Σ w(f)·(number of terms in f, repeated ones too)
//	idf(t)           = ln(1 + (N - n + ½) / (n + ½))
//	N                = tools in the catalog + 3000
//	n                = tools in the catalog that have t + 3000·background(t)
//
// tf(t, f, d) is how often t is in field f of d, and average is the average
// length of the tools. OtherForms and Translations do not add to the length. N and
// n count the catalog and 3,000 tools of other servers: background(t) is the share
// of such tools that have t (retrieval.Lexicon). Without them a term would be rare in
// a small catalog although most tools in the world have it.
//
// # The weights of a query
//
// weight(t) is the weight of the word of the query that has the term t. It is 1
// for most words and RequestWord for a word that requests are phrased with, such
// as "please". These rules add terms and change weights:
//
//   - A word is expanded to its synonyms and to the words of its domain, a Chinese
//     term to English words. A word that no tool has is also expanded to terms that
//     are spelled like it, or to the two terms that it is composed of. Only terms
//     that a tool has count. An expansion has the weight of the word times a factor
//     of the Recipe. All expansions to one term together have at most the weight
//     MostExpanded.
//   - A generic verb ("delete", "get") is limited: weight times idf, summed over
//     the verb and its expansions, is at most GenericVerb times the same sum over
//     the words that are neither generic verbs nor request words; see weights.go.
//   - A word that is cut, such as macOS, also counts as a whole if a tool has the
//     whole word. Then the whole has the weight Uncut, and each piece 1 - Uncut.
//
// # Two stages
//
// The first stage finds the best tools by BM25F. The second stage reads the records
// of the best Candidates, and of tools whose name is in the query. The score of such
// a candidate is the sum of these components:
//
//	bm25f        BM25F / M
//	description  DescriptionCoverage · (Σ weight·idf of the query's terms in the description) / (Σ idf of the description's terms)
//	name         NameCoverage · (the same for the name, without expansions)
//	sentence     Sentence · S / M, only when the query has two sentences or more
//	letters      Letters · L / M
//	pairs        Pairs · P / M
//	arguments    Arguments · (the share of the kinds of values in the query that a parameter of d takes)
//	server       ServerSupport · (the largest sum of the components above among the candidates of the toolset of d)
//	pin          0, or the weight of the way in which the query has the name of d; see pins.go
//
// M is always the largest value of that quantity among the candidates, so that
// each quotient is between 0 and 1. A sum over the terms of a description or name
// counts each term once. The quantities are
//
//	S  BM25F with the terms of one sentence of the query; the sentence with the largest S/M counts
//	L  Σ g(d)·g(query) / √(Σ g(d)²), over trigrams, where
//	     g(d)      = gramIDF · max(0.05, 1 + ln(count in the name + ToolsetLetters · count in the toolset's name))
//	     g(query)  = gramIDF · (1 + ln(count in the query))
//	     gramIDF   = ln((1 + tools) / (1 + tools that have the trigram in these names)) + 1
//	P  Σ (idf(t) + idf(u))·v/(v+k1), over the pairs t u of neighbours in the query,
//	     with v = Σ w(f)·(how often t u are neighbours in f) / norm(d)
//
// The trigrams of a word are every three characters in a row of the word with a
// space before and behind it. L is their cosine, times the length of the query's
// vector, which is the same for all tools. Pairs are counted in the name, the
// toolset and the description, after stop words are dropped.
//
// The kinds of values are URLs, e-mail addresses, paths and dates; see values.go. A
// tool without a toolset is alone in its toolset. Only tools that have a content word,
// which is neither a generic verb nor a request word, or an expansion of one, gain
// anything for their toolset; all do if the query has no content word.
//
// A query of several sentences asks for several things. A candidate then loses up
// to the share CoveredAbove of its score for what better ranks cover already; see
// scoring.go. All other tools follow behind the candidates. Their score is
// BM25F / M, less the most that a candidate can lose.
//
// # Example
//
// The query is "crop photo", the Recipe is Default, and the catalog has two tools
// without parameters and without toolset:
//
//	crop_image    Crop a photo.
//	rotate_image  Rotate a photo.
//
// The terms are crop, imag, rotat and photo; "a" is a stop word. The words of the
// query have no expansion to another of these terms and weigh 1 each.
//
// The name has the weight 2.5 and the description 1. Each of these fields has 2
// terms in both tools. So both lengths are 2.5·2 + 1·2 = 7, the average is 7, and
// both norms are 1.
//
// background.txt has the number of tools out of 10,000 that have a term: 31 for
// crop, 32 for photo, 233 for imag and none for rotat. N is 2 + 3000:
//
//	n(crop)  = 1 + 3000·0.0031 = 10.3    idf(crop)  = ln(1 + (3002 - 10.3 + ½)/(10.3 + ½)) = 5.628
//	n(photo) = 2 + 3000·0.0032 = 11.6    idf(photo) = ln(1 + (3002 - 11.6 + ½)/(11.6 + ½)) = 5.514
//	n(imag)  = 2 + 3000·0.0233 = 71.9    idf(imag)  = ln(1 + (3002 - 71.9 + ½)/(71.9 + ½)) = 3.725
//	n(rotat) = 1                         idf(rotat) = ln(1 + (3002 - 1 + ½)/(1 + ½)) = 7.602
//
// With k1 = 0.9, a term that is once in the description has v = 1 and the
// saturation 1·1.9/(1 + 0.9) = 1. The term crop is also in the name of crop_image:
// v = 2.5 + 1 = 3.5, and the saturation is 3.5·1.9/(3.5 + 0.9) = 1.5114.
//
//	BM25F(crop_image)   = 5.628·1.5114 + 5.514·1 = 14.020
//	BM25F(rotate_image) = 5.514·1 = 5.514
//
// DescriptionCoverage is 0.6; NameCoverage, Letters, Pairs and ServerSupport are 0.1 each. Only
// crop_image has trigrams of the query in its name ("cro", "rop" and two with a
// space) and has photo next behind crop, so that it has the largest L and P. The
// query has one sentence and is not the name of a tool.
//
// The components are then
//
//	crop_image: 2.0462
//	  bm25f        1.0000 = 14.020/14.020
//	  description  0.6000 = 0.6·(5.628 + 5.514)/(5.628 + 5.514)
//	  name         0.0602 = 0.1·5.628/(5.628 + 3.725)
//	  letters      0.1000 = 0.1·1
//	  pairs        0.1000 = 0.1·1
//	  server       0.1860 = 0.1·(1.0000 + 0.6000 + 0.0602 + 0.1000 + 0.1000)
//	rotate_image: 0.7101
//	  bm25f        0.3933 = 5.514/14.020
//	  description  0.2522 = 0.6·5.514/(7.602 + 5.514)
//	  server       0.0646 = 0.1·(0.3933 + 0.2522)
//
// Invariants:
//   - The same catalog and query give the same hits with the same scores to the
//     last bit, on any number of cores and whatever the corpus held before.
//   - Hits are ordered by score, then by document: a total order.
//   - The score of a tool that is not a candidate is at most any candidate's.
//   - The values of the children of an explanation add up to its value.
//   - A tool gains nothing because the query has the name of another tool of its toolset.
//   - An Index never changes.
//
// # How it is made fast
//
// What does the query say? A word that was asked before costs one look-up: a
// searcher remembers its term, its trigrams and the terms that are spelled like it
// (query.go).
//
// Which tools are the best by BM25F? The postings of a term have saturation(t, d), so a query
// adds weight times idf times saturation to the sums of the documents of each of its terms. The
// sums are counted by steps, so that few are compared with each other (candidates.go).
//
// What does a candidate have of the query? Tools have few different tallies: a tally is how
// often each field has a term. The frequency Σ w(f)·tf(t, f, d) is computed once for
// each tally when the index is made (record.go). Each posting has the number of its tally. So has
// the record of a tool, which is read where the query has many postings (scan.go). The words in
// their order are read only if the tool has both terms of a pair, and names are compared letter by
// letter only if their lengths allow it (names.go).
//
// Invariants:
//   - A BM25F adds its terms in the order of the query, in float64.
//   - The memory is a function of the index and a word.
//   - Memory is used again by the next query and cleared where it was used.
//
// # Cost
//
// A Corpus reads a tool once, in time proportional to the length of its
// definition. Building an Index takes one pass over the records of its tools. A
// query reads the postings of its terms, and the records of the candidates. It
// allocates only its hits.
//
// All weights and constants are in recipe.go.
package fielded
