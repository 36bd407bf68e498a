package changegate

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/engine/evaluation"
	"caliper/engine/labels"
	"caliper/model"
)

// judgeRecall compares how many needs of the labelled queries are met, in the session
// and in every other that lost the grant of a tool.
func (j *judging) judgeRecall(ctx context.Context) error {
	if len(j.queries) == 0 {
		j.out.Recall = Recall{P: 1}
		return nil
	}
	var before, after []float64
	for i := range j.queries {
		was, is := j.needs(j.was, i), j.needs(j.is, i)
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
	if r := j.out.Recall; r.Difference < 0 && r.P <= j.o.Alpha {
		j.fail(Reason{Kind: KindRecall, Session: j.new.Session.Name, Old: r.Old, New: r.New, Tested: true, P: r.P})
	}
	return j.judgeOthers(ctx)
}

// compare compares the recall of queries.
func compare(before, after []float64, tasks []int) Recall {
	d := evaluation.Compare(before, after, tasks)
	old, now := mean(before), mean(after)
	return Recall{Old: old, New: now, Difference: now - old, Low: d.Low, High: d.High, P: d.P, Needed: d.Needed}
}

// need is whether a need of a query is met, and by which tool.
type need struct {
	met  bool
	tool string // as the query on file names it: the best ranked one of those that meet it
}

// needs returns the needs of a query on one side.
func (j *judging) needs(d side, i int) []need {
	asked, called := j.queries[i].Needs(), d.answers.Answers[i].Query.Needs()
	out := make([]need, len(asked))
	for n := range asked {
		best := 0
		for k, name := range called[n] {
			rank, within := within(d.answers.Answers[i], name)
			if !within && !alwaysSent(d.s, name) {
				continue
			}
			if !out[n].met || within && (best == 0 || rank < best) {
				out[n] = need{true, asked[n][k]}
				best = rank
			}
		}
	}
	return out
}

// within returns the rank of the best tool of a name among the hits, 0 for none, and
// whether the model gets it.
func within(a labels.Answer, name string) (rank int, within bool) {
	for _, h := range a.Hits {
		if h.Tool.Name == name || h.Tool.Qualified == name {
			return h.Rank, h.Within
		}
	}
	return 0, false
}

// alwaysSent reports whether a core tool of the session has a name.
func alwaysSent(s *engine.Snapshot, name string) bool {
	return slices.ContainsFunc(s.Registry.Called(name), func(t *model.Tool) bool {
		return s.Granted(t) && s.Class(t) == engine.Visible
	})
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
	out := LostQuery{ID: q.ID, Text: q.Text, Tool: tool, Gone: len(j.new.Registry.Called(tool)) == 0,
		OldRank: rankOf(j.old, q, tool), NewRank: rankOf(j.new, q, tool)}
	a := j.is.answers.Answers[i]
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

// judgeOthers compares the recall of the other sessions that are no longer granted a tool
// that the registry of the head has.
func (j *judging) judgeOthers(ctx context.Context) error {
	type other struct {
		name    string
		queries []labels.Query
	}
	var others []other
	for _, was := range j.was.audit.Sessions {
		at := slices.IndexFunc(j.is.audit.Sessions, func(s engine.SessionAudit) bool { return s.Name == was.Name })
		if at < 0 || was.Name == j.old.Session.Name || !j.narrowed(was, j.is.audit.Sessions[at]) {
			continue
		}
		granted := map[string]bool{}
		for _, name := range was.Granted {
			granted[name] = true
		}
		var queries []labels.Query
		for _, q := range j.queries {
			if slices.ContainsFunc(q.Relevant, func(name string) bool {
				return slices.ContainsFunc(j.old.Registry.Called(name), func(t *model.Tool) bool { return granted[t.Qualified] })
			}) {
				queries = append(queries, q)
			}
		}
		if len(queries) > 0 {
			others = append(others, other{was.Name, queries})
		}
	}
	for _, o := range others {
		in := judging{builder: j.builder, queries: o.queries, tasks: labels.Tasks(o.queries)}
		var values [2][]float64
		for k, s := range []*engine.Snapshot{j.old, j.new} {
			d := side{}
			var err error
			if d.s, err = j.inSession(ctx, s, o.name); err != nil {
				return err
			}
			if d.answers, err = labels.Evaluate(ctx, d.s, o.queries, nil); err != nil {
				return err
			}
			for i := range o.queries {
				values[k] = append(values[k], share(in.needs(d, i)))
			}
		}
		r := compare(values[0], values[1], in.tasks)
		if p := min(1, r.P*float64(len(others))); r.Difference < 0 && p <= j.o.Alpha {
			j.fail(Reason{Kind: KindRecall, Session: o.name, Old: r.Old, New: r.New, Tested: true, P: p})
		}
	}
	return nil
}

// narrowed reports whether a session is no longer granted a tool that the registry of
// the head has.
func (j *judging) narrowed(was, is engine.SessionAudit) bool {
	return slices.ContainsFunc(was.Granted, func(name string) bool {
		_, still := slices.BinarySearch(is.Granted, name)
		t := bearer(j.new.Registry, name)
		return !still && t != nil && t.Available
	})
}
