package lint

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"caliper/engine"
)

var errNoTool = errors.New("the change leaves no tool")

// What the message of a finding without a remedy ends with.
const (
	noRemedy   = "; no mechanical change helps" // that needs no knowledge of what the tool does
	noBetter   = "; the changes tried put another fault in its place"
	noRankKept = "; the changes tried let its rank fall"
)

// remedy computes the remedies of findings, several at a time. Findings whose
// plans need an index beyond the first most of them are counted as untried.
func (c *check) remedy(ctx context.Context, b *engine.Builder, drafts []draft, most int, p *progress) ([]Finding, int, error) {
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
	skipped := make([]bool, len(drafts))
	for i, d := range drafts {
		if len(plans[i]) == 0 || plans[i][0].subject == nil {
			continue
		}
		if ranked++; ranked <= most {
			continue
		}
		untried++
		if d.seek {
			plans[i], skipped[i] = nil, true
			continue
		}
		for j := range plans[i] {
			plans[i][j].subject = nil
		}
	}
	var mu sync.Mutex
	var failed error
	err = parallel(ctx, len(drafts), func(i int) {
		r, why, err := attempt{c, b, drafts[i].Finding, drafts[i].seek}.best(ctx, plans[i])
		out[i] = drafts[i].Finding
		if out[i].Remedy = r; r == nil && !skipped[i] {
			out[i].Message += why
		}
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

// attempt tries plans for a finding.
type attempt struct {
	check   *check
	builder *engine.Builder
	finding Finding
	seek    bool // the finding is that a query does not find the tool
}

// best returns the first plan behind which the finding is gone and nothing
// worse has come: one that neither lets the rank fall nor makes another finding
// of the tool if there is such a plan. No plan may let the rank fall unless
// that saves tokens and leaves the tool within the limit, and then the change
// says so. When none helps it returns nil and why, for the end of the message.
// The error is ctx's.
func (a attempt) best(ctx context.Context, plans []plan) (best *Remedy, why string, err error) {
	why = noRemedy
	least := 0 // faults of the best
	for _, p := range plans {
		r, o, err := a.try(ctx, p)
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		if err != nil || !o.gone {
			continue // a change that makes no definition is no remedy
		}
		if a.seek && r.Subject != nil && (r.RankAfter == 0 || r.RankAfter > a.check.limit) {
			continue // the query that did not find the tool still does not
		}
		if o.bad {
			if why == noRemedy {
				why = noBetter
			}
			continue
		}
		faults := 0
		if o.news {
			faults++
		}
		if r.RankBefore > 0 && (r.RankAfter == 0 || r.RankAfter > r.RankBefore) {
			if r.TokensAfter >= r.TokensBefore || r.RankAfter == 0 || r.RankAfter > a.check.limit {
				why = noRankKept
				continue
			}
			r.Change += fmt.Sprintf("; its rank falls from %d to %d, within the limit", r.RankBefore, r.RankAfter)
			faults += 2
		}
		if best == nil || faults < least {
			best, least = r, faults
		}
		if least == 0 {
			break
		}
	}
	return best, why, nil
}

// try makes one change and looks what it does.
func (a attempt) try(ctx context.Context, p plan) (*Remedy, outcome, error) {
	s := a.check.s
	trial, err := a.builder.Try(ctx, s, p.edits...)
	if err != nil {
		return nil, outcome{}, err
	}
	r := &Remedy{Change: p.change, Edits: p.edits}
	r.TokensBefore, r.TokensAfter = trial.Tokens()
	o, err := a.check.outcome(ctx, a.finding, p, trial)
	if err != nil || !o.gone || p.subject == nil {
		return r, o, err
	}
	r.Query, r.Subject = p.query, p.subject
	r.RankBefore, _, _ = s.Rank(p.query, p.subject)
	r.RankAfter, err = trial.Rank(ctx, p.query, p.subject)
	return r, o, err
}
