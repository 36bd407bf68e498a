package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/engine/whatif"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// searching holds the flags of search. Each query is answered in a copy of Searched,
// which has the states, the limit, and whether scores are explained.
type searching struct {
	report.Searched
	run    *run
	all    bool
	sure   bool   // the confidence is asked for
	whyNot string // name of the tool; empty: none
}

// searchRow is `search`: ranked hits of the session's catalog.
func (r *run) searchRow() runner.Row {
	s := &searching{run: r}
	var rankers []string
	return runner.Row{
		Args: runner.ArgumentCount(1, 1, "one QUERY, in quotes, or -"),
		Flags: func(f runner.FlagSet) {
			f.Set.IntVar(&s.Limit, "limit", 0, "return the `N` best, as the model would ask for")
			f.On(&s.all, "all", "show every hit, with the line where the limit cuts")
			f.On(&s.Explain, "explain", "show what each word of the query adds to a score")
			f.On(&s.sure, "confidence", "say how likely it is that a hit fits, also where min_confidence is off")
			f.Rankers(&rankers, words.Or(config.Rankers)+"; the first orders the hits")
			f.Text(&s.whyNot, "why-not", "NAME", "say why this tool is not found, and what would help")
			f.On(&r.Flags.Markdown, "markdown", runner.AsMarkdown)
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			if r.Flags.Markdown && args[0] == "-" {
				return nil, runner.Usagef("--markdown is for one query, not for -")
			}
			states, err := r.LoadRanked(ctx, rankers)
			if err != nil {
				return nil, err
			}
			s.State, s.Rivals = states[0], states[1:]
			if r.Given("limit") {
				limits, asked := s.State.Snapshot.Config.ToolSearch, s.Limit // as the bridge would
				if s.Limit = engine.ClampLimit(limits, asked); s.Limit != asked {
					r.Complain(fmt.Sprintf("caliper: --limit %d is clamped to %d, as tool_search does (1 to max_search_limit %d)",
						asked, s.Limit, limits.MaxLimit))
				}
			}
			if args[0] == "-" {
				return nil, s.stream(ctx)
			}
			return s.once(ctx, args[0])
		},
	}
}

// search answers a query with the hits that are to be shown, with the confidence in them where
// it is asked for, and why the tool of --why-not is not among them.
func (s *searching) search(ctx context.Context, query string) (found report.Searched, err error) {
	found = s.Searched
	depth := 0
	if s.all {
		depth = len(s.State.Snapshot.Catalog())
	}
	found.Results = s.State.Snapshot.Search(query, s.Limit, depth)
	if s.sure || s.State.Snapshot.Config.ToolSearch.MinConfidence > 0 {
		c := s.State.Snapshot.Confidence(found.Query)
		found.Confidence = &c
	}
	if s.whyNot != "" {
		why, err := whatif.WhyNot(ctx, s.run.Bench.Builder, s.State.Snapshot, found.Query, s.whyNot, s.Limit)
		found.WhyNot = &why
		return found, err
	}
	return found, nil
}

// once answers one query.
func (s *searching) once(ctx context.Context, query string) (*runner.Outcome, error) {
	found, err := s.search(ctx, query)
	if err != nil {
		return nil, err
	}
	out := new(runner.Outcome) // no where the model gets no hit
	if len(found.Hits) == 0 {
		out.No = len(s.State.SearchSkills(found.Query, 1)) == 0
	} else if c := found.Confidence; c != nil {
		out.No = c.Abstains
	}
	switch {
	case s.run.Flags.Markdown:
		out.Markdown = runner.CaseOf(s.State).Search(s.State, found.Results, found.WhyNot)
	case s.run.Flags.JSON:
		out.Value = searchedJSON(found)
	default:
		if unread, _ := s.State.Snapshot.Unread(query); unread > 0 && len(found.Hits) == 0 {
			if found.Reader, err = s.State.Snapshot.Reader(ctx); err != nil {
				return nil, err
			}
		}
		if out.Page = report.Search(found); found.WhyNot != nil {
			chain, err := s.run.chainOf(ctx, s.State, s.whyNot, nil)
			if err != nil {
				return nil, err
			}
			out.Page.Add(report.Breaks(chain))
		}
		report.SkillsFound(out.Page, s.State, query, found.Results.Limit)
	}
	return out, nil
}

// stream answers one query a line until the input ends. What is answered is
// written whenever no further query is waiting.
func (s *searching) stream(ctx context.Context) error {
	lines := bufio.NewReader(s.run.In)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading queries: %w", err)
		}
		if err != nil && len(line) == 0 {
			return nil
		}
		query := string(bytes.TrimRight(line, "\r\n"))
		found, err := s.search(ctx, strings.ToValidUTF8(query, "\ufffd"))
		if err != nil {
			return err
		}
		if err := s.run.PrintJSONLine(searchedJSON(found)); err != nil {
			return err
		}
		if lines.Buffered() == 0 {
			if err := s.run.Out.Flush(); err != nil {
				return runner.OutputError(err)
			}
		}
	}
}

// searchedJSON returns the answer to a query for JSON. Where there are several rankers a hit has
// a rank for each.
func searchedJSON(found report.Searched) runner.Object {
	snapshot := found.State.Snapshot
	out := runner.Object{
		{"query", found.Query},
		{"session", snapshot.Session.Name},
		{"ranker", snapshot.Config.ToolSearch.Ranker},
		{"limit", found.Results.Limit},
		{"active", snapshot.Active()},
		{"total_available", found.Total},
		{"scored", found.Scored},
		{"fallback", found.Fallback},
		{"hits", runner.Each(found.Hits, func(h engine.Hit) runner.Object {
			rank := runner.OrNull(h.Rank)
			if !h.Sure() {
				rank = nil
			}
			out := runner.Object{
				{"rank", rank},
				{"name", h.Tool.Qualified},
				{"toolset", h.Tool.Toolset},
				{"source", engine.SourceOf(h.Tool.Toolset)},
				{"score", h.Score},
				{"within_limit", h.Within},
				{"tied", h.Tied},
			}
			if len(found.Rivals) > 0 {
				ranks := map[string]any{snapshot.Config.ToolSearch.Ranker: runner.OrNull(h.Rank)}
				for _, rival := range found.Rivals {
					rank, _, _ := rival.Snapshot.Rank(found.Query, h.Tool)
					ranks[rival.Snapshot.Config.ToolSearch.Ranker] = runner.OrNull(rank)
				}
				out = append(out, runner.Member{"ranks", ranks})
			}
			if found.Explain {
				if e, ok := snapshot.Explain(found.Query, h.Tool); ok {
					out = append(out, runner.Member{"explain", explanationJSON(e, false)})
				}
			}
			return out
		})},
	}
	if len(found.State.Skills) > 0 {
		out = append(out, runner.Member{"skills", runner.Each(found.State.SearchSkills(found.Query, found.Results.Limit), func(h workbench.SkillHit) runner.Object {
			return runner.Object{{"kind", "skill"}, {"rank", h.Rank}, {"name", h.Name}, {"path", h.Path}, {"score", h.Score}, {"tied", h.Tied}}
		})})
	}
	if found.WhyNot != nil {
		out = append(out, runner.Member{"why_not", found.WhyNot})
	}
	if c := found.Confidence; c != nil {
		out = append(out, runner.Member{"confidence", c.Value})
		if c.Abstains {
			out = append(out, runner.Member{"abstained", true}, runner.Member{"nearest", runner.Array(c.Nearest, func(name string) string { return name })})
		}
	}
	return out
}

// explanationJSON returns a node of the tree that a score is the sum of for JSON: what a token of
// the query adds, with its factors, or, as the whole, a component of the ranker with parts of its own.
func explanationJSON(e retrieval.Explanation, part bool) runner.Object {
	out := runner.Object{{"value", e.Value}, {"message", e.Message}}
	if part && e.Component == "" {
		return append(out, runner.Member{"children", []runner.Object{}}, runner.Member{"token", e.Token}, runner.Member{"df", e.DF}, runner.Member{"idf", e.IDF},
			runner.Member{"tf", e.TF}, runner.Member{"dl", e.DL}, runner.Member{"contribution", e.Value})
	}
	out = append(out, runner.Member{"children", runner.Array(e.Children, func(c retrieval.Explanation) runner.Object { return explanationJSON(c, true) })})
	if part {
		out = append(out, runner.Member{"component", e.Component}, runner.Member{"weight", e.Weight}, runner.Member{"norm", e.Norm})
	}
	return out
}
