package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/lint"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
)

// mapRow is `map`: which tools answer each other's queries.
func (r *run) mapRow() runner.Row {
	var queriesFile string
	var ranker []string
	return runner.Row{
		Flags: func(f runner.FlagSet) {
			f.Text(&queriesFile, "queries", "FILE", "labelled queries, as eval reads them; on the demo its own")
			f.Value("ranker", "R", "search by this ranker, instead of the config's", func(name string) error {
				if strings.Contains(name, ",") {
					return errors.New("want one ranker")
				}
				if ranker = []string{name}; !slices.Contains(config.Rankers, name) {
					return errors.New("want " + strings.Join(config.Rankers, ", "))
				}
				return nil
			})
			f.On(&r.Flags.Markdown, "markdown", runner.AsMarkdown)
		},
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
			queries, err := r.LabelledOrDemo(queriesFile)
			if err != nil {
				return nil, err
			}
			states, err := r.LoadRanked(ctx, ranker)
			if err != nil {
				return nil, err
			}
			m, err := lint.MapConfusion(ctx, states[0].Snapshot.Unasked(), queries, r.Counts("tools"))
			if err != nil {
				return nil, err
			}
			return &runner.Outcome{Value: mapJSON(m), Page: report.Confusion(m)}, nil
		},
	}
}

// mapJSON returns a map for JSON. Of a shadow a is above b; of two servers b is the one
// to drop. Only the map of a large catalog has bounds, and only one with more equal tools
// than are compared is crowded.
func mapJSON(m *lint.ConfusionMap) runner.Object {
	name := func(p int) string { return m.Tools[p].Name }
	out := runner.Object{
		{"tools", runner.Array(m.Tools, func(t lint.ConfusedTool) string { return t.Name })},
		{"pairs", runner.Each(m.Pairs, func(p lint.ConfusedPair) runner.Object {
			return runner.Object{{"a", name(p.A)}, {"b", name(p.B)}, {"confusion", p.Confusion}, {"kind", p.Kind}}
		})},
		{"servers", runner.Array(m.Servers, func(s lint.ConfusedServers) runner.Object {
			return runner.Object{{"a", s.A}, {"b", s.B}, {"overlap", s.Overlap}, {"saved_tokens", s.Saved}, {"lost", runner.Array(s.Lost, name)}, {"lost_queries", s.LostQueries}}
		})},
		{"ranker", m.Ranker},
	}
	if m.Bounds.Narrow() {
		out = append(out, runner.Member{"bounds", runner.Object{{"hits", m.Bounds.Depth}, {"sentence_words", m.Bounds.Words}}})
	}
	if m.Crowded > 0 {
		out = append(out, runner.Member{"crowded", runner.Object{{"tools", m.Crowded}, {"hits", m.Bounds.Depth}, {"tied_hits", cmp.Or(m.Bounds.Tied, m.Bounds.Depth)}, {"note", report.CrowdedNote(m).String()}}})
	}
	return out
}
