package draft

import (
	"cmp"
	"context"
	"slices"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/model"
)

// Labels are labelled queries with the ranks that their expected tools have before a
// text is tried. They never change and are safe for concurrent use.
type Labels struct {
	snapshot *engine.Snapshot
	limit    int
	queries  []labelled
	recall   float64
}

// labelled is a labelled query with its expected tools.
type labelled struct {
	query    labels.Query
	expected []expected
	needs    [][]string
	found    float64 // share of the needs that is found within the limit
	best     int
}

// expected is an expected tool with its rank, 0 for none.
type expected struct {
	name string
	tool *model.Tool
	rank int
}

// Measure asks a snapshot labelled queries. The error is ctx's.
func Measure(ctx context.Context, s *engine.Snapshot, queries []labels.Query) (*Labels, error) {
	c := s.Config.ToolSearch
	l := &Labels{snapshot: s, limit: engine.ClampLimit(c, c.DefaultLimit)}
	for _, q := range queries {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		asked := labelled{query: q, needs: q.Needs()}
		for _, name := range q.Relevant {
			for _, tool := range s.Registry.Lookup(name) {
				rank, _, _ := s.Rank(q.Text, tool)
				asked.expected = append(asked.expected, expected{name, tool, rank})
			}
		}
		asked.found, asked.best = asked.measure(asked.expected, l.limit)
		l.recall += asked.found
		l.queries = append(l.queries, asked)
	}
	l.recall /= float64(max(1, len(queries)))
	return l, ctx.Err()
}

// measure returns the share of the needs that tools within the limit provide, and the
// best rank of all tools, 0 for none.
func (q *labelled) measure(tools []expected, limit int) (found float64, best int) {
	within := map[string]bool{}
	for _, e := range tools {
		if e.rank > 0 && (best == 0 || e.rank < best) {
			best = e.rank
		}
		if e.rank > 0 && e.rank <= limit {
			within[e.name] = true
		}
	}
	met := 0
	for _, need := range q.needs {
		if slices.ContainsFunc(need, func(name string) bool { return within[name] }) {
			met++
		}
	}
	return float64(met) / float64(max(1, len(q.needs))), best
}

// Outcome is what a text does to labelled queries.
type Outcome struct {
	Queries       int
	Limit         int     // the ranks that count as found
	Before, After float64 // share of what the queries need that is found within the limit, the mean over the queries
	Won, Lost     []Asked // queries that find more, and less, of it; in their order
	Hurt          []Hurt  // those that fall below the limit first, then by the ranks that they lose
}

// Asked is a labelled query and the rank of its best expected tool, 0 for none.
type Asked struct {
	Query         labels.Query
	Before, After int
}

// Hurt is a tool that loses a rank for a query that expects it.
type Hurt struct {
	Tool          *model.Tool
	Query         labels.Query
	Before, After int  // After is 0 when the query does not find it any more
	Below         bool // it was within the limit and is not
}

// With asks the queries again with a text of the same snapshot. The error is ctx's.
func (l *Labels) With(ctx context.Context, t *Text) (Outcome, error) {
	out := Outcome{Queries: len(l.queries), Limit: l.limit, Before: l.recall}
	for _, q := range l.queries {
		now := slices.Clone(q.expected)
		for i, e := range now {
			rank, err := t.trial.Rank(ctx, q.query.Text, e.tool)
			if err != nil {
				return Outcome{}, err
			}
			now[i].rank = rank
			if hurt, ok := l.hurt(q, e, rank); ok {
				out.Hurt = append(out.Hurt, hurt)
			}
		}
		found, best := q.measure(now, l.limit)
		out.After += found
		asked := Asked{q.query, q.best, best}
		switch {
		case found > q.found:
			out.Won = append(out.Won, asked)
		case found < q.found:
			out.Lost = append(out.Lost, asked)
		}
	}
	out.After /= float64(max(1, len(l.queries)))
	slices.SortStableFunc(out.Hurt, compareHurt)
	return out, ctx.Err()
}

// hurt returns what an expected tool loses at a rank. A rank that no evaluation looks
// at is no loss.
func (l *Labels) hurt(q labelled, e expected, rank int) (h Hurt, ok bool) {
	if e.rank == 0 || e.rank > labels.EvaluationDepth || rank > 0 && rank <= e.rank {
		return Hurt{}, false
	}
	below := e.rank <= l.limit && (rank == 0 || rank > l.limit)
	return Hurt{e.tool, q.query, e.rank, rank, below}, true
}

// compareHurt orders the worst loss first.
func compareHurt(a, b Hurt) int {
	below := func(h Hurt) int { return map[bool]int{true: 0, false: 1}[h.Below] }
	lost := func(h Hurt) int {
		if h.After == 0 {
			return labels.EvaluationDepth
		}
		return h.After - h.Before
	}
	return cmp.Or(cmp.Compare(below(a), below(b)), cmp.Compare(lost(b), lost(a)))
}
