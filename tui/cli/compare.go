package cli

import (
	"context"
	"fmt"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/workbench"
)

// compareRow is `compare`: all strategies side by side.
func (r *run) compareRow() runner.Row {
	c := &runner.Preselecting{Run: r.Run}
	var queriesFile string
	var withPareto, ignoreNames bool
	return runner.Row{
		Args: func(args []string) error {
			switch two := r.Flags.Generations != nil; {
			case two && (len(args) > 0 || withPareto):
				return runner.Usagef("--generation A,B takes --queries, and neither a MESSAGE nor --pareto")
			case !two && queriesFile != "" && len(args) > 0:
				return runner.Usagef("takes a MESSAGE or --queries, not both")
			case two || queriesFile != "":
				return nil
			case withPareto:
				return runner.Usagef("--pareto needs --queries")
			case len(args) == 0:
				return runner.Usagef("needs one MESSAGE, in quotes, or --queries FILE")
			}
			return oneMessage(args)
		},
		Flags: func(f runner.FlagSet) {
			f.Text(&queriesFile, "queries", "FILE", "measure over labelled queries, as eval reads them")
			c.KFlag(f)
			f.On(&withPareto, "pareto", fmt.Sprintf("also tokens against recall for K from 1 to %d", selection.MaxParetoK))
			f.On(&ignoreNames, "ignore-names", "rank a tool that a message names like any")
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			if r.Flags.Generations != nil {
				return r.compareGenerations(ctx, queriesFile)
			}
			var queries []labels.Query
			if queriesFile == "" {
				queries = []labels.Query{{Text: runner.Message(args[0])}} // without labels
			} else {
				var err error
				if queries, err = r.QueriesOf(queriesFile); err != nil {
					return nil, err
				}
			}
			first := ""
			if len(queries) > 0 {
				first = queries[0].Text
			}
			if err := c.Open(ctx, first, true, ignoreNames); err != nil {
				return nil, err
			}
			of, err := measured(ctx, c, queriesFile, queries, withPareto)
			if err != nil {
				return nil, err
			}
			return &runner.Outcome{Value: comparisonJSON(of.Rows, of.Points), Page: report.Compare(of)}, nil
		},
	}
}

// measured measures the strategies, which are open, and complains of what stood in the
// way. Without a file there is one query, without labels.
func measured(ctx context.Context, c *runner.Preselecting, queriesFile string, queries []labels.Query, withPareto bool) (report.Compared, error) {
	rows, err := c.Selector.Compare(ctx, queries, c.Run.Counts("queries"))
	if err != nil {
		return report.Compared{}, err
	}
	var points []selection.Point
	if withPareto {
		points, err = c.Selector.Pareto(ctx, queries, c.Run.Counts("queries for K from 1 on"))
		if err != nil {
			return report.Compared{}, err
		}
	}
	registry := c.State.Snapshot.Registry
	notFindable(c.Run, queriesFile, registry, queries)
	var notes []selection.Note
	for _, n := range rows[len(rows)-1].Notes { // of hybrid
		notes = append(notes, selection.Note{Code: n.Code, Text: report.OfMessages(n.Text, n.Queries, len(queries))})
	}
	c.Blame(notes)
	core := map[*model.Tool]bool{} // always sent
	for _, name := range c.Settings.Core {
		for _, t := range registry.Lookup(name) {
			if c.MaySend(t) {
				core[t] = true
			}
		}
	}
	for _, name := range c.Settings.Exclude {
		for _, t := range registry.Lookup(name) {
			delete(core, t)
		}
	}
	of := report.Compared{Chosen: c.Chosen, Core: len(core), Embedder: c.Embedder, Rows: rows, Points: points}
	if queriesFile != "" {
		of.Queries = len(queries)
	}
	return of, nil
}

// notFindable writes which labels of a file are the name of no tool.
func notFindable(r *runner.Run, file string, registry *model.Registry, queries []labels.Query) {
	var unknown []string
	for _, q := range queries {
		for _, name := range q.Relevant {
			if len(registry.Called(name)) == 0 {
				unknown = append(unknown, name)
			}
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		r.Complain(file + ": the registry has no " + report.FirstNames(slices.Compact(unknown)))
	}
}

// comparisonJSON returns a comparison for JSON. Recall is null when nothing is
// labelled, K when the strategy has none.
func comparisonJSON(rows []selection.Row, points []selection.Point) runner.Object {
	out := runner.Object{{"strategies", runner.Array(rows, func(r selection.Row) runner.Object {
		out := runner.Object{
			{"strategy", r.Strategy},
			{"schema_tokens", r.SchemaTokens},
			{"saved_pct", r.SavedPct},
			{"extra_round_trips", r.RoundTrips},
			{"select_ms", report.Milliseconds(r.Took)},
			{"recall", runner.NullUnless(r.Labelled > 0, r.Recall)},
			{"notes", report.RowNotes(r)},
		}
		if r.Labelled > 0 {
			out = append(out, runner.Member{"wording", splitJSON(r.Worded)})
		}
		return out
	})}}
	if len(points) > 0 {
		out = append(out, runner.Member{"pareto", runner.Array(points, func(p selection.Point) runner.Object {
			return runner.Object{{"strategy", p.Strategy}, {"k", runner.OrNull(p.K)}, {"schema_tokens", p.SchemaTokens}, {"recall", p.Recall}, {"wording", splitJSON(p.Worded)}, {"frontier", p.Frontier}}
		})})
	}
	return out
}

// splitJSON returns a recall by wording for JSON, null where no query has one.
func splitJSON(s labels.WordSplit) []runner.Object {
	return runner.ByWording(func(c labels.WordClass) (int, runner.Object) {
		return s[c].Queries, runner.Object{{"recall", s[c].Recall}}
	})
}

// compareGenerations tells what the second generation of --generation A,B changes.
func (r *run) compareGenerations(ctx context.Context, queriesFile string) (_ *runner.Outcome, err error) {
	var x changes.TwoStates
	var queries []labels.Query
	if queriesFile != "" {
		if queries, err = r.QueriesOf(queriesFile); err != nil {
			return nil, err
		}
	}
	in, err := r.Input()
	if err != nil {
		return nil, err
	}
	configured, err := r.Good(r.LoadInput(ctx, in))
	if err != nil {
		return nil, err
	}
	r.HintAtWarnings(configured)
	var states [2]workbench.State
	for i, name := range r.Flags.Generations {
		if states[i], err = r.Good(r.LoadInput(ctx, workbench.InGeneration(in, configured, config.Generation(name)))); err != nil {
			return nil, err
		}
		if err = states[i].Snapshot.Prepare(ctx, engine.WorkCounting); err != nil {
			return nil, err
		}
	}
	x.Old, x.New = r.Flags.Generations[0], r.Flags.Generations[1]
	for i, st := range states {
		if len(queries) == 0 {
			break
		}
		if err = st.Snapshot.Prepare(ctx, engine.WorkIndexing); err != nil {
			return nil, err
		}
		if x.Evaluated[i], err = labels.Evaluate(ctx, st.Snapshot, queries, r.Counts("queries")); err != nil {
			return nil, err
		}
	}
	if x.Diff, err = diff.Compare(ctx, states[0].Snapshot, states[1].Snapshot, queries); err != nil {
		return nil, err
	}
	x.Sessions, err = r.Bench.Sessions(ctx, states[0], states[1], r.Counts("sessions"))
	return &runner.Outcome{Value: generationsJSON(&x), Page: changes.Generations(&x)}, err
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
					var reason any // why bm25-gated finds the tool or does not; null when that is not known
					if g := rank.Gated; g != nil {
						reason = runner.Object{{"verdict", g.Verdict}, {"required_word", g.Word}, {"required_stem", g.Gate}, {"tools_with_it", g.DF},
							{"matched", g.Matched}, {"known", g.Answerable}, {"required", g.Required}, {"by_stem", runner.Array(g.Stems, func(s string) string { return s })},
							{"text", changes.GatedReason(g)}}
					}
					list = append(list, runner.Object{{"id", q.ID}, {"query", q.Text}, {"tool", rank.Tool},
						{"old_rank", runner.OrNull(rank.Old)}, {"new_rank", runner.OrNull(rank.New)}, {"reason", reason}})
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
