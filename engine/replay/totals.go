package replay

import "caliper/engine/selection"

// row returns the session at hand under a strategy, and its tokens before they are rounded.
func (r *run) row(strategy selection.Strategy, p Price, priced bool) (Row, outcome) {
	row := Row{Strategy: strategy}
	o := r.total(strategy, p)
	row.Requests, row.Steps = o.requests, o.steps
	row.Tokens = Tokens{round(o.tokens.Input), round(o.tokens.Read), round(o.tokens.Write)}
	if priced {
		cost := p.Of(o.tokens)
		row.Cost = &cost
	}
	return row, o
}

// total returns the session at hand under a strategy.
func (r *run) total(strategy selection.Strategy, p Price) (all outcome) {
	s := r.plain(strategy)
	before := 0 // requests of the lines before
	for i, l := range r.lines {
		if strategy.Ranks() && r.sends != NoTools {
			s = r.preselected(strategy, l)
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
	t.add(s.Counts)
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
