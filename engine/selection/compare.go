package selection

import (
	"context"
	"slices"
	"time"

	"caliper/engine"
	"caliper/engine/labels"
)

// Row is one strategy over a list of messages, each answered on its own.
type Row struct {
	Strategy     Strategy
	Queries      int     // messages
	Labelled     int     // of them, those that say which tools they need
	SchemaTokens float64 // mean of one call
	SavedPct     float64 // mean percentage of the eager tokens
	RoundTrips   int     // round trips that the strategy adds
	Took         time.Duration
	// Recall is the share of the needed capabilities whose schema is sent
	// with the message, the mean of the labelled queries: recall@K, where the
	// core and named tools count as well.
	Recall float64
	Worded labels.WordSplit // Recall by wording
	// Reachable is Recall when tools that take more round trips count as well:
	// those behind the bridge, or on the list of names.
	Reachable float64
	// Kept is the share of schema tokens that a prompt cache can use again: the ones
	// that the arrays of a message and of the next one begin with. It is 1
	// when there is one message.
	Kept  float64
	Named int // messages that name a tool, so that rule 3 selects it
	Notes []Count
}

// Count is a note and how many messages have it; the text is the
// first.
type Count struct {
	Note
	Queries int
}

// outcome is the measurement of one message under one strategy.
type outcome struct {
	tokens            int
	recall, reachable float64
	took              time.Duration
	tools             []int // by Tool.Index, in the order in which they are sent
	named             bool
	notes             []Note
}

// Compare answers every query under all six strategies and returns one row for
// each strategy, in the order of Strategies. It uses the Selector's settings except
// Strategy and Sticky. Each query is ranked once, on all processors. progress may
// be nil; it is called with the number of queries done, one call at a time. The
// error is ctx's. Equal inputs give equal rows, except for Took.
func (s *Selector) Compare(ctx context.Context, queries []labels.Query, progress func(done, total int)) ([]Row, error) {
	outcomes := make([][]outcome, len(queries)) // by query, by strategy
	err := labels.Each(ctx, len(queries), progress, func(i int) error {
		q := queries[i]
		l, err := s.untaught(q).askAll(ctx, q.Text)
		if err != nil {
			return err
		}
		for _, strategy := range Strategies {
			outcomes[i] = append(outcomes[i], s.under(strategy).outcome(q, l))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	wordings := make([]labels.WordClass, len(queries))
	for i, q := range queries {
		wordings[i] = q.Wording(s.scope.snapshot.Registry)
	}
	rows := make([]Row, len(Strategies))
	for column, strategy := range Strategies {
		rows[column] = s.under(strategy).row(queries, wordings, outcomes, column)
	}
	return rows, nil
}

// under returns the Selector with another strategy, and not sticky.
func (s *Selector) under(strategy Strategy) *Selector {
	set := s.settings
	set.Strategy, set.Sticky = strategy, false
	return s.With(set)
}

// askAll returns both rankings of a message, or none when rule 2 selects all
// candidates.
func (s *Selector) askAll(ctx context.Context, message string) (rankings, error) {
	if s.takesAll() {
		return rankings{}, ctx.Err()
	}
	return s.ask(ctx, message, true, true)
}

// outcome returns the measurement of a query whose rankings are known.
func (s *Selector) outcome(q labels.Query, l rankings) outcome {
	if !s.settings.Strategy.Ranks() {
		return s.wholeOutcome(q)
	}
	start := s.settings.Now()
	c := s.chosen(q.Text, nil, l)
	a := s.assembly(c)
	o := outcome{notes: c.notes}
	o.tokens, _ = s.scope.snapshot.Tokens(a)
	o.took = s.settings.Now().Sub(start) + l.took(s.settings.Strategy)
	for _, p := range c.picks {
		o.tools = append(o.tools, s.scope.Candidates[p.doc].Index)
		o.named = o.named || p.reason == Mentioned
	}
	o.recall, o.reachable = s.recalls(q, a)
	return o
}

// wholeOutcome returns the outcome of a strategy that does not depend on the message.
func (s *Selector) wholeOutcome(q labels.Query) outcome {
	start := s.settings.Now()
	x := s.whole()
	o := outcome{tokens: x.SchemaTokens, notes: x.Notes, took: s.settings.Now().Sub(start)}
	o.recall, o.reachable = s.recalls(q, x.Assembly)
	return o
}

// recalls returns the share of the needs of a query (labels.Query.Needs) that the tools sent
// meet, and the share that they meet together with the tools behind the bridge; 0 when there are none.
func (s *Selector) recalls(q labels.Query, a engine.Assembly) (sent, reachable float64) {
	needs := q.Needs()
	for _, names := range needs {
		now, later := false, false
		for _, name := range names {
			for _, t := range s.scope.snapshot.Registry.Lookup(name) {
				in := slices.Contains(a.Tools, t)
				now = now || in
				later = later || in || a.Bridge && s.scope.snapshot.Granted(t) && !engine.IsBridge(t.Name)
			}
		}
		if now {
			sent++
		}
		if later {
			reachable++
		}
	}
	n := float64(max(len(needs), 1))
	return sent / n, reachable / n
}

// row returns the row of one strategy: the outcomes of all queries together.
func (s *Selector) row(queries []labels.Query, wordings []labels.WordClass, outcomes [][]outcome, column int) Row {
	eager := s.scope.budget.EagerTokens
	r := Row{Strategy: s.settings.Strategy, Queries: len(queries), Kept: 1}
	if !r.Strategy.Ranks() {
		r.RoundTrips = s.whole().RoundTrips
	}
	var took time.Duration
	kept, cached := 0, 0
	for i, q := range queries {
		o := outcomes[i][column]
		r.SchemaTokens += float64(o.tokens)
		took += o.took
		if len(q.Needs()) > 0 {
			r.Labelled++
			r.Recall += o.recall
			r.Worded.Add(wordings[i], o.recall)
			r.Reachable += o.reachable
		}
		if i > 0 {
			before := outcomes[i-1][column]
			cached += before.tokens
			if slices.Equal(o.tools, before.tools) {
				kept += before.tokens
			} else {
				// The tokens of the longest common prefix: the core, and then the tools that both begin with.
				units := 0
				for _, t := range s.scope.Always {
					units += s.scope.snapshot.ToolUnits(t)
				}
				for i := range min(len(o.tools), len(before.tools)) {
					if o.tools[i] != before.tools[i] {
						break
					}
					units += s.scope.snapshot.ToolUnits(s.scope.snapshot.Registry.Tools[o.tools[i]])
				}
				kept += s.scope.snapshot.Tokenizer.Tokens(units)
			}
		}
		if o.named {
			r.Named++
		}
		for _, n := range o.notes {
			at := slices.IndexFunc(r.Notes, func(c Count) bool { return c.Code == n.Code })
			if at < 0 {
				r.Notes = append(r.Notes, Count{Note: n})
				at = len(r.Notes) - 1
			}
			r.Notes[at].Queries++
		}
	}
	if n := len(queries); n > 0 {
		r.SchemaTokens /= float64(n)
		r.Took = took / time.Duration(n)
		r.SavedPct = saved(r.SchemaTokens, eager)
	}
	if cached > 0 {
		r.Kept = float64(kept) / float64(cached)
	}
	r.Recall /= float64(max(r.Labelled, 1))
	r.Reachable /= float64(max(r.Labelled, 1))
	r.Worded.Means()
	return r
}
