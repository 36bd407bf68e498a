package cli

import (
	"context"
	"fmt"
	"slices"

	"caliper/engine/labels"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/report"
)

// comparing is the flags of compare.
type comparing struct {
	preselecting
	queriesFile string
	pareto      bool
	ignoreNames bool
}

// compareRow is `compare`: all strategies side by side.
func (r *run) compareRow() row {
	c := &comparing{preselecting: preselecting{run: r}}
	return row{
		args: c.check,
		flags: func(f flagSet) {
			f.text(&c.queriesFile, "queries", "FILE", "measure over labelled queries, as eval reads them")
			c.kFlag(f)
			f.on(&c.pareto, "pareto", fmt.Sprintf("also tokens against recall for K from 1 to %d", selection.MaxParetoK))
			f.on(&c.ignoreNames, "ignore-names", "rank a tool that a message names like any")
		},
		run: func(ctx context.Context, args []string) (*outcome, error) {
			if r.flags.generations != nil {
				return r.compareGenerations(ctx, c.queriesFile)
			}
			queries, err := c.queries(args)
			if err != nil {
				return nil, err
			}
			return c.compare(ctx, queries)
		},
	}
}

// check returns the fault of the arguments and flags together.
func (c *comparing) check(args []string) error {
	switch two := c.run.flags.generations != nil; {
	case two && (len(args) > 0 || c.pareto):
		return usagef("--generation A,B takes --queries, and neither a MESSAGE nor --pareto")
	case !two && c.queriesFile != "" && len(args) > 0:
		return usagef("takes a MESSAGE or --queries, not both")
	case two || c.queriesFile != "":
		return nil
	case c.pareto:
		return usagef("--pareto needs --queries")
	case len(args) == 0:
		return usagef("needs one MESSAGE, in quotes, or --queries FILE")
	}
	return oneMessage(args)
}

// queries returns the labelled queries, or the message as one without labels.
func (c *comparing) queries(args []string) ([]labels.Query, error) {
	if c.queriesFile == "" {
		return []labels.Query{{Text: message(args[0])}}, nil
	}
	return c.run.queriesOf(c.queriesFile)
}

// compare measures the strategies.
func (c *comparing) compare(ctx context.Context, queries []labels.Query) (*outcome, error) {
	first := ""
	if len(queries) > 0 {
		first = queries[0].Text
	}
	if err := c.open(ctx, first, true, c.ignoreNames); err != nil {
		return nil, err
	}
	of, err := c.measured(ctx, queries)
	if err != nil {
		return nil, err
	}
	return &outcome{value: comparisonJSON(of.Rows, of.Points), page: report.Compare(of)}, nil
}

// measured measures the strategies, which are open, and complains of what stood in the
// way.
func (c *comparing) measured(ctx context.Context, queries []labels.Query) (report.Compared, error) {
	rows, err := c.selector.Compare(ctx, queries, c.run.counts("queries"))
	if err != nil {
		return report.Compared{}, err
	}
	var points []selection.Point
	if c.pareto {
		points, err = c.selector.Pareto(ctx, queries, c.run.counts("queries for K from 1 on"))
		if err != nil {
			return report.Compared{}, err
		}
	}
	c.complaints(queries, rows)
	of := report.Compared{Chosen: c.chosen(), Core: c.coreCount(), Embedder: c.embedder, Rows: rows, Points: points}
	if c.queriesFile != "" {
		of.Queries = len(queries)
	}
	return of, nil
}

// notFindable writes which labels of a file are the name of no tool.
func (r *run) notFindable(file string, registry *model.Registry, queries []labels.Query) {
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
		r.complain(file + ": the registry has no " + report.FirstNames(slices.Compact(unknown)))
	}
}

// coreCount returns how many tools are always sent.
func (c *comparing) coreCount() int {
	registry := c.st.Snapshot.Registry
	core := map[*model.Tool]bool{}
	for _, name := range c.settings.Core {
		for _, t := range registry.Lookup(name) {
			core[t] = c.maySend(t)
		}
	}
	for _, name := range c.settings.Exclude {
		for _, t := range registry.Lookup(name) {
			core[t] = false
		}
	}
	n := 0
	for _, counts := range core {
		if counts {
			n++
		}
	}
	return n
}

// complaints writes which labels are the name of no tool, and what the embedder
// failed at.
func (c *comparing) complaints(queries []labels.Query, rows []selection.Row) {
	c.run.notFindable(c.queriesFile, c.st.Snapshot.Registry, queries)
	var notes []selection.Note
	for _, n := range rows[len(rows)-1].Notes { // of hybrid
		notes = append(notes, selection.Note{Code: n.Code, Text: report.OfMessages(n.Text, n.Queries, len(queries))})
	}
	c.blame(notes)
}

// comparisonJSON returns a comparison for JSON. Recall is null when nothing is
// labelled, K when the strategy has none.
func comparisonJSON(rows []selection.Row, points []selection.Point) object {
	out := object{{"strategies", array(rows, func(r selection.Row) object {
		var recall any
		if r.Labelled > 0 {
			recall = r.Recall
		}
		out := object{
			{"strategy", r.Strategy},
			{"schema_tokens", r.SchemaTokens},
			{"saved_pct", r.SavedPct},
			{"extra_round_trips", r.RoundTrips},
			{"select_ms", report.Milliseconds(r.Took)},
			{"recall", recall},
			{"notes", report.RowNotes(r)},
		}
		if r.Labelled > 0 {
			out = append(out, member{"wording", splitJSON(r.Worded)})
		}
		return out
	})}}
	if len(points) > 0 {
		out = append(out, member{"pareto", array(points, func(p selection.Point) object {
			return object{{"strategy", p.Strategy}, {"k", rankOrNull(p.K)}, {"schema_tokens", p.SchemaTokens}, {"recall", p.Recall}, {"wording", splitJSON(p.Worded)}, {"frontier", p.Frontier}}
		})})
	}
	return out
}

// splitJSON returns a recall by wording for JSON, null where no query has one.
func splitJSON(s labels.WordSplit) []object {
	return array(labels.WordClasses, func(c labels.WordClass) object {
		out := object{{"class", c.String()}, {"queries", s[c].Queries}, {"recall", nil}}
		if s[c].Queries > 0 {
			out[2].value = s[c].Recall
		}
		return out
	})
}
