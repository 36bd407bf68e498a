package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"caliper/engine/confusion"
	"caliper/engine/labels"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// mapCommand is `map`: which tools answer each other's queries.
func (r *run) mapCommand() *cobra.Command {
	var queriesFile string
	var markdown bool
	cmd := &cobra.Command{
		Use:     "map",
		Short:   "Map the tools that are confused, and servers that do what another does.",
		GroupID: groupAudit,
		Example: `caliper map
caliper map --queries queries.jsonl --ranker fielded
caliper map --registry tools.json --config config.yaml --json`,
		Long: "Searches the session's catalog for every tool by its labelled queries and its own words: those of its name, and " +
			"its first sentence. Confusion is how near another tool comes to the score of the right one, from 0 to 1, as a " +
			"mean over these queries. Twins each have 0.8 or more on the queries of the other; a shadow ranks above a tool " +
			"in half of the tool's queries. A server duplicates another when it answers the queries of half of the other's " +
			"tools: dropping that one takes its definitions out of the catalog, and loses the tools that no other comes near, 0.8 or more. Similar tools are " +
			"beside each other; their order in the registry changes nothing. In a catalog of more than " + words.Thousands(confusion.Large) + " tools " +
			"fewer hits are compared and long sentences are asked by their rarest words, as the answer then says. Where more tools " +
			"come near for one query than are compared, as where all have one description, the answer says of how many tools.",
		Args: argumentCount(0, 0, ""),
	}
	var ranker rankers
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		queries, err := r.labelledOrDemo(queriesFile)
		if err != nil {
			return err
		}
		states, err := r.loadRanked(cmd.Context(), ranker, prepareIndex)
		if err != nil {
			return err
		}
		m, err := r.mapOf(cmd.Context(), states[0], queries)
		if err != nil {
			return err
		}
		text := report.Confusion(m)
		if markdown {
			return r.printMarkdown(text)
		}
		return r.answer(mapJSON(m), text)
	}
	textFlag(cmd.Flags(), &queriesFile, "queries", "FILE", "labelled queries, as eval reads them; on the demo its own")
	cmd.Flags().Var(&oneRanker{&ranker}, "ranker", "search by this ranker, instead of the config's")
	markdownFlag(cmd, &markdown)
	return cmd
}

// mapOf returns the map of a state.
func (r *run) mapOf(ctx context.Context, st workbench.State, queries []labels.Query) (*confusion.Map, error) {
	p := r.progress("tools")
	defer p.clear()
	return confusion.Of(ctx, st.Snapshot.Unasked(), queries, p.report)
}

// mapJSON returns a map for JSON. Of a shadow a is above b; of two servers b is the one
// to drop. Only the map of a large catalog has bounds, and only one with more equal tools
// than are compared is crowded.
func mapJSON(m *confusion.Map) object {
	name := func(p int) string { return m.Tools[p].Name }
	out := object{
		{"tools", array(m.Tools, func(t confusion.Tool) string { return t.Name })},
		{"pairs", each(m.Pairs, func(p confusion.Pair) object {
			return object{{"a", name(p.A)}, {"b", name(p.B)}, {"confusion", p.Confusion}, {"kind", p.Kind}}
		})},
		{"servers", array(m.Servers, func(s confusion.ServerPair) object {
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
