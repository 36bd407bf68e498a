package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/repro"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// searching is what the flags of search ask for.
type searching struct {
	run     *run
	rankers rankers
	st      workbench.State   // under the first of the rankers
	rivals  []workbench.State // and under the others
	limit   int               // 0: the config's
	all     bool
	explain bool

	whyNot   string // the tool to say it of; empty: none
	markdown bool
}

// searchCommand is `search`: ranked hits of the session's catalog.
func (r *run) searchCommand() *cobra.Command {
	s := &searching{run: r}
	cmd := &cobra.Command{
		Use:     "search QUERY",
		Short:   "Rank the tools of the session's catalog for a query.",
		GroupID: groupLook,
		Example: `caliper search "create a github issue"
caliper search deploy --all --explain
caliper search "search messages about the storm" --why-not mcp_mail_search
caliper search - < queries.txt`,
		Long: "Searches whether or not the bridge is active in the session, and says which. " +
			"Exits with 1 when nothing is found. With - for a query, reads one query a line and " +
			"prints one JSON value a line; it then exits with 0. --why-not tells what keeps a tool from being found, " +
			"and what would bring it within the limit: every remedy has been tried.",
		Args: argumentCount(1, 1, "one QUERY, in quotes, or -"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.markdown && args[0] == "-" {
				return usageErrorf(cmd, "--markdown is for one query, not for -")
			}
			states, err := r.loadRanked(cmd.Context(), s.rankers)
			if err != nil {
				return err
			}
			s.st, s.rivals = states[0], states[1:]
			if cmd.Flags().Changed("limit") {
				s.clamp()
			}
			if args[0] == "-" {
				return s.stream(cmd.Context())
			}
			return s.once(cmd.Context(), args[0])
		},
	}
	cmd.Flags().IntVar(&s.limit, "limit", 0, "return the `N` best, as the model would ask for")
	cmd.Flags().BoolVar(&s.all, "all", false, "show every hit, with the line where the limit cuts")
	cmd.Flags().BoolVar(&s.explain, "explain", false, "show what each word of the query adds to a score")
	cmd.Flags().Var(&s.rankers, "ranker", "rank by bm25, fielded or bm25-gated; the first of several orders the hits")
	cmd.Flags().Var(&checked{kind: "NAME", set: func(name string) error {
		s.whyNot = name
		return notEmpty(name)
	}}, "why-not", "say why this tool is not found, and what would help")
	cmd.Flags().BoolVar(&s.markdown, "markdown", false, "print it all as Markdown, to be pasted into an issue")
	_ = cmd.RegisterFlagCompletionFunc("why-not", r.completeFlagTool)
	_ = cmd.RegisterFlagCompletionFunc("ranker", completeRankers)
	return cmd
}

// clamp puts the limit where the bridge would, and says so when that is
// elsewhere.
func (s *searching) clamp() {
	limits := s.st.Snapshot.Config.ToolSearch
	asked := s.limit
	s.limit = engine.ClampLimit(limits, asked)
	if s.limit != asked {
		s.run.complain(fmt.Sprintf("caliper: --limit %d is clamped to %d, as tool_search does (1 to max_search_limit %d)",
			asked, s.limit, limits.MaxLimit))
	}
}

// search asks for the hits that are to be shown.
func (s *searching) search(query string) engine.Results {
	depth := 0
	if s.all {
		depth = len(s.st.Snapshot.Catalog())
	}
	return s.st.Snapshot.Search(query, s.limit, depth)
}

// once answers one query.
func (s *searching) once(ctx context.Context, query string) error {
	found := s.search(query)
	why, err := s.why(ctx, found)
	if err != nil {
		return err
	}
	switch {
	case s.markdown:
		err = s.run.printMarkdown(repro.Search(reproCase(s.st), found, why))
	case s.run.flags.json:
		err = s.run.printJSON(s.resultsJSON(found, why))
	default:
		s.text(found)
		s.whyText(why)
	}
	if err == nil && len(found.Hits) == 0 {
		err = errNo
	}
	return err
}

// stream answers one query a line until the input ends. What is answered is
// written whenever no further query is waiting.
func (s *searching) stream(ctx context.Context) error {
	lines := bufio.NewReader(s.run.in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading queries: %w", err)
		}
		if err != nil && len(line) == 0 {
			return nil
		}
		query := string(bytes.TrimRight(line, "\r\n"))
		found := s.search(strings.ToValidUTF8(query, "\ufffd"))
		why, err := s.why(ctx, found)
		if err != nil {
			return err
		}
		if err := s.run.printJSONLine(s.resultsJSON(found, why)); err != nil {
			return err
		}
		if lines.Buffered() == 0 {
			if err := s.run.out.Flush(); err != nil {
				return outputError(err)
			}
		}
	}
}

// resultsJSON is the answer to a query.
type resultsJSON struct {
	Query          string    `json:"query"`
	Session        string    `json:"session"`
	Ranker         string    `json:"ranker"`
	Limit          int       `json:"limit"`
	Active         bool      `json:"active"`
	TotalAvailable int       `json:"total_available"`
	Scored         int       `json:"scored"`
	Fallback       bool      `json:"fallback"`
	Hits           []hitJSON `json:"hits"`

	WhyNot *engine.WhyNot `json:"why_not,omitempty"`
}

// hitJSON is one hit of an answer.
type hitJSON struct {
	Rank        int              `json:"rank"`
	Name        string           `json:"name"`
	Toolset     string           `json:"toolset"`
	Source      string           `json:"source"`
	Score       float64          `json:"score"`
	WithinLimit bool             `json:"within_limit"`
	Tied        bool             `json:"tied"`
	Ranks       map[string]*int  `json:"ranks,omitempty"` // by ranker, where there are several; null: not found
	Explain     *explanationJSON `json:"explain,omitempty"`
}

// resultsJSON returns results for JSON.
func (s *searching) resultsJSON(found engine.Results, why *engine.WhyNot) resultsJSON {
	snapshot := s.st.Snapshot
	out := resultsJSON{
		Query:          found.Query,
		Session:        snapshot.Session.Name,
		Ranker:         snapshot.Config.ToolSearch.Ranker,
		Limit:          found.Limit,
		Active:         snapshot.Active(),
		TotalAvailable: found.Total,
		Scored:         found.Scored,
		Fallback:       found.Fallback,
		Hits:           make([]hitJSON, len(found.Hits)),
		WhyNot:         why,
	}
	for i, h := range found.Hits {
		out.Hits[i] = hitJSON{
			Rank:        h.Rank,
			Name:        h.Tool.Qualified,
			Toolset:     h.Tool.Toolset,
			Source:      engine.SourceOf(h.Tool.Toolset),
			Score:       h.Score,
			WithinLimit: h.Within,
			Tied:        h.Tied,
			Ranks:       s.ranks(found.Query, h),
		}
		if s.explain {
			if e, ok := snapshot.Explain(found.Query, h.Tool); ok {
				out.Hits[i].Explain = explanationOf(e)
			}
		}
	}
	return out
}

// ranks returns the place of a hit under every ranker, nil when there is but
// one.
func (s *searching) ranks(query string, h engine.Hit) map[string]*int {
	if len(s.rivals) == 0 {
		return nil
	}
	ranks := map[string]*int{s.st.Snapshot.Config.ToolSearch.Ranker: rankOrNull(h.Rank)}
	for _, rival := range s.rivals {
		ranks[rival.Snapshot.Config.ToolSearch.Ranker] = rankOrNull(rankUnder(rival, query, h.Tool))
	}
	return ranks
}

// rankUnder returns the rank of a tool in another state, 0 for none.
func rankUnder(st workbench.State, query string, t *model.Tool) int {
	rank, _, _ := st.Snapshot.Rank(query, t)
	return rank
}
