package whatif

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
	limit   int
	queries []labelled
	tasks   []int // the task of each query
	recall  float64
}

// labelled is a labelled query as it is asked before a text is tried, with its expected tools.
type labelled struct {
	Asked
	expected []expected
}

// expected is an expected tool with its rank, 0 for none.
type expected struct {
	name string
	tool *model.Tool
	rank int
}

// Measure asks labelled queries, each without what it taught the ranker. The error is ctx's.
func Measure(ctx context.Context, s *engine.Snapshot, queries []labels.Query) (*Labels, error) {
	c := s.Config.ToolSearch
	queries = labels.AsCalled(s.Registry, queries)
	l := &Labels{limit: engine.ClampLimit(c, c.DefaultLimit), queries: make([]labelled, len(queries)), tasks: labels.Tasks(queries)}
	for i, q := range queries {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		asked := labelled{Asked: Asked{Query: q, Wording: q.Wording(s.Registry)}}
		untaught, _ := s.Untaught(q.Lesson())
		for _, name := range q.Relevant {
			for _, tool := range s.Registry.Lookup(name) {
				rank, _, _ := untaught.Rank(q.Text, tool)
				asked.expected = append(asked.expected, expected{name, tool, rank})
			}
		}
		asked.FoundBefore, asked.Before, asked.NeedsBefore = asked.measure(asked.expected, l.limit)
		l.queries[i] = asked
		l.recall += asked.FoundBefore
	}
	l.recall /= float64(max(1, len(queries)))
	return l, ctx.Err()
}

// Limit returns the ranks that count as found.
func (l *Labels) Limit() int { return l.limit }

// Rank returns the rank of a tool that query i expects, 0 for none.
func (l *Labels) Rank(i int, t *model.Tool) int {
	rank, _ := rankOf(l.queries[i].expected, t)
	return rank
}

// measure returns the share of the needs that tools within the limit provide, the best
// rank of all tools and the rank of each need, 0 for none.
func (q *labelled) measure(tools []expected, limit int) (found float64, best int, ranks []int) {
	needs, met := q.Query.Needs(), 0
	ranks = make([]int, len(needs))
	for i, need := range needs {
		for _, e := range tools {
			if slices.Contains(need, e.name) {
				ranks[i] = better(ranks[i], e.rank)
			}
		}
		if ranks[i] > 0 && ranks[i] <= limit {
			met++
		}
	}
	for _, e := range tools {
		best = better(best, e.rank)
	}
	return float64(met) / float64(max(1, len(needs))), best, ranks
}

// better returns the smaller of two ranks. The rank 0 stands for none, and any other is better.
func better(a, b int) int {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// rankOf returns the best rank of a tool among expected ones, 0 for none; ok: it is expected.
func rankOf(tools []expected, t *model.Tool) (rank int, ok bool) {
	for _, e := range tools {
		if e.tool == t {
			return e.rank, true
		}
	}
	return 0, false
}

// Outcome is the effect of a text on labelled queries.
type Outcome struct {
	Queries       int
	Limit         int     // the ranks that count as found
	Before, After float64 // share of what the queries need that is found within the limit, the mean over the queries
	Asked         []Asked // all queries, in their order
	Won, Lost     []Asked // queries that find more, and less, of it; in their order
	Hurt          []Hurt  // those that fall below the limit first, then by the ranks that they lose

	tasks []int
}

// Asked is a labelled query and what a text does to it.
type Asked struct {
	Query                   labels.Query
	Wording                 labels.WordClass
	Before, After           int     // the rank of its best expected tool, 0 for none
	FoundBefore, FoundAfter float64 // share of what it needs that is found within the limit, 0 to 1
	NeedsBefore, NeedsAfter []int   // the rank of the best tool of each need, 0 for none
	Own                     bool    // it expects the tool whose text is tried
	OwnBefore, OwnAfter     int     // the rank of that tool, 0 for none
}

// Ranks returns the ranks that tell the effect of the text on the query: of the tool
// whose text is tried where the query expects it, otherwise of the best expected
// tool. 0 is none.
func (a Asked) Ranks() (before, after int) {
	if a.Own {
		return a.OwnBefore, a.OwnAfter
	}
	return a.Before, a.After
}

// Hurt is a tool that loses a rank for a query that expects it.
type Hurt struct {
	Tool          *model.Tool
	Query         labels.Query
	Before, After int  // After is 0 when the query does not find it any more
	Below         bool // it was within the limit and is not
}

// With asks the queries again with a text of the same snapshot. The error is ctx's.
func (l *Labels) With(ctx context.Context, t *Trial) (Outcome, error) {
	return l.WithEach(ctx, func(int) *Trial { return t })
}

// WithEach is With for several texts of one tool: query i is asked with the text that
// textOf(i) returns. So each query can be asked with a text that it has not contributed to.
// A tool is hurt that loses a rank within the evaluated depth.
func (l *Labels) WithEach(ctx context.Context, textOf func(i int) *Trial) (Outcome, error) {
	out := Outcome{Queries: len(l.queries), Limit: l.limit, Before: l.recall, Asked: make([]Asked, len(l.queries)), tasks: l.tasks}
	for i, q := range l.queries {
		t, now, lesson := textOf(i), slices.Clone(q.expected), q.Query.Lesson()
		for k, e := range now {
			rank, err := t.RankUntaught(ctx, lesson, e.tool)
			if err != nil {
				return Outcome{}, err
			}
			now[k].rank = rank
			if e.rank > 0 && e.rank <= labels.EvaluationDepth && (rank == 0 || rank > e.rank) {
				below := e.rank <= l.limit && (rank == 0 || rank > l.limit)
				out.Hurt = append(out.Hurt, Hurt{e.tool, q.Query, e.rank, rank, below})
			}
		}
		a := q.Asked
		a.FoundAfter, a.After, a.NeedsAfter = q.measure(now, l.limit)
		a.OwnBefore, a.Own = rankOf(q.expected, t.subject)
		a.OwnAfter, _ = rankOf(now, t.subject)
		out.Asked[i] = a
		out.After += a.FoundAfter
		switch {
		case a.FoundAfter > a.FoundBefore:
			out.Won = append(out.Won, a)
		case a.FoundAfter < a.FoundBefore:
			out.Lost = append(out.Lost, a)
		}
	}
	out.After /= float64(max(1, len(l.queries)))
	model.Sort(out.Hurt, compareHurt)
	return out, ctx.Err()
}

// Worded returns recall within the limit by wording.
func (o Outcome) Worded() (before, after labels.WordSplit) {
	for _, a := range o.Asked {
		before.Add(a.Wording, a.FoundBefore)
		after.Add(a.Wording, a.FoundAfter)
	}
	before.Means()
	after.Means()
	return before, after
}

// found returns what each query finds of what it needs.
func (o Outcome) found() (before, after []float64) {
	for _, a := range o.Asked {
		before, after = append(before, a.FoundBefore), append(after, a.FoundAfter)
	}
	return before, after
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
