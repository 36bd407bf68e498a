package diff

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model"
)

// judgeRecall compares how many needs of the labelled queries are met in the session,
// and then in every session the needs of the tools that it no longer reaches.
func (j *judging) judgeRecall(ctx context.Context) error {
	if len(j.queries) == 0 {
		j.out.Recall = Recall{P: 1}
		return nil
	}
	var before, after []float64
	j.wordings = make([]labels.WordClass, len(j.queries))
	for i, q := range j.queries {
		j.wordings[i] = q.Wording(j.old.Registry, j.new.Registry)
		was, is := j.needs(j.was, i), j.needs(j.is, i)
		for n := range was { // what chance decides on one side is no difference
			switch {
			case is[n].chance:
				is[n].met = was[n].met
			case was[n].chance:
				was[n].met = is[n].met
			}
		}
		before, after = append(before, share(was)), append(after, share(is))
		for n := range was {
			switch {
			case was[n].met && !is[n].met:
				j.out.Queries = append(j.out.Queries, j.lost(i, was[n].tool))
			case is[n].met && !was[n].met:
				j.out.Won++
			}
		}
	}
	j.out.Recall = compare(before, after, j.tasks)
	for _, class := range labels.WordClasses {
		var b, a []float64
		var of []labels.Query
		for i, c := range j.wordings {
			if c == class {
				b, a, of = append(b, before[i]), append(a, after[i]), append(of, j.queries[i])
			}
		}
		j.out.Worded[class] = Worded{len(of), compare(b, a, labels.Tasks(of))}
	}
	if r := j.out.Recall; r.Difference < 0 && r.P <= j.o.Alpha {
		j.fail(Reason{Kind: KindRecall, Session: j.new.Session.Name, Old: r.Old, New: r.New, Tested: true, P: r.P})
	}
	return j.judgeDropped(ctx)
}

// compare compares the recall of queries.
func compare(before, after []float64, tasks []int) Recall {
	d := retrieval.ComparePaired(before, after, tasks)
	old, now := mean(before), mean(after)
	return Recall{Old: old, New: now, Difference: now - old, Low: d.Low, High: d.High, P: d.P, Needed: d.Needed}
}

// need is whether a need of a query is met, and by which tool.
type need struct {
	met    bool
	chance bool   // chance decides whether it is met
	tool   string // as the query on file names it: the best ranked one of those that meet it
}

// needs returns the needs of a query on one side.
func (j *judging) needs(d side, i int) []need {
	asked, called := j.queries[i].Needs(), d.answers.Answers[i].Query.Needs()
	out := make([]need, len(asked))
	for n := range asked {
		best := 0
		for k, name := range called[n] {
			rank, within, chance := rankWithin(d.answers.Answers[i], name)
			within = within && !d.answers.Answers[i].Abstained
			out[n].chance = out[n].chance || chance
			if !within && !alwaysSent(d.s, name) {
				continue
			}
			if !out[n].met || within && (best == 0 || rank < best) {
				out[n].met, out[n].tool = true, asked[n][k]
				best = rank
			}
		}
		out[n].chance = out[n].chance && !out[n].met
	}
	return out
}

// rankWithin returns the rank of the best tool of a name among the hits, 0 for none, and
// whether the model gets it, or chance decides.
func rankWithin(a labels.Answer, name string) (rank int, within, chance bool) {
	for _, h := range a.Hits {
		if h.Tool.Name == name || h.Tool.Qualified == name {
			return h.Rank, h.Within && !h.Chance, h.Chance
		}
	}
	return 0, false, false
}

// share returns the share of needs that are met.
func share(needs []need) float64 {
	met := 0
	for _, n := range needs {
		if n.met {
			met++
		}
	}
	return float64(met) / float64(max(1, len(needs)))
}

// lost returns what became of a tool that met a need of a query.
func (j *judging) lost(i int, tool string) LostQuery {
	q := j.queries[i]
	out := LostQuery{ID: q.ID, Text: q.Text, Tool: tool, Wording: j.wordings[i], Gone: len(j.new.Registry.Called(tool)) == 0,
		OldRank: rankOf(j.old, q, tool), NewRank: rankOf(j.new, q, tool)}
	a := j.is.answers.Answers[i]
	if out.Abstained = a.Abstained; a.Abstained { // no hit is in its place
		return out
	}
	for _, h := range a.Hits {
		if !slices.Contains(a.Query.Relevant, h.Tool.Name) && !slices.Contains(a.Query.Relevant, h.Tool.Qualified) {
			out.LostTo = h.Tool.Qualified
			break
		}
	}
	return out
}

// rankOf returns the best rank of the tools of a name for a query, 0 for none.
func rankOf(s *engine.Snapshot, q labels.Query, name string) int {
	s, _ = s.Untaught(q.Lesson())
	best := 0
	for _, t := range s.Registry.Called(name) {
		if rank, _, ok := s.Rank(q.Text, t); ok && (best == 0 || rank < best) {
			best = rank
		}
	}
	return best
}

// judgeDropped compares, in every session that no longer reaches a tool at all, the recall
// of the labelled queries of such tools alone: which queries these are follows from the
// change, not from what they find. A tool is dropped from a session when it was granted
// there, and is not, or is gone.
func (j *judging) judgeDropped(ctx context.Context) error {
	type session struct {
		name    string
		queries []labels.Query
	}
	var sessions []session
	for _, was := range j.was.audit.Sessions {
		at := slices.IndexFunc(j.is.audit.Sessions, func(s engine.SessionAudit) bool { return s.Name == was.Name })
		if at < 0 {
			continue
		}
		if queries := j.queriesOf(dropped(was, j.is.audit.Sessions[at])); len(queries) > 0 {
			sessions = append(sessions, session{was.Name, queries})
		}
	}
	for _, x := range sessions {
		r, err := j.inside(ctx, x.name, x.queries)
		if err != nil {
			return err
		}
		failed := slices.ContainsFunc(j.reasons, func(r Reason) bool { return r.Kind == KindRecall && r.Session == x.name })
		if p := min(1, r.P*float64(len(sessions))); !failed && r.Difference < 0 && p <= j.o.Alpha {
			j.fail(Reason{Kind: KindRecall, Session: x.name, Dropped: len(x.queries), Old: r.Old, New: r.New, Tested: true, P: p})
		}
	}
	return nil
}

// dropped returns the tools that a session was granted and is not.
func dropped(was, is engine.SessionAudit) map[string]bool {
	out := map[string]bool{}
	for _, name := range was.Granted {
		if _, still := slices.BinarySearch(is.Granted, name); !still {
			out[name] = true
		}
	}
	return out
}

// queriesOf returns the labelled queries that one of some tools of the base is an answer
// to.
func (j *judging) queriesOf(tools map[string]bool) []labels.Query {
	var out []labels.Query
	for _, q := range j.queries {
		if slices.ContainsFunc(q.Relevant, func(name string) bool {
			return slices.ContainsFunc(j.old.Registry.Called(name), func(t *model.Tool) bool { return tools[t.Qualified] })
		}) {
			out = append(out, q)
		}
	}
	return out
}

// inside compares the recall of some queries in a session.
func (j *judging) inside(ctx context.Context, session string, queries []labels.Query) (Recall, error) {
	in := judging{queries: queries}
	var values [2][]float64
	for k, s := range []*engine.Snapshot{j.old, j.new} {
		d := side{}
		var err error
		if d.s, err = j.inSession(ctx, s, session); err != nil {
			return Recall{}, err
		}
		if d.answers, err = labels.Evaluate(ctx, d.s, queries, nil); err != nil {
			return Recall{}, err
		}
		for i := range queries {
			values[k] = append(values[k], share(in.needs(d, i)))
		}
	}
	return compare(values[0], values[1], labels.Tasks(queries)), nil
}
