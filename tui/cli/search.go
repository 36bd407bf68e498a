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

// searching is what the flags of search ask for.
type searching struct {
	run     *run
	rankers []string
	st      workbench.State   // under the first of the rankers
	rivals  []workbench.State // and under the others
	limit   int               // 0: the config's
	all     bool
	explain bool
	sure    bool // the confidence is asked for

	whyNot string // name of the tool; empty: none
}

// searchRow is `search`: ranked hits of the session's catalog.
func (r *run) searchRow() runner.Row {
	s := &searching{run: r}
	return runner.Row{
		Args: runner.ArgumentCount(1, 1, "one QUERY, in quotes, or -"),
		Flags: func(f runner.FlagSet) {
			f.Set.IntVar(&s.limit, "limit", 0, "return the `N` best, as the model would ask for")
			f.On(&s.all, "all", "show every hit, with the line where the limit cuts")
			f.On(&s.explain, "explain", "show what each word of the query adds to a score")
			f.On(&s.sure, "confidence", "say how likely it is that a hit fits, also where min_confidence is off")
			f.Rankers(&s.rankers, words.Or(config.Rankers)+"; the first orders the hits")
			f.Text(&s.whyNot, "why-not", "NAME", "say why this tool is not found, and what would help")
			f.On(&r.Flags.Markdown, "markdown", runner.AsMarkdown)
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			if r.Flags.Markdown && args[0] == "-" {
				return nil, runner.Usagef("--markdown is for one query, not for -")
			}
			states, err := r.LoadRanked(ctx, s.rankers)
			if err != nil {
				return nil, err
			}
			s.st, s.rivals = states[0], states[1:]
			if r.Given("limit") {
				limits, asked := s.st.Snapshot.Config.ToolSearch, s.limit // as the bridge would
				if s.limit = engine.ClampLimit(limits, asked); s.limit != asked {
					r.Complain(fmt.Sprintf("caliper: --limit %d is clamped to %d, as tool_search does (1 to max_search_limit %d)",
						asked, s.limit, limits.MaxLimit))
				}
			}
			if args[0] == "-" {
				return nil, s.stream(ctx)
			}
			return s.once(ctx, args[0])
		},
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

// why returns why the tool of --why-not is not among the hits of a query; nil
// when the flag is not given.
func (s *searching) why(ctx context.Context, found engine.Results) (*whatif.Answer, error) {
	if s.whyNot == "" {
		return nil, nil
	}
	w, err := whatif.WhyNot(ctx, s.run.Bench.Builder, s.st.Snapshot, found.Query, s.whyNot, s.limit)
	return &w, err
}

// confidence returns the confidence in a query's hits; nil when nobody asks for it.
func (s *searching) confidence(query string) *engine.Confidence {
	if !s.sure && s.st.Snapshot.Config.ToolSearch.MinConfidence == 0 {
		return nil
	}
	c := s.st.Snapshot.Confidence(query)
	return &c
}

// once answers one query.
func (s *searching) once(ctx context.Context, query string) (*runner.Outcome, error) {
	found := s.search(query)
	why, err := s.why(ctx, found)
	if err != nil {
		return nil, err
	}
	out := new(runner.Outcome) // no where the model gets no hit
	if len(found.Hits) == 0 {
		out.No = len(s.st.SearchSkills(found.Query, 1)) == 0
	} else if c := s.confidence(found.Query); c != nil {
		out.No = c.Abstains
	}
	switch {
	case s.run.Flags.Markdown:
		out.Markdown = runner.CaseOf(s.st).Search(s.st, found, why)
	case s.run.Flags.JSON:
		out.Value = s.resultsJSON(found, why)
	default:
		searched := report.Searched{Results: found, State: s.st, Rivals: s.rivals, Limit: s.limit, Explain: s.explain, WhyNot: why, Confidence: s.confidence(found.Query)}
		if unread, _ := s.st.Snapshot.Unread(query); unread > 0 && len(found.Hits) == 0 {
			if searched.Reader, err = s.st.Snapshot.Reader(ctx); err != nil {
				return nil, err
			}
		}
		if out.Page = report.Search(searched); why != nil {
			chain, err := s.run.chainOf(ctx, s.st, s.whyNot)
			if err != nil {
				return nil, err
			}
			out.Page.Add(report.Breaks(chain))
		}
		report.SkillsFound(out.Page, s.st, query, found.Limit)
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
		found := s.search(strings.ToValidUTF8(query, "\ufffd"))
		why, err := s.why(ctx, found)
		if err != nil {
			return err
		}
		if err := s.run.PrintJSONLine(s.resultsJSON(found, why)); err != nil {
			return err
		}
		if lines.Buffered() == 0 {
			if err := s.run.Out.Flush(); err != nil {
				return runner.OutputError(err)
			}
		}
	}
}

// resultsJSON returns the answer to a query for JSON.
func (s *searching) resultsJSON(found engine.Results, why *whatif.Answer) runner.Object {
	snapshot := s.st.Snapshot
	out := runner.Object{
		{"query", found.Query},
		{"session", snapshot.Session.Name},
		{"ranker", snapshot.Config.ToolSearch.Ranker},
		{"limit", found.Limit},
		{"active", snapshot.Active()},
		{"total_available", found.Total},
		{"scored", found.Scored},
		{"fallback", found.Fallback},
		{"hits", runner.Each(found.Hits, func(h engine.Hit) runner.Object { return s.hitJSON(found.Query, h) })},
	}
	if len(s.st.Skills) > 0 {
		out = append(out, runner.Member{"skills", runner.Each(s.st.SearchSkills(found.Query, found.Limit), func(h workbench.SkillHit) runner.Object {
			return runner.Object{{"kind", "skill"}, {"rank", h.Rank}, {"name", h.Name}, {"path", h.Path}, {"score", h.Score}, {"tied", h.Tied}}
		})})
	}
	if why != nil {
		out = append(out, runner.Member{"why_not", why})
	}
	if c := s.confidence(found.Query); c != nil {
		out = append(out, runner.Member{"confidence", c.Value})
		if c.Abstains {
			out = append(out, runner.Member{"abstained", true}, runner.Member{"nearest", runner.Array(c.Nearest, func(name string) string { return name })})
		}
	}
	return out
}

// hitJSON returns a hit for JSON. Where there are several rankers it has a rank
// for each.
func (s *searching) hitJSON(query string, h engine.Hit) runner.Object {
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
	if len(s.rivals) > 0 {
		ranks := map[string]any{s.st.Snapshot.Config.ToolSearch.Ranker: runner.OrNull(h.Rank)}
		for _, rival := range s.rivals {
			rank, _, _ := rival.Snapshot.Rank(query, h.Tool)
			ranks[rival.Snapshot.Config.ToolSearch.Ranker] = runner.OrNull(rank)
		}
		out = append(out, runner.Member{"ranks", ranks})
	}
	if s.explain {
		if e, ok := s.st.Snapshot.Explain(query, h.Tool); ok {
			out = append(out, runner.Member{"explain", explanationOf(e)})
		}
	}
	return out
}

// explanationJSON is one node of the tree that a score is the sum of. A part is
// what a token of the query adds, or a component of the ranker. It is a struct,
// not an object, because a search with --explain prints thousands.
type explanationJSON struct {
	Value    float64           `json:"value"`
	Message  string            `json:"message"`
	Children []explanationJSON `json:"children"`
	*tokenJSON
	*componentJSON
}

// tokenJSON is what a token of the query adds to a score.
type tokenJSON struct {
	Token        string  `json:"token"`
	DF           int     `json:"df"`
	IDF          float64 `json:"idf"`
	TF           int     `json:"tf"`
	DL           int     `json:"dl"`
	Contribution float64 `json:"contribution"`
}

// componentJSON is a component of a score.
type componentJSON struct {
	Component string  `json:"component"`
	Weight    float64 `json:"weight"` // 0: it has none
	Norm      float64 `json:"norm"`   // what it was divided by; 0: nothing
}

// explanationOf returns an explanation for JSON.
func explanationOf(e retrieval.Explanation) explanationJSON {
	return explanationJSON{Value: e.Value, Message: e.Message, Children: runner.Array(e.Children, explanationPart)}
}

// explanationPart returns a part of an explanation for JSON. The factors of a
// token are among its members.
func explanationPart(e retrieval.Explanation) explanationJSON {
	if e.Component != "" {
		out := explanationOf(e)
		out.componentJSON = &componentJSON{e.Component, e.Weight, e.Norm}
		return out
	}
	return explanationJSON{Value: e.Value, Message: e.Message, Children: []explanationJSON{},
		tokenJSON: &tokenJSON{e.Token, e.DF, e.IDF, e.TF, e.DL, e.Value}}
}
