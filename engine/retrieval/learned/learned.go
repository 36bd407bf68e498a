// Package learned ranks the tools of a catalog by the words of their definitions and
// by the user's own labelled queries. It is the ranker "learned": package fielded, or
// hybrid (package meaning), and one component more.
//
// Goals:
//   - A tool is found by the words of requests that it is known to answer, also where
//     its definition has none of them.
//   - The component is a sum over words, like every other: Explain names the words, and
//     Taught the labelled queries that they come from.
//   - Labels that do not help do not count: see "What it weighs". Without labels the
//     ranker is fielded, to the last bit, or hybrid (package meaning) where meaning counts.
//   - A tool that no label names yet, such as one of a new server, loses little by the labels
//     of others: see "What lost against the share".
//   - A labelled query is measured without what was learned from it (Without).
//
// Non-goals: weights for the components of fielded, negative evidence, and reading files
// of labels (package labels).
//
// # What it computes
//
// A text has the distinct words that fielded looks up, without stop words and expansions.
// The vector of a text has √idf(t) for each of its words t and the length 1:
//
//	u(t) = √idf(t) / √(Σ idf of the words of the text)
//
// idf is fielded's over the catalog, so that one more label changes no weight of a
// word. A lesson is a labelled query: a text, with the tools that answer it. What n(d)
// lessons taught of a tool d is the sum of their vectors, each shared among
// the tools that its lesson names:
//
//	s(d) = Σ u(lesson) / √(tools of the lesson)
//
// The component is the cosine of the query and that sum. It is held back where few
// lessons name the tool:
//
//	learned(d) = weight · n(d)/(n(d)+2) · Σ r(t)·u(query, t)·s(d, t) / |s(d)|
//
// r(t) holds back the words that lessons of many tools have, such as those of any request
// ("please", "want"), which are often rare in definitions: of T tools that lessons name, n have
// the word in one,
//
//	r(t) = ( ln((T+1)/(n+½)) / ln((T+1)/1½) )^¼
//
// which is 1 for a word of one tool alone.
//
// A tool that no lesson names would fall behind all that are named, the deeper the more
// lessons there are. So it gains a share of its score, which is u times what a named tool
// gains that is as near to the best score: the mean of what the most like tool gains for
// this query, and of what lessons add to a tool that answers (typical):
//
//	learned(d) = score(d)/best score · u · (max learned + weight·typical)/2
//
// score is fielded's, also where meaning counts, which is added to the sum of both.
//
// # What it weighs
//
// The weight and u are taken from Weights and shares: those with which the lessons answer each other
// best. The lessons are dealt to five folds, so that all of one task (Lesson.Group,
// otherwise the same text) are in one fold, and so are the tools. The lessons of a fold are
// asked of an index that learned from the other four, of tools that are not in the fold:
// G is the gain of their mean nDCG@10. Lessons that name only tools of the fold, which are
// now hidden, are asked too: L is the loss of their mean. G - 2·max(0, L+0.003) is to be the
// largest: what new tools lose counts twice, and from the first 0.003 that they do not gain,
// because each further label takes a little from them. The weight is 0 if G is not above its
// standard error, and with fewer lessons than MinLessons. At most maxAsked lessons are
// asked, those whose fingerprints are least.
//
// # What lost against the share
//
// Other rules for tools that no lesson names, on the nine development sets with a fifth of
// the tools unlabelled, three times, and one weight for all sets. First what queries for
// labelled tools gain, then what those for unlabelled ones do, in points of nDCG@10, as
// means over the sets; all but the first two on a third to a half of the queries of the four
// largest sets, where the share has 2.8 and -0.5 (weight 3) and 3.5 and -1.4 (weight 6):
//   - the share with u = 1, weight 4: 3.2 and -0.6
//   - a tool keeps its place, below as many labelled tools as by fielded: 1.2 and -0.4 (weight
//     2), 1.6 and -0.4 (weight 4), as most of the first ten are unlabelled in seven sets
//   - the mean gain of the labelled tools among the first eight by fielded, weight 3: 3.6
//     and -1.8
//   - the mean of the five largest gains, weight 3: 3.8 and -0.7, but BFCL loses 1.7 where
//     the share loses 0.2
//   - all damped by how far the most like is above the second, u = 0.6, weight 6: 3.8 and -1.1
//   - the square of the component, the most like lesson alone, their geometric mean, the part
//     above half of what the lessons of a tool gain by each other: 1.0 to 4.2 and 0.5 to -2.3
//
// Lessons that name hidden tools beside others, asked for the hidden ones when the weight is
// chosen, change little: without r all queries gain 5.4 and lose 0.8, and 5.3 and 0.7 without them.
//
// Two more on all queries, unlabelled tools dealt three times, twelve in the smaller sets, where
// the share with u = 0.8 has 4.0 and -1.9 and with u = 1 3.1 and -0.6 (weight 4):
//   - the definition of a tool as a lesson about it, at half weight: 4.6 and -3.6, -5.8 to
//     -10.8 in four sets
//   - the component without r, weights chosen: over fielded MetaTool has 7.7 and -0.1, BFCL 5.5
//     and -0.8, the queries that need two tools 16.0 and -6.9; with r 8.1 and 0.8, 5.8 and -0.4,
//     14.9 and -4.9; with r² 8.2 and 0.9, 5.4 and -0.3, 12.4 and -3.4. Over hybrid BFCL has -1.2,
//     -1.0 and -0.9
//   - a tool borrows the largest product of what a labelled one gains and the cosine of both
//     definitions, beside u = 0.4: 4.8 and -1.2; beside 0.6: 3.7 and -0.4. It is better, and
//     each query compares definitions
//
// No such rule gives all sets at most a point of loss and four fifths of what labels give
// without one. The best weights for each set, chosen by the answers, do so in five of the nine
// where tools borrow, and in four with the share. A linear sum of seventeen features of
// score, component and tool, fitted to the answers themselves, still loses 2.8 in livemcp_xl where it
// gains 6.5 (of 11.9), and 2.0 in metatool_multi where it gains 11.6 (of 23.4). For a query does not
// show that its answer has no label: the largest component tells the two kinds apart with an
// AUC of 0.54 to 0.60 in five sets.
//
// # Example
//
// The lesson "book a table" names reserve_seat. Its words are book, of idf 6.25, and
// tabl, of idf 5.76; their square roots are 2.5 and 2.4, and √(6.25+5.76) is 3.4655, so
// that u has 0.7214 and 0.6925. No other lesson names the tool, so s is u, |s| is 1 and
// n/(n+2) is 1/3. The query "book flight", whose flight has the idf 4, has u(book) =
// 2.5/√(6.25+4) = 0.7809; r(book) is 1, as one tool has it. With the weight 2 the tool gains
//
//	2 · 1/3 · 0.7809·0.7214 = 0.3756
//
// No lesson names book_flight, whose score of 1.2 is the best. With u = 0.8 and typical
// 0.25 it gains 1 · 0.8 · (0.3756 + 2·0.25)/2 = 0.3502.
//
// Invariants:
//   - The score of a tool is fielded's or hybrid's plus the component, which is never
//     below 0.
//   - The same catalog, lessons and query give the same scores on any machine.
//   - With(lessons) and Without(lessons) score as an index made with or without them that
//     has the same weight, but for rounding.
//   - An Index never changes.
//
// # What one more lesson costs
//
// New reads every lesson, some 10 µs each, and asks up to 400 of them for the weight. With
// and Without read the added lessons, and sum anew only the lessons about the tools that they
// name; the new index shares everything else with the old one. The cost does not depend
// on the number of lessons, but for those that name the same tools. The weight is kept:
// one lesson of many does not change it. Stale says when it should be chosen anew, by New,
// which can be done in the background: after more changes than a tenth of the lessons, or
// than 128, as each is asked beside the lists of the others.
package learned

import (
	"context"
	"math"

	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/meaning"
	"caliper/model"
)

// Weights are the weights that are tried, the least first.
var Weights = []float64{0.5, 1, 1.5, 2, 3, 4, 6, 9}

// support is how many lessons must name a tool for half of what they taught to count.
const support = 2

// Lesson is a labelled query to learn from.
type Lesson struct {
	ID    string
	Text  string
	Group string   // of the task; empty: the text is the task
	Tools []string // names of the tools that answer it, each once
}

// Index ranks one catalog. It implements retrieval.Ranker and is safe for concurrent
// use.
type Index struct {
	base    *fielded.Index // to whose scores is added; where meaning counts it is meant.Words()
	meant   *meaning.Index // nil: meaning does not count
	core    *core
	changes changes // since the core was made
	support Support
}

// New returns an index of a catalog that learned from lessons. base is the index of the
// same catalog, and meant is the meaning over it that counts too; it may be nil. A lesson
// that names no tool of the catalog teaches nothing. The error is ctx's.
func New(ctx context.Context, base *fielded.Index, meant *meaning.Index, catalog []*model.Tool, lessons []Lesson) (*Index, error) {
	x, err := learn(ctx, base, catalog, lessons)
	if err != nil {
		return nil, err
	}
	x.add(meant)
	x.support, err = x.choose(ctx)
	return x, err
}

// add adds meaning to an index without it. meant may be nil.
func (x *Index) add(meant *meaning.Index) {
	if x.meant = meant; meant != nil {
		x.base = meant.Words()
	}
}

// learn is New without a weight.
func learn(ctx context.Context, base *fielded.Index, catalog []*model.Tool, lessons []Lesson) (*Index, error) {
	x := &Index{base: base, core: &core{names: documentsByName(catalog), deals: deal(catalog), terms: map[string]int32{}}}
	if err := x.core.read(ctx, base, lessons); err != nil {
		return nil, err
	}
	all := make([]int32, len(lessons))
	for i := range all {
		all[i] = int32(i)
	}
	x.core.learn(all, nil)
	return x, nil
}

// unit replaces the idf of the words of a text by their weights in its vector.
func unit(words []fielded.QueryWord) []fielded.QueryWord {
	sum := 0.0
	for _, w := range words {
		sum += w.IDF
	}
	length := math.Sqrt(sum)
	for i := range words {
		words[i].IDF = math.Sqrt(words[i].IDF) / length
	}
	return words
}

// scale returns what the sum over the words of a query is multiplied by, but for the
// weight.
func scale(lessons int, length float64) float64 {
	if length == 0 {
		return 0 // its lessons have only stop words
	}
	return float64(lessons) / float64(lessons+support) / length
}
