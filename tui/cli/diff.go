package cli

import (
	"context"
	"errors"
	"slices"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/workbench"
	"caliper/watch"
)

// diffRow is `diff`: what changed between two registries, and whether the
// model still finds what it should.
func (r *run) diffRow() runner.Row {
	var queriesFile string
	return runner.Row{
		Args:     runner.ArgumentCount(2, 2, "OLD and NEW"),
		Complete: runner.FilesOf(runner.DumpSuffixes),
		Flags: func(f runner.FlagSet) {
			f.Text(&queriesFile, "queries", "FILE", "labelled queries, one {id, query, relevant} a line, to look for regressions")
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			if len(r.Flags.Registry) > 0 {
				return nil, runner.Usagef("--registry: the two registries are its arguments")
			}
			if slices.Contains(args, "") {
				return nil, runner.Usagef("OLD and NEW: want values that are not empty")
			}
			queries, err := runner.ReadQueries(queriesFile)
			if err != nil {
				return nil, err
			}
			f := &r.Flags
			before, after, err := r.loadSides(ctx, side{args[0], f.Config, f.Bench.Overrides}, side{args[1], f.Config, f.Bench.Overrides}, nil)
			if err != nil {
				return nil, err
			}
			r.HintAtWarnings(after)
			d, err := compareStates(ctx, before, after, queries)
			if err != nil {
				return nil, err
			}
			r.neither(queriesFile, d.Unknown) // by these no regression can be found
			return &runner.Outcome{Value: diffJSON(d), Page: changes.Diff(d, args[0], args[1]), No: d.Regressions > 0}, nil
		},
	}
}

// compareStates compares two states by their definitions and what queries find.
func compareStates(ctx context.Context, before, after workbench.State, queries []labels.Query) (diff.Diff, error) {
	for _, st := range []workbench.State{before, after} {
		err := st.Snapshot.Prepare(ctx, engine.WorkCounting)
		if err == nil && len(queries) > 0 {
			err = st.Snapshot.Prepare(ctx, engine.WorkIndexing)
		}
		if err != nil {
			return diff.Diff{}, err
		}
	}
	return diff.Compare(ctx, before.Snapshot, after.Snapshot, queries)
}

// neither writes that neither of two registries has the tools that a file of labelled
// queries expects.
func (r *run) neither(file string, unknown []string) {
	if len(unknown) > 0 {
		r.Complain(file + ": neither registry has " + words.CountThousands(len(unknown), "relevant tool") + ": " + report.FirstNames(unknown))
	}
}

// side names the files of one side of a change.
type side struct{ registry, config, overrides string }

// loadSides makes the states of both sides of a change. The error names the fault in
// either. Where no session is named, choose returns one for the old side, which the new side
// follows unless it is gone there; with nil each has its own.
func (r *run) loadSides(ctx context.Context, old, new side, choose func(old *engine.Snapshot) string) (before, after workbench.State, err error) {
	var states [2]workbench.State
	var broken runner.InputErrors
	for i, s := range []side{old, new} {
		in := workbench.Input{Flags: r.Flags.Bench, OnDemand: true}
		in.Flags.Overrides = s.overrides
		if s.config != "" {
			f := watch.Read(s.config)
			in.Config = &f
		}
		if in.Registry, err = workbench.ReadRegistry(s.registry); err != nil {
			return before, after, runner.AsInputError(err)
		}
		follows := choose != nil && i == 1
		if follows {
			in.Flags.Session = states[0].Snapshot.Session.Name
		}
		states[i], err = r.LoadInput(ctx, in)
		if unknown := (*engine.UnknownSessionError)(nil); follows && errors.As(err, &unknown) {
			in.Flags.Session = ""
			states[i], err = r.LoadInput(ctx, in)
		}
		if s := states[0].Snapshot; err == nil && choose != nil && i == 0 && in.Flags.Session == "" && len(states[0].Broken()) == 0 && choose(s) != s.Session.Name {
			in.Flags.Session = choose(s)
			states[0], err = r.LoadInput(ctx, in)
		}
		if err != nil {
			return before, after, err
		}
		r.LeaveOut(states[i])
		for _, d := range states[i].Broken() {
			if !slices.Contains(broken, d) { // the config may be of both
				broken = append(broken, d)
			}
		}
	}
	if len(broken) > 0 {
		return before, after, broken
	}
	return states[0], states[1], nil
}

// diffJSON returns a diff for JSON. Tokens count every tool in full, and
// a rank is null for a tool that is not found.
func diffJSON(d diff.Diff) runner.Object {
	name := func(c diff.ToolChange) string { return c.Name }
	queries := []runner.Object{}
	for _, q := range d.Queries {
		for _, rank := range q.Ranks {
			queries = append(queries, runner.Object{{"query", q.Text}, {"tool", rank.Tool}, {"old_rank", runner.OrNull(rank.Old)}, {"new_rank", runner.OrNull(rank.New)}})
		}
	}
	return runner.Object{
		{"added", runner.Array(d.Added, name)},
		{"removed", runner.Array(d.Removed, name)},
		{"changed", runner.Array(d.Changed, func(c diff.ToolChange) runner.Object { return runner.Object{{"name", c.Name}, {"parts", c.Parts}} })},
		{"tokens", runner.Object{{"old", d.Old.EagerTokens}, {"new", d.New.EagerTokens}}},
		{"active", runner.Object{{"old", d.Old.Active}, {"new", d.New.Active}}},
		{"queries", queries},
		{"regressions", d.Regressions},
		{"generation", d.New.Generation},
	}
}
