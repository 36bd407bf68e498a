package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// diffCommand is `diff`: what changed between two registries, and whether the
// model still finds what it should.
func (r *run) diffCommand() *cobra.Command {
	var queriesFile string
	cmd := &cobra.Command{
		Use:     "diff OLD NEW",
		Short:   "Compare two registries: tools, tokens, activation, ranks.",
		GroupID: groupAudit,
		Example: `caliper diff old.json new.json --config config.yaml
caliper diff old/ new/ --queries queries.jsonl --config config.yaml --json`,
		Long: "OLD and NEW are registry dumps or folders of them; config, session, context and tokenizer hold for both. " +
			"A regression is a relevant tool of a query that was within the limit and no longer is, or is no longer " +
			"found; core tools, which the model always has, do not count. Exits with 1 on a regression, however much " +
			"else has changed. With --json, queries lists every relevant tool of each query whose hits within the " +
			"limit changed.",
		Args: argumentCount(2, 2, "OLD and NEW"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(r.flags.registry) > 0 {
				return usageErrorf(cmd, "--registry: the two registries are its arguments")
			}
			if slices.Contains(args, "") {
				return usageErrorf(cmd, "OLD and NEW: want values that are not empty")
			}
			queries, err := readQueries(queriesFile)
			if err != nil {
				return err
			}
			before, after, err := r.loadTwo(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			for _, snapshot := range []*engine.Snapshot{before.Snapshot, after.Snapshot} {
				err := snapshot.Prepare(cmd.Context(), engine.WorkCounting)
				if err == nil && len(queries) > 0 {
					err = prepareIndex(cmd.Context(), snapshot)
				}
				if err != nil {
					return err
				}
			}
			d, err := diff.Compare(cmd.Context(), before.Snapshot, after.Snapshot, queries)
			if err != nil {
				return err
			}
			if len(d.Unknown) > 0 {
				// by these no regression can be found
				r.complain(queriesFile + ": neither registry has " + words.CountThousands(len(d.Unknown), "relevant tool") + ": " + report.FirstNames(d.Unknown))
			}
			text := report.Diff(d, args[0], args[1])
			return noWhen(d.Regressions > 0, r.answer(diffJSON(d), text))
		},
	}
	textFlag(cmd.Flags(), &queriesFile, "queries", "FILE", "labelled queries, one {id, query, relevant} a line, to look for regressions")
	return cmd
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

// loadTwo makes the states of two registries under the same config and flags.
// The error is what is broken in either.
func (r *run) loadTwo(ctx context.Context, oldPath, newPath string) (before, after workbench.State, err error) {
	var states [2]workbench.State
	var broken inputErrors
	in := workbench.Input{Flags: r.flags.bench, Config: r.configFile(), OnDemand: true}
	for i, path := range []string{oldPath, newPath} {
		if in.Registry, err = workbench.ReadRegistry(path); err != nil {
			return before, after, asInputError(err)
		}
		if states[i], err = r.loadInput(ctx, in); err != nil {
			return before, after, err
		}
		r.leaveOut(states[i])
		for _, d := range states[i].Broken() {
			if !slices.Contains(broken, d) { // the config is read for both
				broken = append(broken, d)
			}
		}
	}
	if len(broken) > 0 {
		return before, after, broken
	}
	r.hintAtWarnings(states[1])
	return states[0], states[1], nil
}

// diffJSON returns a diff for JSON. Tokens are those of every tool in full, and
// a rank is null for what is not found.
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
