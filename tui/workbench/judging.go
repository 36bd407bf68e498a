package workbench

import (
	"context"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
)

// Evaluate is labels.Evaluate of queries that never change, such as a State's. A snapshot is asked them once, and
// progress is not called again. What it returns must not be changed.
func Evaluate(ctx context.Context, s *engine.Snapshot, queries []labels.Query, progress func(done, total int)) (labels.Evaluation, error) {
	if len(queries) == 0 {
		return labels.Evaluate(ctx, s, queries, progress)
	}
	return engine.Remember(s, [...]any{"Evaluate", &queries[0], len(queries)}, func() (labels.Evaluation, error) {
		return labels.Evaluate(ctx, s, queries, progress)
	})
}

// Better returns the ranker that is proven to find more of the labelled queries than the
// ranker of a snapshot, whose evaluation is the first of all; the zero Better for none. Where
// that one alone was asked, misses some, and does not compare both words and meanings, hybrid
// is asked them too. The error is ctx's.
func (w *Workbench) Better(ctx context.Context, s *engine.Snapshot, all []labels.Evaluation, progress func(done, total int)) (labels.Better, error) {
	words, meanings := s.Compares()
	if now := &all[0]; len(all) == 1 && len(now.Misses()) > 0 && now.Folds == 0 && !(words && meanings) && s.Host().Generation != "" {
		other, err := engine.Remember(s, [...]any{"Better", &now.Answers[0]}, func() (labels.Evaluation, error) {
			hybrid, err := w.rival(ctx, s, config.RankerHybrid)
			if err != nil {
				return labels.Evaluation{}, err
			}
			queries := make([]labels.Query, len(now.Answers))
			for i := range now.Answers {
				queries[i] = now.Answers[i].Query
			}
			return labels.Evaluate(ctx, hybrid.Unasked(), queries, progress)
		})
		if err != nil {
			return labels.Better{}, err
		}
		all = []labels.Evaluation{*now, other}
	}
	better, _ := labels.BetterOf(all)
	return better, nil
}

// Sessions returns the tools that every session of two states sends in either: the sessions of the old
// one in the order of its configuration, then those that only the new one has. Progress,
// which may be nil, is called with how many sessions are done. The error is ctx's.
func (w *Workbench) Sessions(ctx context.Context, old, now State, progress func(done, total int)) ([]diff.SessionChange, error) {
	states := [2]State{old, now}
	var list []diff.SessionChange
	at := map[string]int{}
	for i, st := range states {
		sessions := st.Snapshot.Config.Sessions
		for n, session := range sessions {
			s, err := st.Snapshot, error(nil)
			if session.Name != s.Session.Name {
				s, err = w.InSession(ctx, st, session.Name)
			}
			if err == nil {
				err = s.Prepare(ctx, engine.WorkCounting)
			}
			if err != nil {
				return nil, err
			}
			side := diff.SideOf(s)
			if _, known := at[session.Name]; !known {
				at[session.Name] = len(list)
				list = append(list, diff.SessionChange{Name: session.Name})
			}
			c := &list[at[session.Name]]
			if i == 0 {
				c.Old = &side
			} else {
				c.New = &side
			}
			if progress != nil {
				progress(i*len(sessions)+n+1, 2*len(sessions))
			}
		}
	}
	return list, nil
}
