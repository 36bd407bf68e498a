package cli

import (
	"context"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/tui/cli/runner"
	"caliper/tui/report/changes"
	"caliper/tui/workbench"
)

// compareGenerations tells what the second generation of --generation A,B changes.
func (r *run) compareGenerations(ctx context.Context, queriesFile string) (*runner.Outcome, error) {
	x, err := r.generations(ctx, queriesFile)
	if err != nil {
		return nil, err
	}
	return &runner.Outcome{Value: generationsJSON(&x), Page: changes.Generations(&x)}, nil
}

// generations compares the two generations that the flags name.
func (r *run) generations(ctx context.Context, queriesFile string) (x changes.TwoStates, err error) {
	var queries []labels.Query
	if queriesFile != "" {
		if queries, err = r.QueriesOf(queriesFile); err != nil {
			return x, err
		}
	}
	in, err := r.Input()
	if err != nil {
		return x, err
	}
	configured, err := r.Good(r.LoadInput(ctx, in))
	if err != nil {
		return x, err
	}
	r.HintAtWarnings(configured)
	var states [2]workbench.State
	for i, name := range r.Flags.Generations {
		if states[i], err = r.Good(r.LoadInput(ctx, workbench.InGeneration(in, configured, config.Generation(name)))); err != nil {
			return x, err
		}
		if err = states[i].Snapshot.Prepare(ctx, engine.WorkCounting); err != nil {
			return x, err
		}
	}
	x.Old, x.New = r.Flags.Generations[0], r.Flags.Generations[1]
	for i, st := range states {
		if len(queries) == 0 {
			break
		}
		if err = runner.PrepareIndex(ctx, st.Snapshot); err != nil {
			return x, err
		}
		if x.Evaluated[i], err = labels.Evaluate(ctx, st.Snapshot, queries, r.Counts("queries")); err != nil {
			return x, err
		}
	}
	if x.Diff, err = diff.Compare(ctx, states[0].Snapshot, states[1].Snapshot, queries); err != nil {
		return x, err
	}
	x.Sessions, err = r.Bench.Sessions(ctx, states[0], states[1], r.Counts("sessions"))
	return x, err
}

// generationsJSON returns a comparison of two generations for JSON. Recall is recall@5
// as eval prints it, null without labelled queries.
func generationsJSON(x *changes.TwoStates) runner.Object {
	sides, splits := []runner.Object{}, x.Splits()
	for i, b := range []engine.Budget{x.Diff.Old, x.Diff.New} {
		var form any
		if b.Listing != nil {
			form = b.Listing.Form
		}
		measured := len(x.Evaluated[i].Answers) > 0
		recall, _ := x.Evaluated[i].Metrics.Value(changes.GenerationsMetric) // is one
		side := runner.Object{{"generation", b.Generation}, {"active", b.Active}, {"sent_tokens", b.AfterTokens}, {"listing", form}, {"recall", runner.NullUnless(measured, recall)}}
		if measured {
			side = append(side, runner.Member{"wording", splitJSON(splits[i])})
		}
		sides = append(sides, side)
	}
	crossed := func(so func(diff.RankChange) bool) []runner.Object {
		list := []runner.Object{}
		for _, q := range x.Diff.Queries {
			for _, rank := range q.Ranks {
				if so(rank) {
					list = append(list, runner.Object{{"id", q.ID}, {"query", q.Text}, {"tool", rank.Tool},
						{"old_rank", runner.OrNull(rank.Old)}, {"new_rank", runner.OrNull(rank.New)}, {"reason", gatedReasonJSON(rank.Gated)}})
				}
			}
		}
		return list
	}
	return runner.Object{
		{"generations", sides},
		{"lost", crossed(func(c diff.RankChange) bool { return c.Regressed })},
		{"won", crossed(func(c diff.RankChange) bool { return c.Regained })},
		{"sessions", runner.Array(x.Sessions, func(c diff.SessionChange) runner.Object {
			return runner.Object{{"name", c.Name}, {"changes", runner.Array(c.Changes(), func(f diff.SessionFact) runner.Object {
				return runner.Object{{"what", f.Key}, {"old", f.Old}, {"new", f.New}}
			})}}
		})},
		{"verdict", x.Verdict().Text},
	}
}

// gatedReasonJSON returns why bm25-gated finds a tool or does not, null when that is not
// known.
func gatedReasonJSON(g *diff.GatedReason) any {
	if g == nil {
		return nil
	}
	return runner.Object{{"verdict", g.Verdict}, {"required_word", g.Word}, {"required_stem", g.Gate}, {"tools_with_it", g.DF},
		{"matched", g.Matched}, {"known", g.Answerable}, {"required", g.Required}, {"by_stem", runner.Array(g.Stems, func(s string) string { return s })},
		{"text", changes.GatedReason(g)}}
}
