package cli

import (
	"context"
	"errors"
	"slices"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/workbench"
	"caliper/watch"
)

// diffRow is `diff`: what changed between two registries, and whether the
// model still finds what it should.
func (r *run) diffRow() row {
	var queriesFile string
	return row{
		args:     argumentCount(2, 2, "OLD and NEW"),
		complete: filesOf(dumpSuffixes),
		flags: func(f flagSet) {
			f.text(&queriesFile, "queries", "FILE", "labelled queries, one {id, query, relevant} a line, to look for regressions")
		},
		run: func(ctx context.Context, args []string) (*outcome, error) {
			if len(r.flags.registry) > 0 {
				return nil, usagef("--registry: the two registries are its arguments")
			}
			if slices.Contains(args, "") {
				return nil, usagef("OLD and NEW: want values that are not empty")
			}
			queries, err := readQueries(queriesFile)
			if err != nil {
				return nil, err
			}
			f := &r.flags
			before, after, err := r.loadSides(ctx, side{args[0], f.config, f.bench.Overrides}, side{args[1], f.config, f.bench.Overrides}, false)
			if err != nil {
				return nil, err
			}
			r.hintAtWarnings(after)
			d, err := compareStates(ctx, before, after, queries)
			if err != nil {
				return nil, err
			}
			r.neither(queriesFile, d.Unknown) // by these no regression can be found
			return &outcome{value: diffJSON(d), page: changes.Diff(d, args[0], args[1]), no: d.Regressions > 0}, nil
		},
	}
}

// compareStates compares two states by their definitions and what queries find.
func compareStates(ctx context.Context, before, after workbench.State, queries []labels.Query) (diff.Diff, error) {
	for _, st := range []workbench.State{before, after} {
		err := st.Snapshot.Prepare(ctx, engine.WorkCounting)
		if err == nil && len(queries) > 0 {
			err = prepareIndex(ctx, st.Snapshot)
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
		r.complain(file + ": neither registry has " + words.CountThousands(len(unknown), "relevant tool") + ": " + report.FirstNames(unknown))
	}
}

// readQueries reads labelled queries; with an empty name there are none.
func readQueries(name string) ([]labels.Query, error) {
	if name == "" {
		return nil, nil
	}
	data, err := readInput(name)
	if err != nil {
		return nil, err
	}
	return parseQueries(name, data)
}

// parseQueries reads labelled queries from the text of a file.
func parseQueries(name string, data []byte) ([]labels.Query, error) {
	queries, faults := labels.Parse(name, data)
	switch {
	case len(faults) > 0:
		return nil, inputErrors(faults)
	case len(queries) == 0:
		return nil, inputError(name, "no labelled query in this file")
	}
	return queries, nil
}

// side names the files of one side of a change.
type side struct{ registry, config, overrides string }

// loadSides makes the states of both sides of a change. The error is what is broken in
// either. following has the new side follow the old one into its session, unless that is gone.
func (r *run) loadSides(ctx context.Context, old, new side, following bool) (before, after workbench.State, err error) {
	var states [2]workbench.State
	var broken inputErrors
	for i, s := range []side{old, new} {
		in := workbench.Input{Flags: r.flags.bench, OnDemand: true}
		in.Flags.Overrides = s.overrides
		if s.config != "" {
			f := watch.Read(s.config)
			in.Config = &f
		}
		if in.Registry, err = workbench.ReadRegistry(s.registry); err != nil {
			return before, after, asInputError(err)
		}
		follows := following && i == 1
		if follows {
			in.Flags.Session = states[0].Snapshot.Session.Name
		}
		states[i], err = r.loadInput(ctx, in)
		if unknown := (*engine.UnknownSessionError)(nil); follows && errors.As(err, &unknown) {
			in.Flags.Session = ""
			states[i], err = r.loadInput(ctx, in)
		}
		if err != nil {
			return before, after, err
		}
		r.leaveOut(states[i])
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
func diffJSON(d diff.Diff) object {
	name := func(c diff.ToolChange) string { return c.Name }
	queries := []object{}
	for _, q := range d.Queries {
		for _, rank := range q.Ranks {
			queries = append(queries, object{{"query", q.Text}, {"tool", rank.Tool}, {"old_rank", rankOrNull(rank.Old)}, {"new_rank", rankOrNull(rank.New)}})
		}
	}
	return object{
		{"added", array(d.Added, name)},
		{"removed", array(d.Removed, name)},
		{"changed", array(d.Changed, func(c diff.ToolChange) object { return object{{"name", c.Name}, {"parts", c.Parts}} })},
		{"tokens", object{{"old", d.Old.EagerTokens}, {"new", d.New.EagerTokens}}},
		{"active", object{{"old", d.Old.Active}, {"new", d.New.Active}}},
		{"queries", queries},
		{"regressions", d.Regressions},
		{"generation", d.New.Generation},
	}
}
