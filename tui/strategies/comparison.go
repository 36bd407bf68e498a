package strategies

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/selection"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// comparisonColumns returns the columns of the strategies for the message.
func (s *Screen) comparisonColumns(t *ui.Theme, w int) []ui.Column {
	needs := s.needs()
	of := func(style ui.Style, text func(x *selection.Selection) string) func(int) (ui.Style, string) {
		return func(row int) (ui.Style, string) { return style, text(&s.answer.selections[row]) }
	}
	columns := []ui.Column{
		{Head: "  strategy", Width: 13, Left: true, Cell: func(row int) (ui.Style, string) { return s.strategyCell(t, selection.Strategies[row]) }},
		{Head: "K", Width: 3, Cell: of(t.Text, func(x *selection.Selection) string {
			if !x.Strategy.Ranks() {
				return t.Same
			}
			return ui.Thousands(x.K)
		})},
		{Head: "tokens", Width: 9, Cell: of(t.Number, func(x *selection.Selection) string {
			return s.figure(t, x.Strategy, ui.Thousands(x.SchemaTokens))
		})},
		{Head: "saved", Width: 7, Cell: of(t.Text, func(x *selection.Selection) string { return s.figure(t, x.Strategy, ui.Percent(x.SavedPct)) })},
	}
	least := -1
	for i := range s.answer.selections {
		x := &s.answer.selections[i]
		if _, in := s.met(x, needs); in && (least < 0 || x.SchemaTokens < s.answer.selections[least].SchemaTokens) {
			least = i
		}
	}
	asked := 11
	if len(needs) > 0 && w >= 74 {
		asked = 15
	}
	met := ui.Column{Head: "expected", Width: asked, Cell: func(row int) (ui.Style, string) {
		text, in := s.met(&s.answer.selections[row], needs)
		switch {
		case len(needs) == 0:
			return t.Faint, text
		case row == least && asked > 11:
			return t.Ok, text + ", cheapest"
		case row == least:
			return t.Ok, "cheapest"
		case in:
			return t.Ok, text
		}
		return t.Warn, text
	}}
	trips := ui.Column{Head: "round trips", Width: 12, Cell: of(t.Text, func(x *selection.Selection) string {
		n := x.RoundTrips
		if text, _ := s.met(x, needs); text == viaSearch && x.Strategy != selection.Lazy { // as by tool search, whatever the strategy; lazy has its name
			for _, other := range s.answer.selections {
				if other.Strategy == selection.ToolSearch {
					n = max(n, other.RoundTrips)
				}
			}
		}
		if n == 0 {
			return "0"
		}
		return "+" + ui.Thousands(n)
	})}
	if w < 44 {
		columns = slices.Delete(columns, 1, 2) // K, which the knobs have
		columns[0].Width, columns[1].Width, columns[2].Width = 13, 7, 6
		return ui.FitColumns(w, 14, append(columns, met))
	}
	columns = append(columns, met, trips,
		ui.Column{Head: "cache", Width: 8, Cell: func(row int) (ui.Style, string) { return t.Text, s.cacheText(selection.Strategies[row]) }})
	if r := s.labelledRow(selection.Eager); r != nil && s.message() != "" { // beside tokens without picks it would mislead
		recall := "recall@" + ui.Thousands(s.selector.Settings().K)
		columns = append(columns, ui.Column{Head: recall, Width: ui.Width(recall) + 1, Cell: func(row int) (ui.Style, string) {
			return t.Text, ui.Percent(100 * s.labelledRow(selection.Strategies[row]).Recall)
		}})
	}
	columns = append(columns, ui.Column{Head: "time", Width: 9, Cell: of(t.Faint, func(x *selection.Selection) string { return millis(x.Took) })})
	return ui.FitColumns(w, 18, columns)
}

// figure returns a figure of a strategy for the message, or the sign for none: of a ranking while
// there is no message, and of a bridge that is not measured.
func (s *Screen) figure(t *ui.Theme, of selection.Strategy, figure string) string {
	if of.Ranks() && s.message() == "" {
		return t.Same
	}
	return s.ofBridge(t, of, figure)
}

// ofBridge returns a figure, or the sign for none where a bridge is not measured.
func (s *Screen) ofBridge(t *ui.Theme, of selection.Strategy, figure string) string {
	if of == selection.ToolSearch && !s.state.Budget.Measured() {
		return t.Same
	}
	return figure
}

// strategyCell returns the name of a strategy, with a mark at the active one.
func (s *Screen) strategyCell(t *ui.Theme, strategy selection.Strategy) (ui.Style, string) {
	if strategy == s.inForce() {
		return t.Strong, t.Dot + " " + s.strategyName(strategy)
	}
	return t.Text, "  " + s.strategyName(strategy)
}

// strategyName returns what a strategy is called: fuzzy in place of semantic while there is
// no model.
func (s *Screen) strategyName(strategy selection.Strategy) string {
	return report.StrategyName(strategy, s.state.Config.Config.PreSelection.EmbedModel)
}

// cacheText tells how much of the prompt cache a strategy keeps from turn to
// turn. That is the share of the schema tokens of the turn before that can be used
// again. Without a turn before, it is the share over the labelled queries where
// nothing is sticky, else what follows from how the strategy works.
func (s *Screen) cacheText(strategy selection.Strategy) string {
	if !strategy.Ranks() {
		return "stable"
	}
	p := s.answer.past
	if before, now := p.last[strategy], s.pick(strategy); now != nil && before.SchemaTokens > 0 {
		return ui.Percent(100 * (1 - float64(p.selector.Lost(before, *now))/float64(before.SchemaTokens)))
	}
	if s.state.Config.PreSelection.Sticky {
		return "changes"
	}
	if r := s.labelledRow(strategy); r != nil {
		return ui.Percent(100 * r.Kept)
	}
	return "changes"
}

// labelledRow returns the figures of a strategy over the labelled queries, nil until measured.
func (s *Screen) labelledRow(strategy selection.Strategy) *selection.Row {
	if !s.isMeasured(viewLabelled) {
		return nil
	}
	for i := range s.measured.rows {
		if r := &s.measured.rows[i]; r.Strategy == strategy {
			return r
		}
	}
	return nil
}

// shortReasons are the reasons where there is little room.
var shortReasons = map[selection.Reason]string{
	"": "below", selection.All: "all", selection.Core: "always", selection.Mentioned: "named", selection.Ranked: "rank", selection.Sticky: "kept",
}

// selectedBelow returns what the selected strategy sends, its notes, and what just missed.
func (s *Screen) selectedBelow(t *ui.Theme, w int) ui.Lines {
	strategy := s.chosen()
	x := s.pick(strategy)
	heading := s.strategyName(strategy) + "  " + sentText(x)
	tools, missed := s.filtered(x.Tools), s.filtered(x.Missed)
	ranked := strategy.Ranks()
	if ranked { // as they were chosen: what was ranked last, the best first
		order := map[selection.Reason]int{selection.Core: 0, selection.Mentioned: 1, selection.Sticky: 2, selection.All: 3, selection.Ranked: 4}
		tools = slices.Clone(tools)
		model.Sort(tools, func(a, b selection.Selected) int {
			return cmp.Or(cmp.Compare(order[a.Reason], order[b.Reason]), cmp.Compare(b.Score, a.Score))
		})
	}
	var before []string
	for _, n := range x.Notes {
		before = append(before, ui.Flow(w, 1, []ui.Phrase{{Style: t.Warn, Text: n.Text}})...)
	}
	var l ui.Line
	columns := s.selectedColumns(t, w, slices.Concat(tools, missed), ranked)
	if len(tools) > 0 && s.H >= ui.SplitHeight {
		before = append(before, ui.DrawHeads(t, w, columns))
	}
	if s.filtering() != "" && len(tools)+len(missed) == 0 {
		before = append(before, ui.Flow(w, 1, []ui.Phrase{{Style: t.Faint, Text: "no tool contains " + safetext.Line(s.filter) + "; esc clears the filter"}})...)
	}
	cut := 0
	if ranked && x.Candidates > x.K {
		cut = 1
	}
	b := ui.Lines{Heading: heading, Count: len(before) + len(tools) + cut + len(missed)}
	b.Line = func(i int) string {
		switch tool := i - len(before); {
		case tool < 0:
			return before[i]
		case tool < len(tools):
			return ui.DrawRow(w, columns, tool)
		case tool < len(tools)+cut:
			l.Start(w)
			text := " K " + strconv.Itoa(x.K) + " "
			l.Repeat(t.Warn, t.Cut, max(0, (w-ui.Width(text))/2))
			l.Text(t.Warn, text)
			l.Repeat(t.Warn, t.Cut, l.Room())
			return l.End()
		default:
			return ui.DrawRow(w, columns, tool-cut)
		}
	}
	return b
}

// sentText tells what a selection sends: tools, bridge, tokens.
func sentText(x *selection.Selection) string {
	text := ui.Count(len(x.Tools), "tool")
	if x.Strategy == selection.Lazy {
		text = ui.Count(x.Deferred, "name")
	}
	if x.Bridge {
		text += " + bridge"
	}
	return text + "  " + ui.Thousands(x.SchemaTokens) + " tok"
}

// filtered returns the tools that pass the filter.
func (s *Screen) filtered(tools []selection.Selected) []selection.Selected {
	filter := s.filtering()
	if filter == "" {
		return tools
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t selection.Selected) bool {
		return !strings.Contains(strings.ToLower(t.Tool.ShownName), filter)
	})
}

// leastAbout is the least cells of a description beside a name.
const leastAbout = 40

// selectedColumns returns the columns of the tools of list: why a tool was chosen, its name,
// a description where there is room for one, and how it was ranked. A column of numbers
// gives way before a name is cut.
func (s *Screen) selectedColumns(t *ui.Theme, w int, list []selection.Selected, ranked bool) []ui.Column {
	number := func(head string, width int, style ui.Style, text func(*selection.Selected) string) ui.Column {
		return ui.Column{Head: head, Width: max(width, ui.Width(head)+1), Cell: func(row int) (ui.Style, string) {
			if x := &list[row]; x.Reason != "" {
				return style, text(x)
			}
			return t.Faint, text(&list[row]) // it just missed
		}}
	}
	positive := func(n float64, text string) string {
		if n > 0 {
			return text
		}
		return t.Same
	}
	embedder, keyword, similar := report.StrategyName(selection.Semantic, s.answer.state.Config.PreSelection.EmbedModel), "keyword", "similar"
	why, short := 13, w < 60
	if short {
		why, embedder, keyword, similar = 7, embedder[:3], "kw", "near"
	}
	numbers := []ui.Column{
		number(keyword, 4, t.Text, func(x *selection.Selected) string {
			return positive(float64(x.KeywordRank), ui.Thousands(x.KeywordRank))
		}),
		number(embedder, 4, t.Text, func(x *selection.Selected) string {
			return positive(float64(x.SemanticRank), ui.Thousands(x.SemanticRank))
		}),
		number(similar, 6, t.Faint, func(x *selection.Selected) string {
			if x.Similarity == nil {
				return t.Same
			}
			return strconv.FormatFloat(*x.Similarity, 'f', 3, 64)
		}),
		number("score", 9, t.Text, func(x *selection.Selected) string {
			return positive(x.Score, strconv.FormatFloat(x.Score, 'f', 5, 64))
		}),
		number("tokens", 7, t.Faint, func(x *selection.Selected) string {
			return ui.Thousands(s.answer.state.Snapshot.ToolTokens(x.Tool))
		}),
	}
	if short {
		numbers = numbers[:3]
	}
	if !ranked {
		numbers = numbers[min(4, len(numbers)):]
	}
	needs := s.needs()
	meets := func(x *selection.Selected) bool {
		return slices.ContainsFunc(needs, func(group []string) bool {
			return slices.Contains(group, x.Tool.Name) || slices.Contains(group, x.Tool.Qualified)
		})
	}
	room, longest, mark := w-1-why, 0, 0
	for i := range list {
		longest = max(longest, ui.Width(list[i].Tool.ShownName)+1)
		if meets(&list[i]) {
			mark = ui.Width(t.Pin) + 1
		}
	}
	room -= mark
	for _, c := range numbers {
		room -= c.Width
	}
	for _, head := range []string{similar, "score", "tokens", embedder, keyword} {
		i := slices.IndexFunc(numbers, func(c ui.Column) bool { return c.Head == head })
		if i >= 0 && room < longest {
			room += numbers[i].Width
			numbers = slices.Delete(numbers, i, i+1)
		}
	}
	name := room
	if room >= 2*leastAbout {
		name = room / 2
	}
	tool := number("tool", name, t.Text, func(x *selection.Selected) string { return ui.FitName(x.Tool.ShownName, name-1) })
	tool.Left = true
	columns := []ui.Column{
		{Head: "why", Width: why, Left: true, Cell: func(row int) (ui.Style, string) {
			switch reason := list[row].Reason; {
			case short:
				return t.Faint, shortReasons[reason]
			case reason == "":
				return t.Faint, "below cutoff"
			default:
				return t.Faint, report.ReasonWord(reason)
			}
		}},
		{Width: mark, Left: true, Cell: func(row int) (ui.Style, string) {
			if meets(&list[row]) {
				return t.Accent, t.Pin
			}
			return t.Accent, ""
		}},
		tool,
		{Head: "description", Width: room - name, Left: true, Cell: func(row int) (ui.Style, string) {
			return t.Faint, ui.FirstWords(list[row].Tool.ShownDescription(), room-name-2)
		}},
	}
	return append(slices.DeleteFunc(columns, func(c ui.Column) bool { return c.Width == 0 }), numbers...)
}
