package whatif

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/meaning"
	"caliper/model/safetext"
	"caliper/model/words"
)

// The pairs of near words that an answer has: the best ones, of these similarities.
const (
	mostNearest  = 3
	leastNearest = 0.4
)

// Near is a word of the query that the tool does not have, and the word of the tool that is
// nearest to it in meaning, by the table of package meaning.
type Near struct {
	Asked, Own string
	Similarity float64
}

// nearest returns the pairs of words that are nearest in meaning, each word of the query in
// one pair at most.
func (w *Answer) nearest() []Near {
	table, err := meaning.LoadTable()
	if err != nil {
		return nil // which a test of the table sees
	}
	own := retrieval.ToolWords(w.Tool)
	var pairs []Near
	for _, word := range words.Distinct(words.Each(w.Query)) {
		if retrieval.Filler(word) {
			continue
		}
		best := Near{Asked: word}
		for _, other := range own {
			if s, known := table.Similarity(word, other); known && s > best.Similarity && !retrieval.Filler(other) {
				best.Own, best.Similarity = other, s
			}
		}
		if best.Similarity >= leastNearest && best.Similarity < 1 { // 1: the tool has the word
			pairs = append(pairs, best)
		}
	}
	slices.SortStableFunc(pairs, func(a, b Near) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return pairs[:min(len(pairs), mostNearest)]
}

// String returns "refund ≈ reverse 0.62". It is safe for a terminal.
func (n Near) String() string {
	return fmt.Sprintf("%s ≈ %s %.2f", safetext.Line(n.Asked), safetext.Line(n.Own), n.Similarity)
}

// nearestText returns the pairs as a sentence; empty for none.
func (w Answer) nearestText() string {
	var pairs []string
	for _, n := range w.Nearest {
		pairs = append(pairs, n.String())
	}
	if pairs == nil {
		return ""
	}
	return " Nearest in meaning: " + strings.Join(pairs, ", ") + "."
}
