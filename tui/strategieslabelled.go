package tui

import (
	"caliper/engine/selection"
	"caliper/tui/cells"
)

// labelledColumns are the columns of the strategies over the labelled queries.
func (s *strategiesScreen) labelledColumns(t *Theme, w int) []column {
	of := func(style cells.Style, text func(r *selection.Row) string) func(int) (cells.Style, string) {
		return func(row int) (cells.Style, string) { return style, text(&s.rows[row]) }
	}
	recall := column{head: "recall@" + thousands(s.settings().K), width: 11, cell: of(t.Number, func(r *selection.Row) string { return percent(100 * r.Recall) })}
	columns := []column{
		{head: "  strategy", width: 14, left: true, cell: func(row int) (cells.Style, string) { return s.strategyCell(t, s.rows[row].Strategy) }},
		{head: "tokens", width: 9, cell: of(t.Number, func(r *selection.Row) string { return whole(r.SchemaTokens) })},
	}
	if w < 44 {
		columns[0].width = 13
		return fitting(w, 14, append(columns, recall))
	}
	return fitting(w, 18, append(columns,
		column{head: "saved", width: 8, cell: of(t.Text, func(r *selection.Row) string { return percent(r.SavedPct) })},
		recall,
		column{head: "reachable", width: 11, cell: of(t.Text, func(r *selection.Row) string { return percent(100 * r.Reachable) })},
		column{head: "cache", width: 8, cell: of(t.Text, func(r *selection.Row) string { return percent(100 * r.Kept) })},
		column{head: "time", width: 10, cell: of(t.Faint, func(r *selection.Row) string { return tookWords(r.Took) })},
		column{head: "trips", width: 6, cell: of(t.Text, func(r *selection.Row) string {
			if r.RoundTrips == 0 {
				return "0"
			}
			return "+" + thousands(r.RoundTrips)
		})}))
}

// labelledBelow says what is to be known of the selected row.
func (s *strategiesScreen) labelledBelow(t *Theme, w int) belowLines {
	if len(s.rows) == 0 {
		return linesOf("", "", nil)
	}
	r := &s.rows[s.list().cursor]
	lines := flow(w, 1, []phrase{{t.Text, labelledQueries(r.Labelled)}, {t.Faint, "each answered on its own; means of one call"}})
	say := func(style cells.Style, words string) { lines = append(lines, flow(w, 1, []phrase{{style, words}})...) }
	say(t.Faint, "recall: needed tools whose schema is sent, core and named ones among them")
	say(t.Faint, "reachable: those that more round trips can have as well")
	say(t.Faint, "cache: tokens of a message that the next one begins with too, not sticky")
	if r.Named > 0 {
		say(t.Text, plural(r.Named, "message")+" by name: what a message names is always sent")
	}
	for _, n := range r.Notes {
		lines = append(lines, flow(w, 1, []phrase{{t.Warn, thousands(n.Queries) + " of " + thousands(r.Queries)}, {t.Warn, n.Text}})...)
	}
	return linesOf(string(r.Strategy), "", lines)
}
