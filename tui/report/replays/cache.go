package replays

import (
	"fmt"

	"caliper/engine/replay"
	"caliper/model/words"
	"caliper/tui/report"
)

// BreakGap returns why the cause of a break is unknown; "" where it is known.
func BreakGap(g replay.BreakGap) string {
	switch g {
	case replay.ToolsUnlogged:
		return "the log holds no tools of this request"
	case replay.NothingSeen:
		return "nothing that the log holds changed, and the pause was short"
	}
	return ""
}

// CauseWords names a cause of breaks.
func CauseWords(c replay.Cause) string {
	switch c {
	case replay.ToolLoaded:
		return "a tool was loaded"
	case replay.ToolGone:
		return "a tool is gone"
	case replay.ToolEdited:
		return "a definition was edited"
	case replay.NumberInTool:
		return "a number in a tool's text changed"
	case replay.ToolsReordered:
		return "tools came in another order"
	case replay.ModelChanged:
		return "the model was changed"
	case replay.SettingChanged:
		return "a setting was changed"
	case replay.TimedOut:
		return "the cache timed out after a pause"
	}
	return "of an unknown cause"
}

// BreakWords says what broke the prefix of a request.
func BreakWords(b replay.Break) string {
	what := CauseWords(b.Cause)
	switch {
	case b.Tool != "":
		what += ": " + report.Name(b.Tool).String()
		if b.More > 0 {
			what += fmt.Sprintf(" and %d more", b.More)
		}
	case b.Setting != "":
		what += ": " + report.Name(b.Setting).String()
	case b.Cause == replay.TimedOut:
		what += fmt.Sprintf(" of %d minutes", int(b.Pause.Minutes()))
	case b.Cause == replay.UnknownCause:
		what += ": " + BreakGap(b.Gap)
	}
	return what
}

// BreakBilled says what a break cost: the tokens billed again, and the money beyond that of
// reading them.
func BreakBilled(rep *replay.Report, b replay.Break) string {
	return billed(rep, b.Tokens, b.Cost)
}

func billed(rep *replay.Report, tokens int, cost *float64) string {
	return words.Thousands(tokens) + " tokens billed again" + costs(rep, cost, ", ")
}

// costs returns a cost behind a text; "" for an unknown one.
func costs(rep *replay.Report, v *float64, before string) string {
	if v == nil {
		return ""
	}
	return before + money(rep, *v)
}

// RemedyWords names a remedy.
func RemedyWords(m replay.Remedy) string {
	switch m {
	case replay.AsLogged:
		return "as logged"
	case replay.StableBridge:
		return "no number in a tool's text"
	case replay.FixedOrder:
		return "tools in a fixed order"
	case replay.AppendOnly:
		return "tools loaded in the history (tool_reference)"
	case replay.ToolChanges:
		return "tool changes in the conversation (beta)"
	}
	return "all tools from the first request"
}

// replayPrefix adds how many requests lost their cached prefix, why, and what would have kept it.
func replayPrefix(r *report.Report, p Replayed) {
	c := &p.Cache
	if len(c.Breaks) == 0 {
		return
	}
	most := "because "
	if len(c.Causes) > 1 {
		most = "most because "
	}
	var worst replay.Break // of the cause of most
	for _, b := range c.Breaks {
		if b.Cause == c.Most() && b.Tokens >= worst.Tokens {
			worst = b
		}
	}
	r.Say("%v lost the cached prefix, %s%s; %s%v", report.Alarm("%v", report.Count(len(c.Breaks), "request")), most, BreakWords(worst), billed(p.Report, c.Again, c.Cost()), cheaper(p.Report))
}

// cheaper names the remedy that would have cost least, and how much less than was logged; empty
// where none would.
func cheaper(rep *replay.Report) report.Text {
	m, less, tokens := rep.Cache.Cheapest()
	switch {
	case m == replay.AsLogged:
		return report.Text{}
	case less > 0:
		return report.Textf("; %s less with %s", money(rep, less), RemedyWords(m))
	}
	return report.Textf("; %s tokens more from the cache with %s", words.Thousands(tokens), RemedyWords(m))
}

// replayCache adds who broke the prefix of requests, and what each remedy would have cost.
func replayCache(r *report.Report, p Replayed) {
	c := &p.Cache
	if c.Requests == 0 {
		return
	}
	r.Blank()
	r.Line(report.Strong("Prompt cache"), report.Faint("  %s of %s tokens that %s could have read were read; money is beyond that of reading", words.Thousands(c.Read), words.Thousands(c.Could), words.CountThousands(c.Requests, "request")))
	if c.Compacted > 0 {
		r.Say("%v came first after a compaction: what they lost is unknown, since no log has the tokens of tools and system prompt alone", report.Count(c.Compacted, "request"))
	}
	if len(c.Breaks) == 0 {
		r.Line("No request lost its cached prefix")
		return
	}
	cost := func(v *float64) string { return costs(p.Report, v, "") }
	t := report.Columns("cause", ">requests", ">billed again", ">cost")
	for _, s := range c.Causes {
		t.Row(CauseWords(replay.Cause(s.Name)), words.Thousands(s.Breaks), words.Thousands(s.Tokens), cost(s.Cost))
	}
	r.Table(t)
	for _, by := range []struct {
		unit string
		list []replay.BreakSum
	}{{"server", c.Servers}, {"tool", c.Tools}} {
		if len(by.list) > 0 {
			r.Blank()
			report.Rows(r, report.Columns(by.unit, ">requests", ">billed again", ">cost"), by.list, shownReplay, func(s replay.BreakSum) []any {
				return []any{report.Name(s.Name), words.Thousands(s.Breaks), words.Thousands(s.Tokens), cost(s.Cost)}
			})
		}
	}
	r.Blank()
	report.Rows(r, report.Columns("session", ">request", "what changed", ">billed again", ">cost"), c.Breaks, shownReplay, func(b replay.Break) []any {
		return []any{shortID(p.Session(b.Session).ID), b.Request, BreakWords(b), words.Thousands(b.Tokens), cost(b.Cost)}
	})
	r.Blank()
	r.Line(report.Strong("Cost under each remedy"), report.Faint("  of the same requests; %s", pricesNote(p.Report)))
	t = report.Columns("remedy", ">breaks mended", ">tokens of input", ">cached", ">cost")
	for _, m := range c.Remedies {
		if m.Breaks == 0 && m.Remedy != replay.AsLogged {
			continue
		}
		t.Row(RemedyWords(m.Remedy), words.Thousands(m.Breaks), words.Thousands(m.Tokens.Input), words.Thousands(m.Tokens.Cached), cost(m.Cost))
	}
	r.Table(t)
}
