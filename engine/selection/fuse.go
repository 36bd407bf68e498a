package selection

import (
	"cmp"
	"slices"
)

// ranked is a candidate with its ranks in the two rankings and its fused score.
type ranked struct {
	doc               int // index in the candidates
	keyword, semantic int // ranks, from 1; 0: not listed
	keywordScore      float64
	score             float64 // fused
}

// fusion has every candidate that a ranking with a weight lists, and the best of
// them.
type fusion struct {
	listed []ranked
	at     []int32  // by index in the candidates: index in listed plus 1; 0: not listed
	best   []ranked // the first depth of fuse, best first
}

// fuse merges the two rankings. The score of a tool is the sum of its weighted
// reciprocal ranks, or with a k of 0 of the weighted scores: the keyword score as a share
// of l.whole, and the similarity as a share of the largest. A ranking that does not list the tool adds 0, and a
// ranking of weight 0 counts as empty. Equal scores go by keyword score, then by name, which
// is the order of the candidates. Only the best depth tools are sorted.
//
// Example: with k = 60 and both weights 1, rank 1 by keyword and rank 3 by
// similarity give 1/61 + 1/63 = 0.0323. With k = 0 and the weights 1 and 0.3, a keyword
// score of 3 of 4 and a similarity of 0.4 of 0.5 give 0.75 + 0.24 = 0.99.
func fuse(l rankings, keyword, semantic, k float64, candidates, depth int) *fusion {
	f := &fusion{at: make([]int32, candidates)}
	add := func(doc int) *ranked {
		if f.at[doc] == 0 {
			f.listed = append(f.listed, ranked{doc: doc})
			f.at[doc] = int32(len(f.listed))
		}
		return &f.listed[f.at[doc]-1]
	}
	part := func(weight float64, rank int, share float64) float64 {
		if k == 0 {
			return weight * share
		}
		return weight / (k + float64(rank)) // Cormack, Clarke and Büttcher, Reciprocal Rank Fusion, SIGIR 2009, with weights
	}
	if keyword > 0 {
		for i, h := range l.keyword {
			r := add(h.Doc)
			r.keyword, r.keywordScore = i+1, h.Score
			r.score = part(keyword, i+1, h.Score/l.whole)
		}
	}
	if semantic > 0 {
		for i, h := range l.semantic {
			r := add(h.Doc)
			r.semantic = i + 1
			r.score += part(semantic, i+1, h.Score/l.semantic[0].Score)
		}
	}
	for _, r := range f.listed { // most cost one comparison
		full := len(f.best) == depth
		if full && better(r, f.best[depth-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(f.best, r, better)
		if full {
			f.best = f.best[:depth-1]
		}
		f.best = slices.Insert(f.best, at, r)
	}
	return f
}

// better compares two candidates, the better one first. No two are equal.
func better(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.keywordScore, a.keywordScore), cmp.Compare(a.doc, b.doc))
}

// of returns the ranks and score of a candidate, which are 0 when it is not listed.
func (f *fusion) of(doc int) ranked {
	if at := f.at[doc]; at > 0 {
		return f.listed[at-1]
	}
	return ranked{doc: doc}
}
