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
//     of others: see "What it computes".
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
// lessons there are. So the tool with the best score gains what lessons add in the mean to
// a tool that answers a query (typical), times u, if no lesson names it, and others that
// none names gain a share of that:
//
//	learned(d) = weight · u·typical · score(d)/best score
//
// score is the one without lessons, with meaning where that counts.
//
// # What it weighs
//
// The weight and u are taken from Weights and shares: those with which the lessons answer each other
// best. The lessons are dealt to ten folds, so that all of one task (Lesson.Group,
// otherwise the same text) are in one fold, and so are the tools. The lessons of a fold are
// asked of an index that learned from the other nine, of tools that are not in the fold:
// G is the gain of their mean nDCG@10. Lessons that name only tools of the fold, which are
// now hidden, are asked too: L is the loss of their mean. G - l - 70l² is to be the largest,
// where l is max(0, L+0.007): what new tools lose counts the more the more it is, because they
// are to lose a point at most, and from the first 0.007 that they do not gain, because each
// further label takes a little from them. The weight is 0 if G is not above its
// standard error, and with fewer lessons than MinLessons. At most maxAsked lessons are
// asked, those whose fingerprints are least.
//
// Other rules for tools that no lesson names gain as much on the nine development sets or less,
// where unlabelled tools lose at most 0.9: the gain of the most like tool, the score of fielded
// alone, the square of the share or its root. Nor does a query show that its answer has no label:
// the largest component tells the two kinds apart with an AUC of 0.54 to 0.60.
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
// 0.25 it gains 2 · 0.8·0.25 = 0.4.
//
// Invariants:
//   - The score of a tool is fielded's or hybrid's plus the component, which is never
//     below 0.
//   - The same catalog, lessons and query give the same scores on any machine.
//   - Without(lessons) scores as an index made without them that has the same weight, but
//     for rounding.
//   - An Index never changes.
//
// # Cost
//
// New reads every lesson, some 10 µs each, and asks up to 400 of them for the weight.
// Without sums anew only the lessons about the tools that its lessons name; the new index
// shares everything else with the old one.
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
	left    map[int32]bool // numbers of the lessons that do not count, see Without
	docs    []*taught      // what counts in place of the core for that, by document
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
	if x.meant = meant; meant != nil {
		x.base = meant.Words()
	}
	x.support, err = x.choose(ctx)
	return x, err
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
