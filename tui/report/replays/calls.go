package replays

import (
	"fmt"

	"caliper/engine/replay"
	"caliper/model/words"
	"caliper/tui/report"
)

// replayLoops adds the loops, those that burnt most first.
func replayLoops(r *report.Report, p Replayed) {
	if len(p.Verdict.Loops) == 0 {
		return
	}
	r.Blank()
	r.Line(report.Strong("Loops"), report.Faint("  needs with %d searches or more", replay.LoopSearches))
	t := p.withTexts(report.Columns("session", ">searches", ">repeated", ">reformulated", ">idle describes", ">refused", ">burnt", "ended with"), "searched for…")
	report.Rows(r, t, p.Verdict.Loops, shownReplay, func(i int) []any {
		c := p.Chains[i]
		burnt := any("unknown")
		if c.Known {
			burnt = words.Thousands(c.Burnt)
		}
		called := report.Name("nothing")
		if c.Called != nil {
			called = report.Name(c.Called.Qualified)
		}
		return p.text([]any{shortID(p.Sessions[c.Session].ID), len(c.Searches), c.Repeated, c.Reformulated, c.Idle, c.Refused, burnt, called}, report.Joined(c.Searches))
	})
}

// withTexts adds a column for what was written, if it may be shown.
func (p Replayed) withTexts(t *report.Table, title string) *report.Table {
	if p.Texts {
		t.Column(title)
	}
	return t
}

// text adds what was written to the cells of a row, if it may be shown.
func (p Replayed) text(cells []any, s string) []any {
	if p.Texts {
		return append(cells, report.Name(s))
	}
	return cells
}

// shortID returns the beginning of the id of a session.
func shortID(id string) report.Text {
	const most = 24
	if runes := []rune(id); len(runes) > most {
		return report.Name(string(runes[:most-1]) + "…")
	}
	return report.Name(id)
}

// callColumns returns a table for calls.
func callColumns(p Replayed) *report.Table {
	t := report.Columns("session", ">request", "tool", "status")
	for _, name := range p.Rankers {
		t.Column(">" + name)
	}
	if p.Searching.Compared() > 0 {
		t.Column(">own search")
	}
	return p.withTexts(t, "query…")
}

// callCells returns the row of a call.
func callCells(p Replayed, c replay.Call) []any {
	cells := []any{shortID(p.Sessions[c.Session].ID), c.Request, report.Name(c.Name), StatusWord(c)}
	for _, rank := range c.Ranks {
		cells = append(cells, report.OrNone(rank, "-"))
	}
	if p.Searching.Compared() > 0 {
		cells = append(cells, OwnSearch(c))
	}
	return p.text(cells, c.Query)
}

var statusWords = map[replay.Status]string{replay.Found: "found", replay.Below: "below the limit", replay.NoMatch: "no score",
	replay.OutOfScope: "out of scope", replay.UnknownTool: "in no registry", replay.CoreTool: "core"}

// StatusWord returns the words for the status of a call.
func StatusWord(c replay.Call) string {
	if c.Status == replay.NoMatch && c.Query == "" { // the record of a server has no words of the user
		return "nothing was asked"
	}
	return statusWords[c.Status]
}

// OwnSearch says where the agent's own search has the tool of a call; "" where it did not search, or its
// log does not say.
func OwnSearch(c replay.Call) string {
	switch {
	case !c.Own.Told:
		return ""
	case c.Own.Rank > 0:
		return words.Thousands(c.Own.Rank)
	case c.Own.Found:
		return "by another query"
	}
	return "-"
}

// SearchingWords says what the agents' own searches returned, line by line; none where nobody searched.
func SearchingWords(rep *replay.Report) (lines []string) {
	s := rep.Searching
	if s.Needs == 0 {
		return nil
	}
	lines = append(lines, fmt.Sprintf("Searches: %s for %s, %.1f a need; %s took one, %s two, %s more", words.Thousands(s.Searches), words.CountThousands(s.Needs, "need"), s.PerNeed(),
		words.Thousands(s.ByCount[0]), words.Thousands(s.ByCount[1]), words.Thousands(s.ByCount[2])))
	if n := s.Compared(); n > 0 {
		lines = append(lines, fmt.Sprintf("Of %s whose searches were answered in the log: %s found by both, %s by the agent alone, %s by %s alone, %s by nobody", words.CountThousands(n, "call"),
			words.Thousands(s.Both), words.Thousands(s.OwnAlone), words.Thousands(s.RankerAlone), report.Name(rep.Rankers[0]), words.Thousands(s.Nobody)))
	}
	if s.Told > 0 {
		lines = append(lines, fmt.Sprintf("Answered with no tool: %s of them; in %s none of the tools that came back was called", words.Thousands(s.Empty), words.CountThousands(s.Uncalled, "need")))
	} else {
		lines = append(lines, "No log has what they were answered")
	}
	return lines
}

// replaySearching adds what the agents' own searches returned.
func replaySearching(r *report.Report, p Replayed) {
	lines := SearchingWords(p.Report)
	if lines == nil {
		return
	}
	r.Blank()
	r.Line(report.Strong("What the agent's own search returned"))
	for _, l := range lines {
		r.Say("%s", l)
	}
	if idle := p.Searching.Idle; len(idle) > 0 {
		r.Blank()
		r.Line(report.Strong("Found and never called"), report.Faint("  by how many searches"))
		report.Rows(r, report.Columns("tool", ">searches"), idle, shownReplay, func(t replay.IdleTool) []any {
			return []any{report.Name(t.Tool.Qualified), words.Thousands(t.Returned)}
		})
	}
}
