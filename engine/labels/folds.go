package labels

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"

	"caliper/engine"
	"caliper/engine/retrieval"
)

// EvaluateFolds is Evaluate by cross-validation: the queries are dealt to folds, all of
// one task to one fold, and each fold is asked of a session that has learned from no
// label with an id, a text or a group of the fold, and that has chosen their weight
// without them. The evaluation has 95 % intervals. folds is 2 or more. progress, which
// may be nil, is called as by Evaluate. The error is ctx's.
func EvaluateFolds(ctx context.Context, s *engine.Snapshot, queries []Query, folds int, progress func(done, total int)) (Evaluation, error) {
	tasks, fold := Tasks(queries), Deal(queries, folds)
	lessons := s.Inputs().Lessons
	var all Evaluation
	all.Answers = make([]Answer, len(queries))
	left, done := map[int]bool{}, 0
	for f := range folds {
		var asked []Query
		var at []int
		for i, q := range queries {
			if fold[i] == f {
				asked, at = append(asked, q), append(at, i)
			}
		}
		before := done
		rest, numbers := Without(lessons, asked)
		for _, l := range numbers {
			left[l] = true
		}
		e, err := Evaluate(ctx, s.Teaching(rest), asked, func(n, _ int) {
			if progress != nil {
				progress(before+n, len(queries))
			}
		})
		if err != nil {
			return Evaluation{}, err
		}
		for i, a := range e.Answers {
			all.Answers[at[i]] = a
		}
		all.Ranker, all.Limit, all.MinConfidence = e.Ranker, e.Limit, e.MinConfidence
		done += len(asked)
	}
	all.LeftOut, all.Folds = len(left), folds
	all.measure()
	all.intervals(tasks)
	queries = AsCalled(s.Registry, queries)
	all.Unknown, all.Sent = notFindable(s, queries)
	all.Unlabelled = unlabelled(s, queries)
	if support, ok := s.Support(); ok {
		all.Support = &support
	}
	return all, nil
}

// Tasks returns the task of each query, numbered from 0 in the order in which tasks are
// first met: the clusters of retrieval.ComparePaired and retrieval.MeanInterval. Queries of one
// group, or without a group of one text, are of one task.
func Tasks(queries []Query) []int {
	tasks, known := make([]int, len(queries)), map[string]int{}
	for i, q := range queries {
		key := cmp.Or(q.Group, q.Text)
		if _, ok := known[key]; !ok {
			known[key] = len(known)
		}
		tasks[i] = known[key]
	}
	return tasks
}

// Deal returns a fold of each query, from 0 to folds-1: all of one task are in one
// fold. Neither the order of the file nor one more query deals all of them anew. With
// fewer tasks than folds the last folds have none.
func Deal(queries []Query, folds int) []int {
	tasks, count := Tasks(queries), 0
	for _, task := range tasks {
		count = max(count, task+1)
	}
	hashes, order := make([]uint64, count), make([]int, count)
	for i, q := range queries {
		h := fnv.New64a()
		_, _ = h.Write([]byte(cmp.Or(q.Group, q.Text)))
		hashes[tasks[i]] = h.Sum64()
	}
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(hashes[a], hashes[b]), a-b) })
	foldOf := make([]int, count)
	for place, task := range order {
		foldOf[task] = place % folds
	}
	fold := make([]int, len(queries))
	for i, task := range tasks {
		fold[i] = foldOf[task]
	}
	return fold
}

// Without returns the lessons that have no id, text or group of some queries, and the
// numbers of the others, in ascending order. Nil lessons stay nil.
func Without(lessons *engine.Lessons, asked []Query) (rest *engine.Lessons, left []int) {
	if lessons == nil {
		return nil, nil
	}
	ids, texts, groups := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, q := range asked {
		ids[q.ID], texts[q.Text], groups[q.Group] = true, true, q.Group != ""
	}
	rest = &engine.Lessons{}
	for i, l := range lessons.List {
		if ids[l.ID] || texts[l.Text] || groups[l.Group] {
			left = append(left, i)
		} else {
			rest.List = append(rest.List, l)
		}
	}
	return rest, left
}

// intervals sets Low and High. tasks has the task of each answer.
func (e *Evaluation) intervals(tasks []int) {
	values := make([]float64, len(e.Answers))
	interval := func(low, high *float64, of func(retrieval.Metrics) float64) {
		for i, a := range e.Answers {
			values[i] = of(a.Metrics)
		}
		*low, *high = retrieval.MeanInterval(values, tasks)
	}
	for k := range retrieval.Cutoffs {
		interval(&e.Low.Recall[k], &e.High.Recall[k], func(m retrieval.Metrics) float64 { return m.Recall[k] })
		interval(&e.Low.Hit[k], &e.High.Hit[k], func(m retrieval.Metrics) float64 { return m.Hit[k] })
		interval(&e.Low.Complete[k], &e.High.Complete[k], func(m retrieval.Metrics) float64 { return m.Complete[k] })
	}
	interval(&e.Low.MRR, &e.High.MRR, func(m retrieval.Metrics) float64 { return m.MRR })
	interval(&e.Low.NDCG, &e.High.NDCG, func(m retrieval.Metrics) float64 { return m.NDCG })
}
