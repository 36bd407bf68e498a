package tui

import (
	"caliper/engine/selection"
	"caliper/tui/cells"
)

// comparisonColumns are the columns of the strategies for the message.
func (s *strategiesScreen) comparisonColumns(t *Theme, w int) []column {
	needs := s.needs()
	at := func(row int) *selection.Selection { return s.answer.picks[row] }
	of := func(style cells.Style, text func(x *selection.Selection) string) func(int) (cells.Style, string) {
		return func(row int) (cells.Style, string) {
			if x := at(row); x != nil {
				return style, text(x)
			}
			return t.Faint, t.Ellipsis
		}
	}
	columns := []column{
		{head: "  strategy", width: 14, left: true, cell: func(row int) (cells.Style, string) { return s.strategyCell(t, selection.Strategies[row]) }},
		{head: "tokens", width: 9, cell: of(t.Number, func(x *selection.Selection) string { return thousands(x.SchemaTokens) })},
		{head: "saved", width: 8, cell: of(t.Text, func(x *selection.Selection) string { return percent(x.SavedPct) })},
	}
	needed := column{head: "needed", width: 8, cell: func(row int) (cells.Style, string) {
		words, in := s.needed(at(row), needs)
		switch {
		case len(needs) == 0:
			return t.Faint, words
		case in:
			return t.Ok, words
		}
		return t.Warn, words
	}}
	trips := column{head: "trips", width: 6, cell: of(t.Text, func(x *selection.Selection) string {
		if x.RoundTrips == 0 {
			return "0"
		}
		return "+" + thousands(x.RoundTrips)
	})}
	if w < 44 {
		columns[0].width, columns[1].width = 13, 8
		return fitting(w, 14, append(columns, needed))
	}
	columns = append(columns, needed, trips,
		column{head: "time", width: 10, cell: of(t.Faint, func(x *selection.Selection) string { return tookWords(x.Took) })},
		column{head: "cache", width: 8, cell: func(row int) (cells.Style, string) { return t.Text, s.cacheWord(selection.Strategies[row]) }})
	if r := s.labelledRow(selection.Eager); r != nil {
		columns = append(columns, column{head: "recall@" + thousands(s.jobs[workLabelled].of.Settings().K), width: 11, cell: func(row int) (cells.Style, string) {
			return t.Text, percent(100 * s.labelledRow(selection.Strategies[row]).Recall)
		}})
	}
	return fitting(w, 18, columns)
}

// strategyCell is the name of a strategy, with a mark at the one in force.
func (s *strategiesScreen) strategyCell(t *Theme, strategy selection.Strategy) (cells.Style, string) {
	if strategy == s.inForce() {
		return t.Strong, t.Dot + " " + string(strategy)
	}
	return t.Text, "  " + string(strategy)
}

// cacheWord says how much of the prompt cache a strategy keeps from turn to
// turn: the share of the schema tokens of the turn before that can be used
// again, or where nothing is sticky that of the labelled queries; before
// either, what follows from how the strategy works.
func (s *strategiesScreen) cacheWord(strategy selection.Strategy) string {
	if !strategy.Ranks() {
		return "same"
	}
	p := s.answer.past
	if before, now := p.last[strategy], s.pick(strategy); now != nil && before.SchemaTokens > 0 {
		return percent(100 * (1 - float64(p.selector.Lost(before, *now))/float64(before.SchemaTokens)))
	}
	if s.state.Config.PreSelection.Sticky {
		return "grows"
	}
	if r := s.labelledRow(strategy); r != nil {
		return percent(100 * r.Kept)
	}
	return "varies"
}

// labelledRow returns what a strategy comes to over the labelled queries, nil
// while that was not measured with the settings as they are.
func (s *strategiesScreen) labelledRow(strategy selection.Strategy) *selection.Row {
	if j := &s.jobs[workLabelled]; j.of != s.selector.made || j.cancel != nil || j.toobig || j.stopped || j.err != nil {
		return nil
	}
	for i := range s.rows {
		if s.rows[i].Strategy == strategy {
			return &s.rows[i]
		}
	}
	return nil
}
