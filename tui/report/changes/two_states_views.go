package changes

import (
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/diff"
	"caliper/tui/report"
)

// Issue returns the report of a comparison for an issue. The commands print its
// figures again.
func (x *TwoStates) Issue(c report.Case, commands []string) *report.Report {
	r := c.Begin("caliper, two states")
	r.Heading(3, "Verdict")
	r.Say("%s compared with %s: %s.", report.Or(report.Name(x.New), "the second"), report.Or(report.Name(x.Old), "the first"), x.Verdict().Text)
	if x.Gate != nil {
		r.Say("%s.", ChangeVerdict(x.Gate).Text)
	}
	r.Heading(3, "Budget")
	r.Add(x.BudgetView(report.MaxRows, true))
	r.Heading(3, "Ranks")
	r.Add(x.RanksView(report.MaxRows, true))
	if x.Audited {
		r.Heading(3, "Scope")
		r.Add(x.ScopeView(report.MaxRows))
	}
	if len(commands) > 0 {
		r.Heading(3, "Again")
		r.Fence("sh", strings.Join(commands, "\n"))
	}
	return r
}

// section begins a section of a view.
func section(r *report.Report, format string, args ...any) {
	r.Blank()
	r.Heading(4, format, args...)
}

// columns returns a table of subjects in both states.
func (x *TwoStates) columns(subject string) *report.Table {
	return beside(subject, report.Or(report.Name(x.Old), "first"), report.Or(report.Name(x.New), "second"))
}

// beside returns a table of subjects in two states with these names.
func beside(subject string, old, now report.Text) *report.Table {
	t := report.Columns(subject, ">", ">", "change")
	t.Title(1, old)
	t.Title(2, now)
	return t
}

// withFigures adds figures to a table of columns.
func withFigures(t *report.Table, list []report.Figure) *report.Table {
	for _, f := range list {
		t.Row(f.Name, f.Old, f.New, f.Change)
		t.About(report.News{Level: levelOf(f.Rise)})
	}
	return t
}

// levelOf returns how good the news is of a figure that is better by some amount, or worse by a
// negative one.
func levelOf(better int) report.Level {
	switch {
	case better > 0:
		return report.Good
	case better < 0:
		return report.Bad
	}
	return report.Info
}

// BudgetView returns the figures of both budgets that differ, what the sessions send, the
// toolsets that do not cost the same, and the figures that are the same, or unless all is
// asked for how much is. A table has at most so many rows.
func (x *TwoStates) BudgetView(most int, all bool) *report.Report {
	r := new(report.Report)
	differ, same := x.differing()
	if len(differ) > 0 {
		section(r, "what differs")
		r.Table(withFigures(x.columns("figure"), differ))
	}
	if changed := x.changedSessions(); len(changed) > 0 {
		section(r, "sessions that send something else, %d of %d", len(changed), len(x.Sessions))
		t := x.columns("session")
		for _, c := range changed[:min(most, len(changed))] {
			var change report.Text
			better := 0
			if c.Old != nil && c.New != nil && c.Old.Measured && c.New.Measured && c.Old.SentTokens != c.New.SentTokens {
				better = c.Old.SentTokens - c.New.SentTokens
				change = report.Signed(-better)
			}
			t.Row(report.Name(c.Name), sessionSide(c.Old), sessionSide(c.New), change)
			t.About(report.News{Level: levelOf(better)})
		}
		r.Table(t)
		r.More(len(changed) - most)
	}
	if sets := changedToolsets(x.Toolsets); len(sets) > 0 {
		section(r, "toolsets that cost another amount")
		t := x.columns("toolset")
		t.Column(">tools")
		for _, s := range sets[:min(most, len(sets))] {
			cost := func(tools, tokens int) any {
				if tools == 0 {
					return "none"
				}
				return tokens
			}
			var change report.Text
			better := 0
			if s.Delta() != 0 && x.SameTokenizer() {
				change, better = report.Signed(s.Delta()), -s.Delta()
			}
			t.Row(report.Name(s.Name), cost(s.OldTools, s.Old), cost(s.NewTools, s.New), change, report.FromTo(s.OldTools, s.NewTools, ""))
			t.About(report.News{Level: levelOf(better)})
		}
		r.Table(t)
		r.More(len(sets) - most)
	}
	switch {
	case !all:
		toolsets := len(x.Toolsets) - len(changedToolsets(x.Toolsets))
		sessions := len(x.Sessions) - len(x.changedSessions())
		r.Say("The same in both, and left out: %s, %s, %s.", report.Count(len(same), "figure"), report.Count(toolsets, "toolset"), report.Count(sessions, "session"))
	case len(same) > 0:
		section(r, "figures that are the same in both")
		r.Table(withFigures(x.columns("figure"), same))
	}
	return r
}

// differing parts the figures of the budget by whether they differ.
func (x *TwoStates) differing() (differ, same []report.Figure) {
	for _, f := range x.Budget() {
		if f.Change == "" && f.Old == f.New {
			same = append(same, f)
		} else {
			differ = append(differ, f)
		}
	}
	return differ, same
}

// changedToolsets returns the toolsets that do not cost the same.
func changedToolsets(all []diff.ToolsetChange) []diff.ToolsetChange {
	for i, s := range all {
		if s.Delta() == 0 { // they are sorted by it
			return all[:i]
		}
	}
	return all
}

// changedSessions returns the sessions that do not send the same.
func (x *TwoStates) changedSessions() []diff.SessionChange {
	return slices.DeleteFunc(slices.Clone(x.Sessions), func(c diff.SessionChange) bool { return len(c.Changes()) == 0 })
}

// sessionSide returns whether search is on in a session, and what the session sends.
func sessionSide(s *diff.SessionSide) report.Text {
	if s == nil {
		return report.TextOf("no such session")
	}
	if !s.Measured {
		return report.Textf("search %s, tokens not measured", report.OnOff(s.Active))
	}
	return report.Textf("search %s, %d tokens", report.OnOff(s.Active), s.SentTokens)
}

// RanksView returns the hits of the query side by side, the metrics of the labelled queries,
// and those that the new state loses and wins. A table has at most so many rows. Unless all
// is asked for, it leaves out the hits and figures that are the same, and says how many.
func (x *TwoStates) RanksView(most int, all bool) *report.Report {
	r := new(report.Report)
	var same clauses
	if x.Query != "" {
		hits := x.union()
		moved := slices.DeleteFunc(slices.Clone(hits), func(h diff.RankedHit) bool { return h.Rank == h.Other && !all })
		same.add(len(hits) > len(moved), "%s of the query", report.Count(len(hits)-len(moved), "hit"))
		if len(moved) > 0 || len(hits) == 0 {
			x.hits(r, moved, most)
		}
	}
	if list := x.Metrics(); len(list) > 0 {
		differ := slices.DeleteFunc(slices.Clone(list), func(f report.Figure) bool { return f.Change == "" && !all })
		same.add(len(list) > len(differ), "%s of labelled queries", report.Count(len(list)-len(differ), "figure"))
		if len(differ) > 0 {
			section(r, "%s", report.LabelledQueries(len(x.Evaluated[0].Answers)))
			r.Table(withFigures(x.columns("figure"), differ))
		}
		x.crossed(r, most)
	}
	if len(same) > 0 {
		r.Say("The same in both, and left out: %s.", strings.Join(same, ", "))
	}
	return r
}

// BudgetDiffers reports whether a figure of the budget, what a session sends or the cost of a
// toolset is not the same in both.
func (x *TwoStates) BudgetDiffers() bool {
	differ, _ := x.differing()
	return len(differ)+len(x.changedSessions())+len(changedToolsets(x.Toolsets)) > 0
}

// RanksDiffer reports whether the query has other ranks, or an expected tool of a labelled one is lost or won.
func (x *TwoStates) RanksDiffer() bool {
	crosses := func(r diff.RankChange) bool { return r.Regressed || r.Regained }
	labelled := slices.ContainsFunc(x.Diff.Queries, func(q diff.QueryChange) bool { return slices.ContainsFunc(q.Ranks, crosses) })
	return labelled || slices.ContainsFunc(x.union(), func(h diff.RankedHit) bool { return h.Rank != h.Other })
}

// union returns the hits of the query: the new state's, then the others of the old one.
func (x *TwoStates) union() []diff.RankedHit {
	list := slices.Clone(x.Is)
	for _, h := range x.Was {
		if !slices.ContainsFunc(x.Is, func(is diff.RankedHit) bool { return is.Tool == h.Tool }) {
			h.Rank, h.Other = h.Other, h.Rank
			list = append(list, h)
		}
	}
	return list
}

// hits adds hits of the query with their ranks.
func (x *TwoStates) hits(r *report.Report, list []diff.RankedHit, most int) {
	section(r, "hits of the query")
	r.Quote(x.Query)
	if len(list) == 0 {
		r.Say("Neither finds a tool.")
		return
	}
	t := x.columns("tool")
	for i, h := range list[:min(most, len(list))] {
		change, better := report.Text(nil), h.Other-h.Rank
		switch {
		case h.Other == 0:
			change, better = report.TextOf("found"), 1
		case h.Rank == 0:
			change, better = report.TextOf("lost"), -1
		case better != 0:
			change = report.Signed(better)
		}
		t.Row(report.Name(h.Tool), report.OrNone(h.Other, "none"), report.OrNone(h.Rank, "none"), change)
		t.About(report.News{Level: levelOf(better), Tool: h.Tool, Query: x.Query})
		if h.Rank > 0 && h.Within && (i+1 >= len(list) || list[i+1].Rank == 0 || !list[i+1].Within) {
			t.Ruler("limit " + report.FromTo(x.Diff.OldLimit, x.Diff.NewLimit, "").String())
		}
	}
	r.Table(t)
	r.More(len(list) - most)
}

// crossed adds the labelled queries that are lost, then those that are won.
func (x *TwoStates) crossed(r *report.Report, most int) {
	titles, reasons := []string{"", "tool", "rank", "query"}, slices.ContainsFunc(x.Diff.Queries, func(q diff.QueryChange) bool {
		return slices.ContainsFunc(q.Ranks, func(r diff.RankChange) bool { return r.Gated != nil })
	})
	if reasons {
		titles = []string{"", "tool", "rank", "why, by " + config.RankerGated, "query"}
	}
	t, counts, n := report.Columns(titles...), map[bool]int{}, 0
	whole := map[string]bool{} // labelled queries that find none of their tools any more
	for i, a := range x.Evaluated[1].Answers {
		whole[a.Query.Text] = a.Missed && i < len(x.Evaluated[0].Answers) && !x.Evaluated[0].Answers[i].Missed
	}
	for _, lost := range []bool{true, false} {
		for _, q := range x.Diff.Queries {
			for _, rank := range q.Ranks {
				if lost && !rank.Regressed || !lost && !rank.Regained {
					continue
				}
				counts[lost]++
				if n++; n > most {
					continue
				}
				word, level := "won", report.Good
				if lost {
					word, level = "lost", report.Bad
				}
				if lost && whole[q.Text] {
					word = "query lost"
				}
				values := []any{word, report.Name(rank.Tool), report.Arrow(rank.Old, rank.New, "none")}
				if reasons {
					values = append(values, report.Name(GatedReason(rank.Gated))) // with words of the query
				}
				t.Row(append(values, report.Name(q.Text))...)
				t.About(report.News{Level: level, Tool: rank.Tool, Query: q.Text})
			}
		}
	}
	if n > 0 {
		section(r, "expected tools lost, %d; won, %d", counts[true], counts[false])
		r.Table(t)
	}
	r.More(n - most)
}

// ScopeView returns the violations of both states, and the sessions and the tools whose
// reach differs. A table has at most so many rows.
func (x *TwoStates) ScopeView(most int) *report.Report {
	r := new(report.Report)
	r.Say("Violations in all sessions: %s.", report.FromTo(x.Violations[0], x.Violations[1], ""))
	if list := x.SessionReaches(); len(list) > 0 {
		if len(x.Sessions) > 0 {
			section(r, "sessions with another reach, %d of %d", len(list), len(x.Sessions))
		}
		r.Table(withFigures(x.columns("session"), list))
	}
	if len(x.Reaches) == 0 {
		if session := x.Diff.Old.Session; session == x.Diff.New.Session {
			r.Say("%s reaches the same tools in the same way.", report.Name(session).String())
		} else {
			r.Say("both reach the same tools in the same way.")
		}
		return r
	}
	lost, gained, otherwise := countReaches(x.Reaches)
	denied := 0 // both times, by another gate: for no session's sake another reach
	for _, c := range x.Reaches {
		if !c.Old.Reached() && !c.New.Reached() {
			denied++
		}
	}
	var counts clauses
	counts.add(true, "%d lost, %d gained, %d reached in another way", lost, gained, otherwise-denied)
	counts.add(denied > 0, "%d denied by another gate", denied)
	if len(x.Sessions) > 0 {
		section(r, "tools of %s", report.Name(x.Diff.New.Session))
	} else {
		section(r, "tools of both sessions")
	}
	r.Say("%s.", strings.Join(counts, ", "))
	t := x.columns("tool")
	for _, c := range x.Reaches[:min(most, len(x.Reaches))] {
		change, level := "other way", report.Info
		switch {
		case c.Lost():
			change, level = "lost", report.Bad
		case c.Gained():
			change, level = "gained", report.Good
		case !c.Old.Reached() && !c.New.Reached():
			change = "other gate"
		}
		t.Row(report.Name(c.Tool), reachWord(c.Old), reachWord(c.New), change)
		t.About(report.News{Level: level, Tool: c.Tool})
	}
	r.Table(t)
	r.More(len(x.Reaches) - most)
	return r
}
