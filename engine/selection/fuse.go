package selection

import (
	"cmp"
	"slices"
)

// ranked is a candidate that a leg lists.
type ranked struct {
	doc               int // place in the candidates
	keyword, semantic int // ranks, from 1; 0: not listed
	keywordScore      float64
	score             float64 // fused
}

// fusion is every candidate that a leg in force lists, and the best of them.
type fusion struct {
	listed []ranked
	at     []int    // by place in the candidates: place in listed, from 1; 0: not listed
	best   []ranked // best first; as many as were asked for
}

// reciprocal is what a rank adds to a fused score. Source: Cormack, Clarke and
// Büttcher, Reciprocal Rank Fusion, SIGIR 2009, with weights.
func reciprocal(weight, k float64, rank int) float64 { return weight / (k + float64(rank)) }

// fuse merges the legs by weighted reciprocal ranks. A tool that a leg does not
// list adds 0, and a leg of weight 0 lists none. Equal scores go by keyword
// score, then by name, which is the order of candidates. Of all listed, depth
// are ordered.
func fuse(l legs, keyword, semantic, k float64, candidates, depth int) fusion {
	f := fusion{at: make([]int, candidates)}
	add := func(doc int) *ranked {
		if f.at[doc] == 0 {
			f.listed = append(f.listed, ranked{doc: doc})
			f.at[doc] = len(f.listed)
		}
		return &f.listed[f.at[doc]-1]
	}
	if keyword > 0 {
		f.listed = slices.Grow(f.listed, len(l.keyword))
		for i, h := range l.keyword {
			r := add(h.Doc)
			r.keyword, r.keywordScore = i+1, h.Score
			r.score = reciprocal(keyword, k, i+1)
		}
	}
	if semantic > 0 {
		for i, h := range l.semantic {
			r := add(h.Doc)
			r.semantic = i + 1
			r.score += reciprocal(semantic, k, i+1)
		}
	}
	f.best = best(f.listed, depth)
	return f
}

// best returns the first n of what is listed, best first. It takes one
// comparison for most of what is not among them.
func best(listed []ranked, n int) []ranked {
	top := make([]ranked, 0, min(n, len(listed)))
	for _, r := range listed {
		full := len(top) == n
		if full && better(r, top[n-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, r, better)
		if full {
			top = top[:n-1]
		}
		top = slices.Insert(top, at, r)
	}
	return top
}

// better orders candidates. No two are equal.
func better(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.keywordScore, a.keywordScore), cmp.Compare(a.doc, b.doc))
}

// of returns what the legs say of a candidate, listed or not.
func (f fusion) of(doc int) ranked {
	if at := f.at[doc]; at > 0 {
		return f.listed[at-1]
	}
	return ranked{doc: doc}
}
