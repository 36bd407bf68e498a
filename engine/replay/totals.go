package replay

import (
	"slices"

	"caliper/engine/selection"
	"caliper/model"
)

// total returns the session at hand under a strategy.
func (r *run) total(strategy selection.Strategy, p Price) (all outcome) {
	s := r.plain(strategy)
	before := 0 // requests of the lines before
	for i, l := range r.lines {
		if strategy.Ranks() && r.sends != NoTools {
			turns := l.sent[slices.IndexFunc(r.selectors, func(x *selection.Selector) bool { return x.Settings().Strategy == strategy })]
			s = sender{
				bothTrips[:],
				func(q *request) array { return turns[q.turn+1].array },
				func(q *request, t *model.Tool) bool {
					return turns[q.turn+1].bridge && !slices.Contains(turns[q.turn+1].tools, t)
				},
			}
		}
		o := r.simulate(l, s, p)
		all.requests += o.requests
		all.misses += o.misses
		all.tokens = all.tokens.Add(o.tokens)
		if strategy == selection.ToolSearch { // nobody asks for the others' calls
			all.uses = append(all.uses, o.uses...)
		}
		for _, step := range o.steps {
			step.Context, step.Request = i, step.Request+before
			all.steps = append(all.steps, step)
		}
		before += len(l.requests)
	}
	return all
}

// addSession adds a session, which has the rows of the totals.
func (t *Totals) addSession(s *Session) {
	t.Sessions++
	switch {
	case s.Sending == Guessed:
		t.Guessed++
	case s.Sending == NoTools:
		t.NoTools++
	case s.Used == selection.ToolSearch:
		t.Searched++
	}
	c, d := &t.Counts, s.Counts
	c.Requests += d.Requests
	c.Calls += d.Calls
	c.Deferrable += d.Deferrable
	c.Found += d.Found
	c.Below += d.Below
	c.NoMatch += d.NoMatch
	c.Unasked += d.Unasked
	c.OutOfScope += d.OutOfScope
	c.Unknown += d.Unknown
	c.Loops += d.Loops
	if s.Logged != nil {
		t.Logged = plus(t.Logged, *s.Logged)
	} else {
		t.UnknownUsage++
	}
	if s.Price == nil {
		t.UnknownPrices++
	}
	for i, row := range s.Strategies {
		sum := &t.Strategies[i]
		sum.Requests += row.Requests
		sum.Tokens = Tokens{sum.Tokens.Input + row.Tokens.Input, sum.Tokens.Cached + row.Tokens.Cached, sum.Tokens.Written + row.Tokens.Written}
		if row.Cost != nil {
			sum.Cost = total(sum.Cost, row.Cost)
		}
	}
}
