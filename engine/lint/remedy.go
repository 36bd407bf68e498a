package lint

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/words"
)

// Ends of the message of a finding without a remedy.
const (
	noRemedy   = "; no mechanical change helps"             // that needs no knowledge of what the tool does
	noFurther  = ", and no mechanical change helps further" // than the remedy of another finding
	noBetter   = "; the changes tried put another fault in its place"
	noRankKept = "; the changes tried let its rank fall"
)

// remedy computes the remedies of findings, several at a time. Findings whose
// plans need an index beyond the first most of them are counted as untried. Attempts are forgotten once made.
func (c *check) remedy(ctx context.Context, findings []Finding, todo []attempts, most int, p *counter) (untried int, err error) {
	ranked := 0
	tied := boundsOf(len(c.s.Catalog())).Tied
	of := map[string]int{} // remedies ranked, by the query that does not find their tools
	skipped, unranked := make([]bool, len(todo)), make([]bool, len(todo))
	for i, d := range todo {
		if d.seek != "" && len(c.s.Vocabulary().Subjects(d.seek)) > 0 {
			// One more edited catalog for a query that many tools ask shows nothing new.
			if of[d.seek]++; ranked >= most || tied > 0 && of[d.seek] > tied {
				skipped[i] = true
				untried++
				continue
			}
		}
		if d.plans == nil || len(todo) <= most || ctx.Err() != nil { // so few are all ranked
			continue
		}
		// Plans are made anew when they are tried: those of all findings are much to keep.
		if plans := d.plans(); len(plans) == 0 || plans[0].Subject == nil {
			continue
		}
		if ranked++; ranked > most {
			untried++
			skipped[i], unranked[i] = d.seek != "", true
		}
	}
	var mu sync.Mutex
	var failed error
	begun, tried := p.done, 0
	err = parallel(ctx, len(todo), func(i int) {
		d := todo[i]
		var plans []Remedy
		if d.plans != nil && !skipped[i] {
			plans = d.plans()
		}
		for j := range plans {
			if unranked[i] {
				plans[j].Subject = nil
			}
		}
		r, why, err := c.best(ctx, findings[i], d.seek != "", plans)
		if d.other && why == noRemedy {
			why = noFurther
		}
		if r == nil && !skipped[i] {
			findings[i].Message += words.Message(why)
		}
		findings[i].Remedy, todo[i] = r, attempts{}
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = err
		}
		for tried++; p.done-begun < (p.total-begun)*tried/len(todo); {
			p.step()
		}
	})
	for len(todo) == 0 && p.done < p.total {
		p.step()
	}
	return untried, cmp.Or(err, failed)
}

// best returns the first plan that removes the finding and causes no finding that is
// as severe. It prefers a plan that neither lowers the rank nor causes another finding
// about the tool. A plan may lower the rank only if it saves tokens and leaves the
// tool within the limit; the text of the change then says so. If no plan helps, best
// returns nil and the reason, which ends the message. seek: the finding is that a query does not
// find the tool. The error is ctx's.
func (c *check) best(ctx context.Context, f Finding, seek bool, plans []Remedy) (best *Remedy, why string, err error) {
	why = noRemedy
	least := 0 // faults of the best
	for _, p := range plans {
		r, o, err := c.try(ctx, f, p)
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		if err != nil || !o.gone {
			continue // a change that makes no definition is no remedy
		}
		if seek && r.Subject != nil && (r.RankAfter == 0 || r.RankAfter > c.limit) {
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
			if r.TokensAfter >= r.TokensBefore || r.RankAfter == 0 || r.RankAfter > c.limit {
				why = noRankKept
				continue
			}
			r.Change += words.Message(fmt.Sprintf("; its rank falls from %d to %d, within the limit", r.RankBefore, r.RankAfter))
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

// try makes one change and returns its remedy and outcome.
func (c *check) try(ctx context.Context, f Finding, p Remedy) (*Remedy, outcome, error) {
	r := &Remedy{Change: words.Message(p.Change), Edits: p.Edits}
	if p.ranker {
		c.reading.Lock()
		defer c.reading.Unlock()
		if c.reader == nil {
			reader, err := c.s.Reader(ctx)
			if err != nil {
				return nil, outcome{}, err
			}
			c.reader = reader
		}
		r.Query, r.Subject = p.Query, p.Subject
		r.Entry = whatif.EntryBy(c.s, c.reader, p.Query, p.Subject, c.limit)
		return r, outcome{gone: true}, nil
	}
	if len(p.Edits) == 0 {
		return r, outcome{gone: true}, nil
	}
	tried, err := whatif.Try(ctx, c.s, p.Edits...)
	if err != nil {
		return nil, outcome{}, err
	}
	r.TokensBefore, r.TokensAfter = tried.Tokens()
	o, err := c.outcome(ctx, f, p, tried)
	if err != nil || !o.gone || p.Subject == nil {
		return r, o, err
	}
	r.Query, r.Subject = p.Query, p.Subject
	r.Entry, err = tried.Entry(ctx, p.Query, p.Subject, c.limit)
	return r, o, err
}

// outcome is how a change affects the findings about a tool.
type outcome struct {
	gone bool // the finding is gone
	news bool // there is another finding about the tool, which was not there before
	bad  bool // the other finding is as severe as the finding, or more severe
}

// outcome looks again at the tool of a finding once a plan is carried out, as
// Run looks at every tool. What only another search can show is looked at when
// the plan is ranked.
func (c *check) outcome(ctx context.Context, f Finding, p Remedy, tried *whatif.Trial) (outcome, error) {
	i := slices.IndexFunc(p.Edits, func(e whatif.Edit) bool { return e.Tool == f.Tool })
	if i < 0 || p.Edits[i].Remove {
		return outcome{gone: true}, nil
	}
	e, changed, edited := p.Edits[i], tried.Edited(f.Tool), *f.Tool
	t := &edited // in the registry still, with what the edit changes
	t.Name, t.Description, t.Function, t.Parameters = changed.Name, changed.Description, changed.Function, changed.Parameters
	var after []draft // what may have changed
	if e.Name != nil {
		after = append(after, c.name(t)...)
	}
	if e.Description != nil {
		after = append(after, c.description(t)...)
	}
	if f.Code != SchemaNoise && f.Code != SchemaStructure && f.Code != BareArray { // whose edits touch no text
		after = append(after, c.texts(t)...)
	}
	switch {
	case e.Parameters != nil:
		after = append(after, slices.Concat(c.refused(t), c.schema(t))...)
	case len(t.Parameters) > 0:
		after = append(after, c.cost(t)...)
	}
	if d, ok := c.sharing(t, f.Tool); ok {
		after = append(after, d)
	}
	if t.Name != f.Tool.Name || t.Description != f.Tool.Description || !slices.Equal(t.PropertyNames(), f.Tool.PropertyNames()) {
		after = append(after, c.newDuplicate(t, f.Tool)...)
	}
	if p.Subject == f.Tool {
		reach := probesOf(t)
		for _, probe := range []*Probe{&reach.Name, &reach.Sentence, &reach.Parameters} {
			if probe.Query == "" {
				continue
			}
			rank, _, err := tried.Rank(ctx, probe.Query, f.Tool)
			if err != nil {
				return outcome{}, err
			}
			probe.Rank, probe.Found = rank, rank > 0 && rank <= c.limit
		}
		after = append(after, c.findability([]Reach{reach})...)
	}
	o := outcome{gone: true}
	for _, d := range after {
		switch before := c.known(f.Tool, d.Code); {
		case d.Code == f.Code:
			o.gone = false
		case before != nil && before.severity.AtLeast(d.Severity):
		case d.Code == CutDescription && c.known(f.Tool, LongDescription) != nil: // less of the same
		default:
			o.news = true
			o.bad = o.bad || d.Severity.AtLeast(f.Severity)
		}
	}
	return o, nil
}

// fault is a code with the worst severity of its findings about one tool.
type fault struct {
	code     Code
	severity Severity
}

// known returns what was found of a code about a tool before any change; nil for nothing.
func (c *check) known(t *model.Tool, code Code) *fault {
	faults := c.before[t.Index]
	if i := slices.IndexFunc(faults, func(f fault) bool { return f.code == code }); i >= 0 {
		return &faults[i]
	}
	return nil
}
