package replay

import (
	"fmt"
	"slices"
	"strings"

	"caliper/engine/replay"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/report/replays"
	"caliper/tui/ui"
)

// tone is how a line is drawn.
type tone int

const (
	plain tone = iota
	strong
	faint
	bad
)

// row is one line of a view. One with a key can be selected; the others are
// text.
type row struct {
	key     string
	text    string // safe for a terminal
	also    string // text that a filter finds beside the row's: the parts shortened there
	below   bool   // it goes on with the row above, and is filtered with it
	tone    tone
	parts   *parts          // a bar behind the text; nil for none
	bar     int             // cells of that bar; the rest of them is empty
	behind  string          // what stands behind the bar
	legend  bool            // it explains the parts of bars
	call    *replay.Call    // nil: it is about no call
	of      *replayed       // in which the call counts sessions
	session string          // key of the session that enter opens; empty: none
	at      *answerPosition // where enter opens it; nil: where it was left, or at its beginning
	tool    *model.Tool
}

// step is a request of a session under a strategy.
type step = replay.Step

// wrapped returns a row whose text is broken into lines of w cells. Those behind the
// first one are indented.
func wrapped(r row, w int) []row {
	var out []row
	for i, line := range ui.Wrap(r.text, w-2) {
		if i > 0 {
			out = append(out, row{text: "  " + line, tone: r.tone, below: true})
			continue
		}
		r.text = line
		out = append(out, r)
	}
	return out
}

// lines returns a text as lines of w cells.
func lines(text string, w int) (rows []row) {
	for _, line := range ui.Wrap(text, w) {
		rows = append(rows, row{text: line})
	}
	return rows
}

// printed returns a report of the command as lines of w cells.
func printed(r *report.Report, w int) (rows []row) {
	for _, l := range r.Lines(w) {
		rows = append(rows, row{text: l.Text})
	}
	return rows
}

// heading returns an empty line and a heading.
func heading(text string) []row { return []row{{}, {text: text, tone: strong}} }

// columns returns cells in one line: the first takes the room that the others,
// each right in its width, leave, at least and at most some; the last of them go where there
// is no room.
func columns(w, least, most int, first func(room int) string, widths []int, rest ...string) string {
	room := w
	shown := 0
	for shown < len(rest) && room-widths[shown]-1 >= least {
		room -= widths[shown] + 1
		shown++
	}
	line := first(min(room, most))
	for i := range shown {
		line += " " + ui.PadLeft(ui.Truncate(rest[i], widths[i]), widths[i])
	}
	return line
}

// named returns a cell that holds a name, for columns.
func named(name string) func(room int) string {
	return func(room int) string { return ui.Fit(ui.FitName(name, room-1), room) }
}

// sessionLines has the verdict, the totals and the sessions.
func (s *Screen) sessionLines(w int) []row {
	rep := s.report
	out := printed(rep.verdict, w)
	if len(out) > 0 {
		out[0].tone = strong
	}
	out = append(out, heading("Sessions, loops first")...)
	out = append(out, row{tone: faint, text: rep.sessionCells(w, "session", "agent", "model", "loops", "missed", "calls", "reqs", "logged input", "error", "eager", "tool_search")})
	return append(out, s.most(len(rep.order), "session", func(i int) []row {
		x := rep.Sessions[rep.order[i]]
		input, off := "unknown", "unknown"
		if x.Logged != nil {
			input = ui.Thousands(x.Logged.Total())
		}
		if x.ErrorPct != nil {
			off = fmt.Sprintf("%.2f%%", *x.ErrorPct)
		}
		var eager, search string
		for _, under := range x.Strategies {
			switch under.Strategy {
			case selection.Eager:
				eager = replays.ReplayCost(rep.Report, under)
			case selection.ToolSearch:
				search = replays.ReplayCost(rep.Report, under)
			}
		}
		key := keyOf(x)
		r := row{key: "session " + key, session: key, also: x.ID, text: rep.sessionCells(w, x.ID, string(x.Agent), x.Model,
			ui.Thousands(x.Loops), ui.Thousands(x.Deferrable-x.Found), ui.Thousands(x.Calls), ui.Thousands(x.Requests), input, off, eager, search)}
		if x.Loops > 0 {
			r.tone = bad
		}
		return []row{r}
	})...)
}

// sessionColumns are the cells of the figures of a session in a list.
var sessionColumns = []int{5, 6, 5, 6, 12, 8, 12, 12}

// calledName returns what the tool of a call is called: in the registry, or, where it is
// in none, in the log.
func calledName(c *replay.Call) string {
	if c.Tool != nil {
		return safetext.Line(c.Tool.Qualified)
	}
	return safetext.Line(c.Name)
}

// callRows returns the row of a call: its tool, what became of it and its rank under
// each ranker; below it what was asked, and in the list of all sessions in which of them.
func (r *replayed) callRows(c *replay.Call, all bool, w int) []row {
	text := calledName(c) + "  " + replays.StatusWord(*c)
	if c.Status == replay.Below && len(c.Ranks) > 0 {
		text += fmt.Sprintf(" of %d by %d", r.Limit, c.Ranks[0]-r.Limit)
	}
	for i, rank := range c.Ranks {
		shown := "-"
		if rank > 0 {
			shown = ui.Thousands(rank)
		}
		text += "  " + r.Rankers[i] + " " + shown
	}
	if own := replays.OwnSearch(*c); own != "" {
		text += "  own search " + own
	}
	if c.Failed {
		text += "  failed"
	}
	out := row{call: c, of: r, tool: c.Tool, text: text,
		key: fmt.Sprintf("call %s %d %d %d %s", keyOf(r.Sessions[c.Session]), c.Context, c.Entry, c.Request, c.Name)}
	if c.Status == replay.Below || c.Status == replay.NoMatch || c.Status == replay.OutOfScope {
		out.tone = bad
	}
	asked := "user: "
	if c.Searched() {
		asked = "searched: "
	}
	asked += safetext.Line(c.Query)
	if all {
		asked = r.where(c.Session) + "  " + asked
		out.also = r.Sessions[c.Session].ID
	}
	return append(wrapped(out, w), row{text: "  " + ui.Truncate(asked, w-2), tone: faint, below: true})
}

// chainRows returns a chain: how many searches led to what, and what they burnt; in the
// list of all sessions also in which of them, which is then a row that opens it.
func (r *replayed) chainRows(c replay.Chain, all bool, w int) []row {
	what, ended, burnt := "chain", "nothing", "tokens burnt unknown: no usage of its requests is known"
	if c.Loop() {
		what = "loop"
	}
	if c.Called != nil {
		ended = safetext.Line(c.Called.Qualified)
	}
	if c.Known {
		burnt = "burnt " + ui.Thousands(c.Burnt) + " tokens"
	}
	var out row
	if all {
		what += " in " + r.where(c.Session)
		out.also = r.Sessions[c.Session].ID
		out.session = keyOf(r.Sessions[c.Session])
		out.at = &answerPosition{c.Context, c.First}
		out.key = fmt.Sprintf("chain %s %d %d", out.session, c.Context, c.First)
	}
	out.text = fmt.Sprintf("%s: searches %d, repeated %d, reformulated %d, described without a call %d, refused %d, ended with %s, %s",
		what, len(c.Searches), c.Repeated, c.Reformulated, c.Idle, c.Refused, ended, burnt)
	if c.Loop() {
		out.tone = bad
	}
	rows := wrapped(out, w)
	for _, q := range c.Searches {
		rows = append(rows, row{text: ui.Truncate("  searched: "+safetext.Line(q), w), tone: faint, below: true})
	}
	return rows
}

// missLines has the loops, the requests that lost their cached prefix, the calls that search would not
// have led to, what the agent's own search returned, and what was never called.
func (s *Screen) missLines(w int) []row {
	rep := s.report
	out := []row{{text: "Loops, those that burnt most first", tone: strong}}
	loops, missed := rep.Verdict.Loops, rep.Verdict.Missed
	out = append(out, s.most(len(loops), "loop", func(i int) []row { return rep.chainRows(rep.Chains[loops[i]], true, w) })...)
	if len(loops) == 0 {
		out = append(out, row{text: "no loop"})
	}
	breaks := slices.Clone(rep.Cache.Breaks)
	model.Sort(breaks, func(a, b replay.Break) int { return b.Tokens - a.Tokens })
	out = append(append(out, heading("Cached prefix lost, most tokens first")...), s.most(len(breaks), "request", func(i int) []row {
		b := breaks[i]
		key := keyOf(rep.Sessions[b.Session])
		return wrapped(row{key: fmt.Sprintf("break %s %d %d", key, b.Context, b.Entry), session: key, at: &answerPosition{b.Context, b.Entry}, also: rep.Sessions[b.Session].ID, tone: bad,
			text: fmt.Sprintf("request %d of %s: %s", b.Request, rep.where(b.Session), replays.BreakWords(rep.Report, b, false))}, w)
	})...)
	if len(breaks) == 0 {
		out = append(out, row{text: "no request lost its cached prefix"})
	}
	out = append(out, heading("Not found")...)
	out = append(out, s.most(len(missed), "call", func(i int) []row {
		c := rep.Calls[missed[i]]
		return rep.callRows(&c, true, w)
	})...)
	if len(missed) == 0 {
		out = append(out, row{text: "every call of a deferrable tool was found within the limit"})
	}
	if lines := replays.SearchingWords(rep.Report); lines != nil {
		out = append(out, heading("What the agent's own search returned")...)
		for _, l := range lines {
			out = append(out, wrapped(row{text: l}, w)...)
		}
	}
	var seen []replay.UnusedServer
	for _, u := range rep.Unused.Servers {
		if u.Observed() {
			seen = append(seen, u)
		}
	}
	out = append(append(out, heading("Never called, most money first")...), s.most(len(seen), "server", func(i int) []row {
		u := seen[i]
		return wrapped(row{key: "unused " + u.Name, tool: u.Unused[0].Tool, text: safetext.Line(u.Name) + ", in " + replays.EvidenceWords(u.Evidence) + ": " + replays.UnusedWords(u) + ", " + replays.UnusedCost(rep.Report, u.Evidence)}, w)
	})...)
	if n := len(rep.Unused.Servers) - len(seen); n > 0 {
		out = append(out, row{tone: faint, text: ui.Count(n, "more server") + " with tools that no log shows"})
	} else if len(seen) == 0 {
		out = append(out, row{text: "no tool that was there was left uncalled"})
	}
	return out
}

// eagerLines has the tools by what they save, with the line where it turns.
func (s *Screen) eagerLines(w int) []row {
	rep := s.report
	say := func(out []row, text string) []row { return append(out, lines(text, w)...) }
	var out []row
	if rep.Verdict.Compared != replay.NothingCompared && !rep.Verdict.Foreign && !rep.Verdict.Worth {
		out = say(out, "Nothing should be deferred: tool search comes to "+replays.Amount(rep.Report, rep.Verdict.Search)+", and every tool with every request to "+replays.Amount(rep.Report, rep.Verdict.Eager)+".")
	}
	if n := len(rep.Eager.Names()); n > 0 && s.state.Snapshot.Host().Generation == "" {
		if m, why := s.keeping(); why == "" {
			out = say(out, "E changes "+safetext.Line(m.Key)+", after a look at the diff.")
		} else {
			out = say(out, words.Capitalized(why)+".")
		}
	} else if n > 0 {
		out = say(out, "E adds "+ui.Count(n, "tool")+" to tools.core, after a look at the diff.")
	}
	if len(rep.Eager.Tools) == 0 {
		return say(out, "These sessions use no tool that tool search defers.")
	}
	if rep.Eager.Keep == 0 {
		out = say(out, "No deferred tool saves what it costs with every request.")
	}
	widths := []int{14, 6, 8, 13}
	if w < 50 {
		widths[0] = 10
	}
	longest := ui.Width("tool ")
	for _, e := range rep.Eager.Tools {
		longest = max(longest, ui.Width(safetext.Line(e.Tool.Qualified))+1)
		widths[0] = max(widths[0], ui.Width(replays.ReplaySaving(rep.Report, e)))
	}
	least := min(longest, w-1-widths[0]) // the saving stays, the text behind it gives way to names
	longest = max(longest, 56)
	out = append(out, row{tone: faint, text: columns(w, least, longest, named("tool"), widths, "saving", "uses", "sessions", "schema tokens")})
	for i, e := range rep.Eager.Tools {
		if i == rep.Eager.Keep && i > 0 {
			out = append(out, row{text: ui.Truncate("--- below this line it costs more than it saves ---", w), tone: faint})
		}
		out = append(out, row{key: "tool " + e.Tool.Qualified, tool: e.Tool, text: columns(w, least, longest, named(safetext.Line(e.Tool.Qualified)), widths,
			replays.ReplaySaving(rep.Report, e), ui.Thousands(e.Uses), ui.Thousands(e.Sessions), ui.Thousands(replays.WholeTokens(e.SchemaTokens)))})
	}
	return out
}

// restLines has calibration, unknown names, skipped lines and the day of the
// prices.
func (s *Screen) restLines(w int) []row {
	out := printed(replays.ReplayRest(s.report.Report), w)
	if s.noCalibration() != "" {
		return out
	}
	text := "T counts each session by the tokenizer that is fitted to its model."
	switch model, one := strings.CutPrefix(s.calibrated, replay.CalibratedPrefix); {
	case one:
		text = "All sessions are counted by the tokenizer that is fitted to " + safetext.Line(model) + "; T turns back."
	case s.calibrated != "":
		text = "Each session is counted by the tokenizer that is fitted to its model; T turns back."
	}
	return append(lines(text, w), out...)
}
