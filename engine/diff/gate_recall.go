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
	wordings := make([]labels.WordClass, len(j.queries))
	for i, q := range j.queries {
		wordings[i] = q.Wording(j.old.Registry, j.new.Registry)
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
				j.out.Queries = append(j.out.Queries, j.lost(i, was[n].tool, wordings[i]))
			case is[n].met && !was[n].met:
				j.out.Won++
			}
		}
	}
	j.out.Recall = compare(before, after, labels.Tasks(j.queries))
	for _, class := range labels.WordClasses {
		var b, a []float64
		var of []labels.Query
		for i, c := range wordings {
			if c == class {
				b, a, of = append(b, before[i]), append(a, after[i]), append(of, j.queries[i])
			}
		}
		j.out.Worded[class] = compare(b, a, labels.Tasks(of))
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
	return Recall{Old: old, New: now, Difference: now - old, Low: d.Low, High: d.High, P: d.P, Needed: d.Needed, Queries: len(before)}
}

// need is whether a need of a query is met, and by which tool.
type need struct {
	met    bool
	chance bool   // chance decides whether it is met
	tool   string // as the query on file names it: the best ranked one of those that meet it
}

// needs returns the needs of a query on one side.
func (j *judging) needs(d side, i int) []need {
	a := d.answers.Answers[i]
	asked, called := j.queries[i].Needs(), a.Query.Needs()
	out := make([]need, len(asked))
	for n := range asked {
		best := 0
		for k, name := range called[n] {
			rank, within := 0, false // of the best tool of the name among the hits, and whether the model gets it
			for _, h := range a.Hits {
				if h.Tool.Name == name || h.Tool.Qualified == name {
					rank, within = h.Rank, h.Within && !h.Chance && !a.Abstained
					out[n].chance = out[n].chance || h.Chance
					break
				}
			}
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
func (j *judging) lost(i int, tool string, wording labels.WordClass) LostQuery {
	q := j.queries[i]
	old, _ := j.old.Untaught(q.Lesson())
	now, _ := j.new.Untaught(q.Lesson())
	out := LostQuery{ID: q.ID, Text: q.Text, Tool: tool, Wording: wording, Gone: len(now.Registry.Called(tool)) == 0,
		OldRank: bestRank(old, q.Text, tool), NewRank: bestRank(now, q.Text, tool)}
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

// judgeDropped compares, in every session that no longer reaches a tool at all, the recall
// of the labelled queries of such tools alone: which queries these are follows from the
// change, not from what they find. A tool is dropped from a session when it was granted
// there, and is not, or is gone.
func (j *judging) judgeDropped(ctx context.Context) error {
	var sessions []string
	var asked [][]labels.Query // by session
	for _, was := range j.was.audit.Sessions {
		at := slices.IndexFunc(j.is.audit.Sessions, func(s engine.SessionAudit) bool { return s.Name == was.Name })
		if at < 0 {
			continue
		}
		dropped := map[string]bool{}
		for _, name := range was.Granted {
			if _, still := slices.BinarySearch(j.is.audit.Sessions[at].Granted, name); !still {
				dropped[name] = true
			}
		}
		var queries []labels.Query
		for _, q := range j.queries {
			if grantsAny(j.old, func(t *model.Tool) bool { return dropped[t.Qualified] }, q) {
				queries = append(queries, q)
			}
		}
		if len(queries) > 0 {
			sessions, asked = append(sessions, was.Name), append(asked, queries)
		}
	}
	for i, session := range sessions {
		r, err := j.inside(ctx, session, asked[i])
		if err != nil {
			return err
		}
		failed := slices.ContainsFunc(j.reasons, func(r Reason) bool { return r.Kind == KindRecall && r.Session == session })
		if p := min(1, r.P*float64(len(sessions))); !failed && r.Difference < 0 && p <= j.o.Alpha {
			j.fail(Reason{Kind: KindRecall, Session: session, Dropped: len(asked[i]), Old: r.Old, New: r.New, Tested: true, P: p})
		}
	}
	return nil
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
