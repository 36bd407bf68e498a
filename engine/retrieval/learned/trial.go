package learned

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"caliper/engine/retrieval/fielded"
)

// trial is a lesson that is asked of what others taught.
type trial struct {
	docs    []int32 // that it names
	hidden  bool    // the others name none of them
	found   []found
	best    float64 // the best score, with meaning
	own     float64 // how like those are in the mean that it names
	without float64 // its nDCG without the component
}

// found is a document that is found for a trial.
type found struct {
	doc   int32
	score float64 // with meaning
	like  float64 // the component with the weight 1
	named bool    // a lesson names it
}

// asking returns the trials of a fold: the lessons of the fold, asked of what the lessons
// of the other folds taught of the tools that are not hidden in this one. A lesson that
// names hidden tools alone is asked whatever its fold, and one that names hidden ones among
// others is not.
func (x *Index) asking(ctx context.Context, fold uint64, known, asked []int32) ([]trial, error) {
	var others []int32
	for _, l := range known {
		if x.fold(l) != fold {
			others = append(others, l)
		}
	}
	taught := *x.core
	taught.learn(others, func(doc int32) bool { return taught.deals[doc] == fold })
	y := &Index{base: x.base, meant: x.meant, core: &taught}
	trials := make([]trial, len(asked))
	err := parallel(ctx, len(asked), func(i int) {
		l := x.lesson(asked[i])
		hidden := 0
		for _, doc := range l.docs {
			if taught.deals[doc] == fold {
				hidden++
			}
		}
		if hidden == len(l.docs) || hidden == 0 && x.fold(asked[i]) == fold {
			trials[i] = y.try(l, hidden > 0)
		}
	})
	return slices.DeleteFunc(trials, func(t trial) bool { return t.docs == nil }), err
}

// try asks an index a lesson.
func (x *Index) try(l *lesson, hidden bool) trial {
	t := trial{docs: l.docs, hidden: hidden}
	m := x.core.memory.Get().(*sums)
	defer x.core.memory.Put(m)
	all := x.base.Compare(l.Text, func(a fielded.Asked) (values, others []fielded.Addition) {
		others = x.meanings(a)
		added := x.additions(m, a.Words, 1)
		slices.SortFunc(added, func(a, b fielded.Addition) int {
			return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Doc, b.Doc))
		})
		return added[:min(len(added), maxCompared)], others
	})
	slices.SortFunc(all, func(a, b fielded.Compared) int {
		return cmp.Or(cmp.Compare(b.Score+b.Other, a.Score+a.Other), cmp.Compare(a.Doc, b.Doc))
	})
	for i, c := range all {
		if i < maxCompared || c.Value > 0 {
			t.found = append(t.found, found{int32(c.Doc), c.Score + c.Other, c.Value, x.named(c.Doc)})
			t.best = max(t.best, c.Score+c.Other)
			if slices.Contains(t.docs, int32(c.Doc)) {
				t.own += c.Value / float64(len(t.docs))
			}
		}
	}
	t.without = t.ndcg(&Support{})
	return t
}

// ndcg returns the nDCG of a trial with a weight.
func (t *trial) ndcg(s *Support) float64 {
	share := s.share(t.best)
	var top [ranks]fielded.Addition
	n := 0
	for _, f := range t.found {
		a := fielded.Addition{Doc: uint32(f.doc), Value: f.score + float64(s.Weight*f.like)}
		if !f.named {
			a.Value += float64(share * f.score)
		}
		at := n
		for at > 0 && (top[at-1].Value < a.Value || top[at-1].Value == a.Value && top[at-1].Doc > a.Doc) {
			at--
		}
		if at == ranks {
			continue
		}
		n = min(n+1, ranks)
		copy(top[at+1:n], top[at:n-1])
		top[at] = a
	}
	gain, ideal := 0.0, 0.0
	for i := range top[:n] {
		if top[i].Value > 0 && slices.Contains(t.docs, int32(top[i].Doc)) {
			gain += 1 / math.Log2(float64(i+2))
		}
	}
	for i := range min(ranks, len(t.docs)) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	return gain / ideal
}

// parallel calls do for 0 to n-1 from several goroutines. The error is ctx's.
func parallel(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
