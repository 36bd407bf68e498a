package strategies

import (
	"cmp"
	"strconv"
	"strings"

	"caliper/engine/labels"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// labelledColumns returns the columns of the strategies over the labelled queries.
func (s *Screen) labelledColumns(t *ui.Theme, w int) []ui.Column {
	of := func(style ui.Style, text func(r *selection.Row) string) func(int) (ui.Style, string) {
		return func(row int) (ui.Style, string) { return style, text(&s.measured.rows[row]) }
	}
	recall := ui.Column{Head: "recall@" + ui.Thousands(s.settings().K), Width: 11, Cell: of(t.Number, func(r *selection.Row) string { return ui.Percent(100 * r.Recall) })}
	columns := []ui.Column{
		{Head: "  strategy", Width: 16, Left: true, Cell: func(row int) (ui.Style, string) { return s.strategyCell(t, s.measured.rows[row].Strategy) }},
		{Head: "tokens", Width: 9, Cell: of(t.Number, func(r *selection.Row) string { return s.ofBridge(t, r.Strategy, ui.Whole(r.SchemaTokens)) })},
	}
	if w < 44 {
		columns[0].Width = 13
		return ui.FitColumns(w, 14, append(columns, recall))
	}
	return ui.FitColumns(w, 18, append(columns,
		ui.Column{Head: "saved", Width: 8, Cell: of(t.Text, func(r *selection.Row) string { return s.ofBridge(t, r.Strategy, ui.Percent(r.SavedPct)) })},
		recall,
		ui.Column{Head: "reachable", Width: 11, Cell: of(t.Text, func(r *selection.Row) string { return ui.Percent(100 * r.Reachable) })},
		ui.Column{Head: "cache", Width: 8, Cell: of(t.Text, func(r *selection.Row) string { return ui.Percent(100 * r.Kept) })},
		ui.Column{Head: "round trips", Width: 12, Cell: of(t.Text, func(r *selection.Row) string {
			if r.RoundTrips == 0 {
				return "0"
			}
			return "+" + ui.Thousands(r.RoundTrips)
		})},
		ui.Column{Head: "time", Width: 10, Cell: of(t.Faint, func(r *selection.Row) string { return millis(r.Took) })}))
}

// labelledBelow explains the figures of the selected row.
func (s *Screen) labelledBelow(t *ui.Theme, w int) ui.Lines {
	r := &s.measured.rows[s.strategy.At(strategies())]
	lines := ui.Flow(w, 1, []ui.Phrase{{Style: t.Text, Text: ui.LabelledQueries(r.Labelled)}, {Style: t.Faint, Text: "each answered on its own; means of one call"}})
	say := func(style ui.Style, text string) {
		lines = append(lines, ui.Flow(w, 1, []ui.Phrase{{Style: style, Text: text}})...)
	}
	if split, _ := report.Split(r.Worded); split != "" {
		say(t.Text, "recall by wording: "+split)
	}
	say(t.Faint, "recall: share of the expected tools whose schema is sent, always-sent and named ones too")
	say(t.Faint, "reachable: sent, or via search with extra round trips")
	say(t.Faint, "cache: share of a message's tokens that the next one begins with, picks not kept")
	if r.Named > 0 {
		say(t.Text, ui.Count(r.Named, "message")+" name a tool, which is then always sent")
	}
	for _, n := range r.Notes {
		lines = append(lines, ui.Flow(w, 1, []ui.Phrase{{Style: t.Warn, Text: ui.Thousands(n.Queries) + " of " + ui.Thousands(r.Queries)}, {Style: t.Warn, Text: n.Text}})...)
	}
	return ui.DrawnLines(s.strategyName(r.Strategy), "", lines)
}

// frontier returns the points that no other is better than, the cheapest first.
func (s *Screen) frontier() []selection.Point {
	var out []selection.Point
	for _, p := range s.measured.points {
		if p.Frontier {
			out = append(out, p)
		}
	}
	model.Sort(out, func(a, b selection.Point) int { return cmp.Compare(a.SchemaTokens, b.SchemaTokens) })
	return out
}

// paretoColumns returns the columns of the frontier.
func (s *Screen) paretoColumns(t *ui.Theme, w int) []ui.Column {
	points := s.frontier()
	names := 16
	if w < 60 { // the recall is worth more than a whole name
		names = 14
	}
	eager := 0.0
	for _, p := range s.measured.points {
		if p.Strategy == selection.Eager {
			eager = p.SchemaTokens
		}
	}
	split := func(head string, c labels.WordClass) ui.Column {
		return ui.Column{Head: head, Width: 7, Cell: func(row int) (ui.Style, string) { return t.Faint, report.SplitShare(points[row].Worded[c]) }}
	}
	return ui.FitColumns(w, 18, []ui.Column{
		{Head: "best points", Width: names, Left: true, Cell: func(row int) (ui.Style, string) {
			name := s.plotSign(points[row].Strategy, true) + " " + s.strategyName(points[row].Strategy)
			if knee, bent := selection.Knee(points); bent && points[row] == knee {
				return t.Accent, name + " knee"
			}
			return t.Text, name
		}},
		{Head: "K", Width: 4, Cell: func(row int) (ui.Style, string) {
			if points[row].K == 0 {
				return t.Faint, t.Same
			}
			return t.Text, strconv.Itoa(points[row].K)
		}},
		{Head: "tokens", Width: 9, Cell: func(row int) (ui.Style, string) { return t.Number, ui.Whole(points[row].SchemaTokens) }},
		{Head: "recall", Width: 9, Cell: func(row int) (ui.Style, string) { return t.Number, ui.Percent(100 * points[row].Recall) }},
		split("none", labels.NoWords), split("some", labels.SomeWords), split("all", labels.AllWords),
		{Head: "saved", Width: 9, Cell: func(row int) (ui.Style, string) {
			if eager == 0 {
				return t.Faint, t.Same
			}
			return t.Text, ui.Percent(100 * (eager - points[row].SchemaTokens) / eager)
		}},
	})
}

// plotSign returns the letter of a strategy on the plot: a capital where no point is better.
func (s *Screen) plotSign(strategy selection.Strategy, best bool) string {
	sign := s.strategyName(strategy)[:1]
	if best {
		return strings.ToUpper(sign)
	}
	return sign
}

// paretoBelow returns the plot of the points below the words about it.
func (s *Screen) paretoBelow(t *ui.Theme, w int) ui.Lines {
	heading := "recall over tokens"
	if s.W >= 70 {
		heading = "k " + s.plotSign(selection.Semantic, false) + " h: K 1.." + strconv.Itoa(selection.MaxParetoK) + "  e eager  t tool_search  l lazy  capitals: best  " + t.Pin + " selected"
	}
	return ui.Lines{Heading: heading, Fill: func(h int) []string {
		var words []string
		var best *selection.Point
		for i := range s.measured.points {
			if p := &s.measured.points[i]; p.Recall == 1 && (best == nil || p.SchemaTokens < best.SchemaTokens) {
				best = p
			}
		}
		if len(s.measured.points) != 0 {
			called := func(p selection.Point) string {
				if p.K == 0 {
					return s.strategyName(p.Strategy)
				}
				return s.strategyName(p.Strategy) + " with K " + strconv.Itoa(p.K)
			}
			var bend []ui.Phrase
			if knee, bent := selection.Knee(s.measured.points); bent {
				bend = []ui.Phrase{{Style: t.Text, Text: called(knee) + " is the knee: more tokens add little recall"}}
			}
			cheapest := []ui.Phrase{{Style: t.Text, Text: "nothing sends every expected tool"}}
			if best != nil {
				cheapest = []ui.Phrase{{Style: t.Text, Text: called(*best) + " is the cheapest that sends every expected tool: " + ui.Whole(best.SchemaTokens) + " tokens"}}
			}
			words = ui.Flow(w, 1, cheapest, bend, []ui.Phrase{{Style: t.Faint, Text: "tool_search and lazy leave tools out that the model still finds, with more round trips"}})
		}
		if h < leastPlot+len(words) {
			words = words[:min(1, len(words), max(0, h-tightPlot))] // the verdict comes before the rest of the words
		}
		return append(words, s.drawPlot(t, w, h-len(words))...)
	}}
}

// leastPlot is the least height of a plot beside all words, tightPlot beside their first line.
const leastPlot, tightPlot = 10, 8

// drawPlot draws recall against tokens in at most h lines of w cells.
func (s *Screen) drawPlot(t *ui.Theme, w, h int) []string {
	var points []ui.PlotPoint
	for _, p := range s.measured.points {
		points = append(points, ui.PlotPoint{Tokens: p.SchemaTokens, Share: p.Recall, Sign: s.plotSign(p.Strategy, p.Frontier), Best: p.Frontier, Below: !p.Strategy.Ranks()})
	}
	var selected *ui.PlotPoint
	if row, ok := s.Row(int(viewPareto)); ok {
		p := s.frontier()[row]
		selected = &ui.PlotPoint{Tokens: p.SchemaTokens, Share: p.Recall}
	}
	return ui.DrawPlot(t, w, h, points, selected)
}
