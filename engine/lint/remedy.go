package lint

import (
	"context"
	"sync"

	"caliper/engine"
)

// remedy computes the remedies of findings, several at a time. Findings whose
// plans need an index beyond the first most of them are counted as untried.
func remedy(ctx context.Context, b *engine.Builder, s *engine.Snapshot, drafts []draft, most int, p *progress) ([]Finding, int, error) {
	out := make([]Finding, len(drafts))
	plans := make([][]plan, len(drafts))
	p.more(len(drafts))
	err := parallel(ctx, len(drafts), func(i int) {
		if drafts[i].plans != nil {
			plans[i] = drafts[i].plans()
		}
	})
	if err != nil {
		return nil, 0, err
	}
	ranked, untried := 0, 0
	for i, d := range drafts {
		if len(plans[i]) == 0 || plans[i][0].subject == nil {
			continue
		}
		if ranked++; ranked <= most {
			continue
		}
		untried++
		if d.seek {
			plans[i] = nil
			continue
		}
		for j := range plans[i] {
			plans[i][j].subject = nil
		}
	}
	var mu sync.Mutex
	var failed error
	err = parallel(ctx, len(drafts), func(i int) {
		t := attempt{b, s, drafts[i].seek}
		r, err := t.best(ctx, plans[i])
		out[i] = drafts[i].Finding
		out[i].Remedy = r
		if err != nil {
			mu.Lock()
			failed = err
			mu.Unlock()
		}
		p.step()
	})
	if err == nil {
		err = failed
	}
	return out, untried, err
}

// attempt tries plans.
type attempt struct {
	builder  *engine.Builder
	snapshot *engine.Snapshot
	seek     bool
}

// best returns the first plan that helps as far as it should, else the one
// that helps most; nil when none helps. The error is ctx's.
func (a attempt) best(ctx context.Context, plans []plan) (*Remedy, error) {
	limit := a.snapshot.Search("", 0, 0).Limit
	var best *Remedy
	for _, p := range plans {
		r, err := a.try(ctx, p)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			continue // a change that makes no definition is no remedy
		case !a.seek:
			return r, nil
		case r.RankAfter == 0 || r.RankBefore > 0 && r.RankAfter >= r.RankBefore:
			continue
		}
		if best == nil || r.RankAfter < best.RankAfter {
			best = r
		}
		if r.RankAfter <= limit {
			break
		}
	}
	return best, nil
}

// try makes one change and looks what it does.
func (a attempt) try(ctx context.Context, p plan) (*Remedy, error) {
	trial, err := a.builder.Try(ctx, a.snapshot, p.edits...)
	if err != nil {
		return nil, err
	}
	r := &Remedy{Change: p.change, Edits: p.edits}
	r.TokensBefore, r.TokensAfter = trial.Tokens()
	if p.subject == nil {
		return r, nil
	}
	r.Query, r.Subject = p.query, p.subject
	r.RankBefore, _, _ = a.snapshot.Rank(p.query, p.subject)
	r.RankAfter, err = trial.Rank(ctx, p.query, p.subject)
	return r, err
}
