package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// mapRow is `map`: which tools answer each other's queries.
func (r *run) mapRow() row {
	var queriesFile string
	var ranker []string
	return row{
		flags: func(f flagSet) {
			f.text(&queriesFile, "queries", "FILE", "labelled queries, as eval reads them; on the demo its own")
			f.value("ranker", "R", "search by this ranker, instead of the config's", func(name string) error {
				if strings.Contains(name, ",") {
					return errors.New("want one ranker")
				}
				if ranker = []string{name}; !slices.Contains(config.Rankers, name) {
					return errors.New("want " + strings.Join(config.Rankers, ", "))
				}
				return nil
			})
			f.on(&r.flags.markdown, "markdown", asMarkdown)
		},
		run: func(ctx context.Context, _ []string) (*outcome, error) {
			queries, err := r.labelledOrDemo(queriesFile)
			if err != nil {
				return nil, err
			}
			states, err := r.loadRanked(ctx, ranker, prepareIndex)
			if err != nil {
				return nil, err
			}
			m, err := r.mapOf(ctx, states[0], queries)
			if err != nil {
				return nil, err
			}
			return &outcome{value: mapJSON(m), page: report.Confusion(m)}, nil
		},
	}
}

// mapOf returns the map of a state.
func (r *run) mapOf(ctx context.Context, st workbench.State, queries []labels.Query) (*lint.ConfusionMap, error) {
	return lint.MapConfusion(ctx, st.Snapshot.Unasked(), queries, r.counts("tools"))
}

// mapJSON returns a map for JSON. Of a shadow a is above b; of two servers b is the one
// to drop. Only the map of a large catalog has bounds, and only one with more equal tools
// than are compared is crowded.
func mapJSON(m *lint.ConfusionMap) object {
	name := func(p int) string { return m.Tools[p].Name }
	out := object{
		{"tools", array(m.Tools, func(t lint.ConfusedTool) string { return t.Name })},
		{"pairs", each(m.Pairs, func(p lint.ConfusedPair) object {
			return object{{"a", name(p.A)}, {"b", name(p.B)}, {"confusion", p.Confusion}, {"kind", p.Kind}}
		})},
		{"servers", array(m.Servers, func(s lint.ConfusedServers) object {
			return object{{"a", s.A}, {"b", s.B}, {"overlap", s.Overlap}, {"saved_tokens", s.Saved}, {"lost", array(s.Lost, name)}, {"lost_queries", s.LostQueries}}
		})},
		{"ranker", m.Ranker},
	}
	if m.Bounds.Narrow() {
		out = append(out, member{"bounds", object{{"hits", m.Bounds.Depth}, {"sentence_words", m.Bounds.Words}}})
	}
	if m.Crowded > 0 {
		out = append(out, member{"crowded", object{{"tools", m.Crowded}, {"hits", m.Bounds.Depth}, {"tied_hits", cmp.Or(m.Bounds.Tied, m.Bounds.Depth)}, {"note", report.CrowdedNote(m).String()}}})
	}
	return out
}
