package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/selection"
	"caliper/tui/cells"
)

// shortReasons are the reasons where there is little room.
var shortReasons = map[selection.Reason]string{
	selection.All: "all", selection.Core: "core", selection.Mentioned: "named", selection.Ranked: "rank", selection.Sticky: "kept",
}

// selectedBelow returns what the strategy under the cursor selected: its
// notes, its tools, the cut line and what just missed.
func (s *strategiesScreen) selectedBelow(t *Theme, w int) belowLines {
	strategy := s.chosen()
	x := s.pick(strategy)
	if x == nil {
		return linesOf(string(strategy), "", nil)
	}
	heading := string(strategy) + "  " + s.sentWords(x)
	tools, missed := s.filtered(x.Tools), s.filtered(x.Missed)
	ranked := strategy.Ranks()
	if ranked { // as they were chosen: what was ranked last, the best first
		order := map[selection.Reason]int{selection.Core: 0, selection.Mentioned: 1, selection.Sticky: 2, selection.All: 3, selection.Ranked: 4}
		tools = slices.Clone(tools)
		slices.SortStableFunc(tools, func(a, b selection.Selected) int {
			return cmp.Or(cmp.Compare(order[a.Reason], order[b.Reason]), cmp.Compare(b.Score, a.Score))
		})
	}
	var before []string
	for _, n := range x.Notes {
		before = append(before, flow(w, 1, []phrase{{t.Warn, n.Text}})...)
	}
	var l cells.Line
	if len(tools) > 0 && s.h >= strategiesSplit {
		before = append(before, s.selectedHeads(&l, t, w, ranked))
	}
	cut := 0
	if ranked && x.Candidates > x.K {
		cut = 1
	}
	b := belowLines{heading: heading, count: len(before) + len(tools) + cut + len(missed)}
	b.line = func(i int) string {
		switch tool := i - len(before); {
		case tool < 0:
			return before[i]
		case tool < len(tools):
			return s.selectedLine(&l, t, w, &tools[tool], ranked)
		case tool < len(tools)+cut:
			l.Start(w)
			words := " K " + strconv.Itoa(x.K) + " "
			l.Repeat(t.CutLine, t.Cut, max(0, (w-cells.Width(words))/2))
			l.Text(t.CutLine, words)
			l.Repeat(t.CutLine, t.Cut, l.Room())
			return l.End()
		default:
			return s.selectedLine(&l, t, w, &missed[tool-len(tools)-cut], ranked)
		}
	}
	return b
}

// sentWords says what a selection sends: tools, bridge, tokens.
func (s *strategiesScreen) sentWords(x *selection.Selection) string {
	words := plural(len(x.Tools), "tool")
	if x.Strategy == selection.Lazy {
		words = plural(x.Deferred, "name")
	}
	if x.Bridge {
		words += " + bridge"
	}
	return words + "  " + thousands(x.SchemaTokens) + " tok"
}

// filtered returns the tools that pass the filter.
func (s *strategiesScreen) filtered(tools []selection.Selected) []selection.Selected {
	if s.needle == "" {
		return tools
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t selection.Selected) bool {
		return !strings.Contains(strings.ToLower(t.Tool.ShownName), s.needle)
	})
}

// selectedCells are the widths of reason, name, ranks, score and tokens.
func selectedCells(w int, ranked bool) (reason, name, rank, score, tok int) {
	if w < 60 {
		reason, rank = 6, 5
	} else {
		reason, rank, score, tok = 11, 10, 10, 9
	}
	if !ranked {
		rank, score = 0, 0
	}
	return reason, w - 1 - reason - 2*rank - score - tok, rank, score, tok
}

// selectedHeads draws the headings of the tools.
func (s *strategiesScreen) selectedHeads(l *cells.Line, t *Theme, w int, ranked bool) string {
	reason, name, rank, score, tok := selectedCells(w, ranked)
	leg, keyword := legWord(s.answer.state.Config.Config), "keyword"
	if rank < 8 {
		leg, keyword = cells.Truncate(leg, rank-1), "kw"
		if leg != "fuzzy" && rank == 5 {
			leg = "sem"
		} else {
			leg = "fuz"
		}
	}
	l.Start(w)
	l.Gap(1)
	l.Cell(t.Faint, "why", reason)
	l.Cell(t.Faint, "tool", name)
	if rank > 0 {
		l.CellRight(t.Faint, keyword, rank)
		l.CellRight(t.Faint, leg, rank)
	}
	if score > 0 {
		l.CellRight(t.Faint, "fused", score)
	}
	if tok > 0 {
		l.CellRight(t.Faint, "tokens", tok)
	}
	return l.End()
}

// selectedLine draws a tool with how it was chosen; without a reason, as one
// that just missed.
func (s *strategiesScreen) selectedLine(l *cells.Line, t *Theme, w int, x *selection.Selected, ranked bool) string {
	reason, name, rank, score, tok := selectedCells(w, ranked)
	style, why := t.Text, string(x.Reason)
	if reason < 10 {
		why = shortReasons[x.Reason]
	}
	if x.Reason == "" {
		style, why = t.Faint, "missed"
		if reason < 10 {
			why = "miss"
		}
	}
	l.Start(w)
	l.Gap(1)
	l.Cell(t.Faint, why, reason)
	mark := ""
	for _, group := range s.needs() {
		if slices.Contains(group, x.Tool.Name) || slices.Contains(group, x.Tool.Qualified) {
			mark = t.Pin + " "
		}
	}
	l.Text(t.Accent, mark)
	room := name - cells.Width(mark)
	l.Cell(style, fitName(x.Tool.ShownName, room-1), room)
	number := func(n int) string {
		if n == 0 {
			return t.Same
		}
		return thousands(n)
	}
	if rank > 0 {
		l.CellRight(style, number(x.KeywordRank), rank)
		l.CellRight(style, number(x.SemanticRank), rank)
	}
	if score > 0 {
		fused := t.Same
		if x.Score > 0 {
			fused = strconv.FormatFloat(x.Score, 'f', 5, 64)
		}
		l.CellRight(style, fused, score)
	}
	if tok > 0 {
		l.CellRight(t.Faint, thousands(s.answer.state.Snapshot.ToolTokens(x.Tool)), tok)
	}
	return l.End()
}
