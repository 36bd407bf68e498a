package workbench

import (
	"context"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
)

// JudgeChange returns the verdict on the change from one state to another, whatever the
// message of either. The error is ctx's, or an audit's.
func (w *Workbench) JudgeChange(ctx context.Context, old, new State, queries []labels.Query, o diff.GateOptions) (diff.GateResult, error) {
	return diff.Judge(ctx, w.builder, old.Snapshot.Unasked(), new.Snapshot.Unasked(), queries, o)
}

// Better returns the ranker that is proven to find more of the labelled queries than the
// ranker of a snapshot, whose evaluation is the first of all; the zero Better for none. Where
// that one alone was asked, misses some, and does not compare both words and meanings, hybrid
// is asked them too. The error is ctx's.
func (w *Workbench) Better(ctx context.Context, s *engine.Snapshot, all []labels.Evaluation, progress func(done, total int)) (labels.Better, error) {
	words, meanings := s.Compares()
	if now := &all[0]; len(all) == 1 && len(now.Misses()) > 0 && now.Folds == 0 && !(words && meanings) && s.Host().Generation != "" {
		hybrid, err := w.rival(ctx, s, config.RankerHybrid)
		if err != nil {
			return labels.Better{}, err
		}
		queries := make([]labels.Query, len(now.Answers))
		for i := range now.Answers {
			queries[i] = now.Answers[i].Query
		}
		other, err := labels.Evaluate(ctx, hybrid.Unasked(), queries, progress)
		if err != nil {
			return labels.Better{}, err
		}
		all = []labels.Evaluation{*now, other}
	}
	better, _ := labels.BetterOf(all)
	return better, nil
}
