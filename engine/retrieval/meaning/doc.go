// Package meaning ranks the tools of a catalog by the meaning of their words: alone, the
// ranker "semantic", and beside the words of package fielded, the ranker "hybrid".
//
// Goals:
//   - A tool is found by words that mean what its definition says and are not in it.
//   - It needs no model: meanings are vectors of words in the binary (Table).
//   - The score is a sum over the words of the query, and Explain names the word of the
//     tool that carries each: "refund ≈ back 0.31".
//   - What the table does not know changes nothing. A query without a word that it knows,
//     such as one in another language, ranks as by fielded, to the last bit, but for a name
//     with a typo.
//   - A search costs a few times that of fielded at any size of the catalog, and an index
//     hardly more.
//
// Non-goals: the order of words, phrases, a neural model.
//
// # What it computes
//
// A word has the row of its stem in the table: v(t) is its direction, of the length 1, and
// own(t) how much it means by itself. Stop words are left out, as in fielded. The vector of
// a tool d, of a query, and of each of its sentences q are the directions of sums over their
// terms t:
//
//	D = Σ ln(1 + tf(t, d)) · idf(t)^0.3 · own(t) · v(t)
//	Q = Σ (1 + ln n(t, q)) · (idf(t) · weight(t) / 5)^0.3 · own(t) · v(t)
//
// tf counts a word of the name 3 times, of the toolset and the description once, of
// parameter names ½ and of parameter texts ⅕ times. n(t, q) is how often q has t. idf is
// that of fielded, and weight what it gives the word in the query. With S the sentences,
// where the query has two or more,
//
//	cos(q, d)     = Q·D / (|Q|·|D|)
//	nearness(d)   = (A + max(A, S)) / 2    A = max(0, cos(query, d)), S = the largest cos(sentence, d)
//	semantic(d)   = nearness(d) + name(d)
//	hybrid(d)     = words(d) + meaning_weight · (1 + 4·strange⁴) · nearness(d) / (the largest nearness)
//
// strange is the share of the query that no tool has and the table knows, by weight and idf.
// name is what fielded adds because the query has the name of the tool, so that such a tool
// stays first; words has it too. Both also know a name that is said in words, with a typo or
// behind words of its toolset, such as "creat issue" or memory/memory, with an exchange of two
// letters as one edit. A typo counts tenfold where a word of the query is in no tool. Each word of
// a query has its share of a cosine; they add up to it.
//
// words is the score of fielded, but that its expansions listen to the table: a word that no
// tool has is also expanded to the terms near to it (see below), with half of the similarity
// as factor; a word of the table is hardly taken for another misspelled one, with a quarter
// of the factor; and the factor of a term of the domain of a word is multiplied by ½ + 3
// times their similarity, at most 2.
//
// # Which tools are asked
//
// In a catalog of more than reach tools few are compared: the candidates of fielded, and the reach
// tools with the words nearest to those of the query. For each word of the query, of which
// the mostWords rarest count, near are the mostNear terms of the catalog with the largest
// cosines to it, if these are at least leastNear; the word itself is one of them. Where there
// are fewer than fewNear, the next ones are near too, down to barelyNear: few words of a
// small catalog are near to any. The tools with the largest sums of
//
//	idf(word of the query) · own(word) · cosine(word, near term) · saturation(near term, d)
//
// are asked. All others have no meaning: in semantic they
// are not found, in hybrid they have the score of words.
//
// # Example
//
// The query is "refund", the vectors have two numbers, and v(refund) is (1, 0). The tool
// says "reverse payment", of which v(reverse) is (0.6, 0.8), own(reverse) 0.5, v(payment)
// (0.8, 0.6) and own(payment) 1; both have the idf 1:
//
//	D = ln 2 · (0.5·(0.6, 0.8) + (0.8, 0.6)) = (0.762, 0.693)    |D| = 1.030
//	cos = 0.762/1.030 = 0.740
//
// It is the share of refund alone. payment carries most of it: 0.8·1, where reverse has
// 0.6·0.5. If no tool is nearer, and the weight is 0.7, the tool gains 0.7
// in hybrid, or 3.5 if no tool has the word refund.
//
// Invariants:
//   - The score of a tool in hybrid is that of words plus the component, which is above 0
//     or absent.
//   - The same catalog, table and query give the same scores, whatever was asked before.
//   - Hits are ordered by score, then by document.
//   - An Index never changes, but for what it remembers: vectors of tools that were asked,
//     and terms near to words. Both are functions of the index.
//
// The vector of a tool has one byte a number, rounded so that the largest is 127, and is
// made when the tool is asked first: so an index costs a look-up a term, and a tool that
// was never near costs 8 bytes.
//
// # The table
//
// A row is the meaning of one stem of English words (package stem): "refund", "refunds"
// and "refunded" are one. It has a direction, in whole numbers from -7 to 7, and a
// weight, its length before it was rounded, as a share of the longest. The rows were
// trained so that the sum of the rows of a text, each times its weight, has the
// direction in which a neural encoder puts the text (Tulkens and van Dongen,
// "Tokenlearn", 2024, do so for pieces of words). So the weight says how much a word
// means by itself: little for "very", much for "invoice". The folder make has the script,
// and its page says which encoder, with its licence, the texts, and why the numbers are
// what they are.
//
// A word whose stem the table does not have has no meaning here, and adds nothing. Words
// that share a stem and not their meaning share a row all the same: "booking" is "book".
//
// # How near two words are
//
// The similarity of two words is the cosine of their rows a and b:
//
//	similarity = a·b / √(a·a · b·b)
//
// The products are sums of whole numbers, so that the result is the same to the last
// bit everywhere. The vector of a text is Σ weight(w)·a(w)/√(a(w)·a(w)) over its words w,
// each times how often the text has it, as the ranker counts that.
//
// Example:
//
// Two rows of four numbers, (7, 0, 3, 0) and (7, 7, 0, 0): a·b = 49, a·a = 58,
// b·b = 98, and the similarity is 49/√(58·98) = 0.650.
//
// Invariants of the table:
//   - a word has a similarity of exactly 1 to itself, and similarity is symmetric;
//   - a weight is above 0 and at most 1;
//   - a Table is immutable, and so safe for concurrent use.
//
// A word is stemmed and found by binary search; similarity costs one pass over two
// rows.
package meaning
