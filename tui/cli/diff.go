package cli

import (
	"context"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
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
			"found; core tools, which the model always has, are none. Exits with 1 on a regression, however much " +
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
			old, new, err := r.loadTwo(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			d, err := engine.Compare(cmd.Context(), old.Snapshot, new.Snapshot, queries)
			if err != nil {
				return err
			}
			if len(d.Unknown) > 0 {
				r.complain(unknownNames(queriesFile, d.Unknown))
			}
			if r.flags.json {
				err = r.printJSON(diffJSON(d))
			} else {
				r.diffText(d, old.Snapshot.Registry, new.Snapshot.Registry, args)
			}
			if err == nil && d.Regressions > 0 {
				err = errNo
			}
			return err
		},
	}
	cmd.Flags().Var(&checked{kind: "FILE", set: func(s string) error {
		queriesFile = s
		return notEmpty(s)
	}}, "queries", "labelled queries, one {id, query, relevant} a line, to look for regressions")
	return cmd
}

// readQueries reads labelled queries; with an empty name there are none.
func readQueries(name string) ([]engine.Query, error) {
	if name == "" {
		return nil, nil
	}
	f := readFile(name)
	if f.Err != nil {
		return nil, inputError(name, innermost(f.Err).Error())
	}
	queries, faults := engine.ParseQueries(name, f.Data)
	switch {
	case len(faults) > 0:
		return nil, inputErrors(faults)
	case len(queries) == 0:
		return nil, inputError(name, "no labelled query in this file")
	}
	return queries, nil
}

// loadTwo makes the states of two registries under the same config and flags.
// What is broken in either is the error.
func (r *run) loadTwo(ctx context.Context, oldPath, newPath string) (old, new workbench.State, err error) {
	var states [2]workbench.State
	var broken inputErrors
	in := workbench.Input{Flags: r.flags.bench}
	if r.flags.config != "" {
		f := readFile(r.flags.config)
		in.Config = &f
	}
	for i, path := range []string{oldPath, newPath} {
		if in.Registry, err = readRegistry(path); err != nil {
			return old, new, err
		}
		if states[i], err = r.loadInput(ctx, in); err != nil {
			return old, new, err
		}
		for _, d := range states[i].Errors {
			if !slices.Contains(broken, d) { // the config is read for both
				broken = append(broken, d)
			}
		}
	}
	if len(broken) > 0 {
		return old, new, broken
	}
	r.hintAtWarnings(states[1])
	return states[0], states[1], nil
}

// unknownNames says that labels name tools that neither registry has, by
// which no regression can be found.
func unknownNames(file string, names []string) string {
	return file + ": neither registry has " + counted(len(names), "relevant tool") + ": " + nameList(names)
}

// nameList returns names as a list, of which it shows the first.
func nameList(names []string) string {
	const shown = 5
	list := make([]string, min(shown, len(names)))
	for i := range list {
		list[i] = model.Sanitize(names[i])
	}
	line := strings.Join(list, ", ")
	if more := len(names) - shown; more > 0 {
		line += " and " + grouped(more) + " more"
	}
	return line
}

// diffResult is a diff for JSON.
type diffResult struct {
	Added       []string       `json:"added"`
	Removed     []string       `json:"removed"`
	Changed     []changedTool  `json:"changed"`
	Tokens      oldNew[int]    `json:"tokens"` // eager
	Active      oldNew[bool]   `json:"active"`
	Queries     []relevantTool `json:"queries"`
	Regressions int            `json:"regressions"`
}

// oldNew is a figure of both registries.
type oldNew[T any] struct {
	Old T `json:"old"`
	New T `json:"new"`
}

// changedTool is a tool of both registries that is not the same.
type changedTool struct {
	Name  string               `json:"name"`
	Parts []engine.ChangedPart `json:"parts"`
}

// relevantTool is the rank of a relevant tool for a query; null: not found.
type relevantTool struct {
	Query   string `json:"query"`
	Tool    string `json:"tool"`
	OldRank *int   `json:"old_rank"`
	NewRank *int   `json:"new_rank"`
}

// diffJSON returns a diff for JSON.
func diffJSON(d engine.Diff) diffResult {
	out := diffResult{
		Added:       toolNames(d.Added),
		Removed:     toolNames(d.Removed),
		Changed:     make([]changedTool, len(d.Changed)),
		Tokens:      oldNew[int]{d.Old.EagerTokens, d.New.EagerTokens},
		Active:      oldNew[bool]{d.Old.Active, d.New.Active},
		Queries:     []relevantTool{},
		Regressions: d.Regressions,
	}
	for i, c := range d.Changed {
		out.Changed[i] = changedTool{c.Name, c.Parts}
	}
	for _, q := range d.Queries {
		for _, rank := range q.Ranks {
			out.Queries = append(out.Queries, relevantTool{q.Text, rank.Tool, rankOrNull(rank.Old), rankOrNull(rank.New)})
		}
	}
	return out
}

// toolNames returns the names of changes, never nil.
func toolNames(list []engine.ToolChange) []string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.Name
	}
	return names
}

// rankOrNull returns a rank for JSON.
func rankOrNull(rank int) *int {
	if rank == 0 {
		return nil
	}
	return &rank
}
