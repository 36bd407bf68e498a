package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"caliper/engine"
	"caliper/engine/selection"
	"caliper/model"

	"github.com/spf13/cobra"
)

// comparing is what the flags of compare ask for.
type comparing struct {
	preselecting
	queriesFile string
	pareto      bool
	ignoreNames bool
}

// compareCommand is `compare`: all strategies side by side.
func (r *run) compareCommand() *cobra.Command {
	c := &comparing{preselecting: preselecting{run: r}}
	cmd := &cobra.Command{
		Use:     "compare MESSAGE | --queries FILE",
		Short:   "Put the strategies of pre-selection side by side.",
		GroupID: groupAnswer,
		Example: `caliper compare "refund the charge for booking 7"
caliper compare --queries queries.jsonl --k 4
caliper compare --queries queries.jsonl --pareto`,
		Long: "One row a strategy: schema tokens of one call, what that saves, further calls of the model, time to choose, " +
			"and over labelled queries the share of needed tools that are sent (recall); figures are means. Core " +
			"tools and what a message names are sent whatever their rank, so that recall can be above eval's: with " +
			"tools.core and tools.rag_core empty, --ignore-names and an equal K they are the same. Time is all that differs " +
			"between two runs.",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case c.queriesFile != "" && len(args) > 0:
				return usageErrorf(cmd, "takes a MESSAGE or --queries, not both")
			case c.queriesFile != "":
				return nil
			case c.pareto:
				return usageErrorf(cmd, "--pareto needs --queries")
			case len(args) == 0:
				return usageErrorf(cmd, "needs one MESSAGE, in quotes, or --queries FILE")
			}
			return oneMessage(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			queries, err := c.queries(args)
			if err != nil {
				return err
			}
			return c.compare(cmd.Context(), queries)
		},
	}
	cmd.Flags().Var(&checked{kind: "FILE", set: func(name string) error {
		c.queriesFile = name
		return notEmpty(name)
	}}, "queries", "measure over labelled queries, as eval reads them")
	c.kFlag(cmd.Flags())
	cmd.Flags().BoolVar(&c.pareto, "pareto", false, fmt.Sprintf("also tokens against recall for K from 1 to %d", selection.MaxParetoK))
	cmd.Flags().BoolVar(&c.ignoreNames, "ignore-names", false, "rank a tool that a message names like any")
	return cmd
}

// queries returns the labelled queries, or the message as one without labels.
func (c *comparing) queries(args []string) ([]engine.Query, error) {
	if c.queriesFile == "" {
		return []engine.Query{{Text: message(args[0])}}, nil
	}
	return readQueries(c.queriesFile)
}

// compare measures and prints.
func (c *comparing) compare(ctx context.Context, queries []engine.Query) error {
	first := ""
	if len(queries) > 0 {
		first = queries[0].Text
	}
	if err := c.open(ctx, first, true, c.ignoreNames); err != nil {
		return err
	}
	rows, err := measured(ctx, c.run.progress("queries"), queries, c.selector.Compare)
	if err != nil {
		return err
	}
	var points []selection.Point
	if c.pareto {
		points, err = measured(ctx, c.run.progress("queries for K from 1 on"), queries, c.selector.Pareto)
		if err != nil {
			return err
		}
	}
	c.complaints(queries, rows)
	if c.run.flags.json {
		return c.run.printJSON(comparisonOf(rows, points))
	}
	c.text(queries, rows)
	c.paretoText(points)
	return nil
}

// measured measures queries, with progress that is gone when it returns.
func measured[T any](ctx context.Context, p *progress, queries []engine.Query,
	measure func(context.Context, []engine.Query, func(done, total int)) (T, error)) (T, error) {
	defer p.clear()
	return measure(ctx, queries, p.report)
}

// complaints says which labels no tool bears, and what the embedder failed at.
func (c *comparing) complaints(queries []engine.Query, rows []selection.Row) {
	var unknown []string
	for _, q := range queries {
		for _, name := range q.Relevant {
			if len(c.st.Snapshot.Registry.Lookup(name)) == 0 {
				unknown = append(unknown, name)
			}
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		c.run.complain(c.queriesFile + ": the registry has no " + nameList(slices.Compact(unknown)))
	}
	var notes []selection.Note
	for _, n := range rows[len(rows)-1].Notes { // of hybrid
		notes = append(notes, selection.Note{Code: n.Code, Text: ofQueries(n.Text, n.Queries, len(queries))})
	}
	c.blame(notes)
}

// comparisonJSON is a comparison for JSON.
type comparisonJSON struct {
	Strategies []strategyJSON `json:"strategies"`
	Pareto     []pointJSON    `json:"pareto,omitempty"`
}

// strategyJSON is one strategy over all queries.
type strategyJSON struct {
	Strategy        string   `json:"strategy"`
	SchemaTokens    float64  `json:"schema_tokens"`
	SavedPct        float64  `json:"saved_pct"`
	ExtraRoundTrips int      `json:"extra_round_trips"`
	SelectMS        float64  `json:"select_ms"`
	Recall          *float64 `json:"recall"` // null: nothing is labelled
	Notes           []string `json:"notes"`
}

// pointJSON is what a strategy costs and finds at one K.
type pointJSON struct {
	Strategy     string  `json:"strategy"`
	K            *int    `json:"k"` // null: the strategy has none
	SchemaTokens float64 `json:"schema_tokens"`
	Recall       float64 `json:"recall"`
	Frontier     bool    `json:"frontier"`
}

// comparisonOf returns a comparison for JSON.
func comparisonOf(rows []selection.Row, points []selection.Point) comparisonJSON {
	var out comparisonJSON
	for _, r := range rows {
		s := strategyJSON{string(r.Strategy), r.SchemaTokens, r.SavedPct, r.RoundTrips, milliseconds(r.Took), nil, rowNotes(r)}
		if r.Labelled > 0 {
			s.Recall = &r.Recall
		}
		out.Strategies = append(out.Strategies, s)
	}
	for _, p := range points {
		out.Pareto = append(out.Pareto, pointJSON{string(p.Strategy), rankOrNull(p.K), p.SchemaTokens, p.Recall, p.Frontier})
	}
	return out
}

// milliseconds returns a time in milliseconds, to the microsecond.
func milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// rowNotes returns the notes of a row, never nil. Those that not every message
// has say how many do.
func rowNotes(r selection.Row) []string {
	out := []string{}
	if r.Named > 0 && r.Queries > 1 {
		out = append(out, fmt.Sprintf("%s of %s messages name a tool, which is sent whatever its rank", grouped(r.Named), grouped(r.Queries)))
	} else if r.Named > 0 {
		out = append(out, "the message names a tool, which is sent whatever its rank")
	}
	for _, n := range r.Notes {
		out = append(out, ofQueries(n.Text, n.Queries, r.Queries))
	}
	return out
}

// ofQueries adds to a note how many of the messages it is about, unless that
// is all of them.
func ofQueries(note string, n, total int) string {
	if n == total {
		return model.Sanitize(note)
	}
	return fmt.Sprintf("%s (%s of %s messages)", model.Sanitize(note), grouped(n), grouped(total))
}
