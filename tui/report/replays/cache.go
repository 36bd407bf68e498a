package replays

import (
	"fmt"

	"caliper/engine/replay"
	"caliper/model/words"
	"caliper/tui/report"
)

// breakGaps say why the cause of a break is unknown.
var breakGaps = map[replay.BreakGap]string{
	replay.ToolsUnlogged: "the log holds no tools of this request",
	replay.NothingSeen:   "nothing that the log holds changed, and the pause was short",
}

// BreakGap returns why the cause of a break is unknown; "" where it is known.
func BreakGap(g replay.BreakGap) string { return breakGaps[g] }

// causes name the causes of breaks.
var causes = map[replay.Cause]string{
	replay.ToolLoaded:     "a tool was loaded",
	replay.ToolGone:       "a tool is gone",
	replay.ToolEdited:     "a definition was edited",
	replay.NumberInTool:   "a number in a tool's text changed",
	replay.ToolsReordered: "tools came in another order",
	replay.ModelChanged:   "the model was changed",
	replay.SettingChanged: "a setting was changed",
	replay.TimedOut:       "the cache timed out after a pause",
	replay.UnknownCause:   "of an unknown cause",
}

// BreakWords says what broke the prefix of a request, with all of its tools or the first of many, and what that
// cost: the tokens billed again, and the money beyond that of reading them.
func BreakWords(rep *replay.Report, b replay.Break, all bool) string {
	return whatBroke(b, all) + ", " + billed(rep, b.Tokens, b.Cost)
}

func whatBroke(b replay.Break, all bool) string {
	what := causes[b.Cause]
	switch {
	case b.Tool != "" && (all || len(b.Others) < 2): // one more takes no more room than to count it
		return what + ": " + report.Names(append([]string{b.Tool}, b.Others...), len(b.Others)+1).String()
	case b.Tool != "":
		return fmt.Sprintf("%s: %s and %d more", what, report.Name(b.Tool), len(b.Others))
	case b.Setting != "":
		return what + ": " + report.Name(b.Setting).String()
	case b.Cause == replay.TimedOut:
		return fmt.Sprintf("%s of %d minutes", what, int(b.Pause.Minutes()))
	case b.Cause == replay.UnknownCause:
		return what + ": " + BreakGap(b.Gap)
	}
	return what
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

// remedies name the remedies.
var remedies = map[replay.Remedy]string{
	replay.AsLogged:     "as logged",
	replay.StableBridge: "no number in a tool's text",
	replay.FixedOrder:   "tools in a fixed order",
	replay.AppendOnly:   "tools loaded in the history (tool_reference)",
	replay.ToolChanges:  "tool changes in the conversation (beta)",
	replay.EagerAtStart: "all tools from the first request",
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
	cheaper := "" // the remedy that would have cost least, and how much less than was logged
	switch m, less, tokens := c.Cheapest(); {
	case m == replay.AsLogged:
	case less > 0:
		cheaper = fmt.Sprintf("; %s less with %s", money(p.Report, less), remedies[m])
	default:
		cheaper = fmt.Sprintf("; %s tokens more from the cache with %s", words.Thousands(tokens), remedies[m])
	}
	r.Say("%v lost the cached prefix, %s%s; %s%s", report.Alarm("%v", report.Count(len(c.Breaks), "request")), most, whatBroke(worst, false), billed(p.Report, c.Again, c.Cost()), cheaper)
}

// replayCache adds who broke the prefix of requests, and what each remedy would have cost.
func replayCache(r *report.Report, p Replayed) {
	c := &p.Cache
	if c.Requests == 0 {
		return
	}
	r.Blank()
	r.Line(report.Strong("Prompt cache"), report.Faint("  of %s tokens that %s could have read, %s were read: %s by these rules, %.2f%% off; money is beyond that of reading",
		words.Thousands(c.Could), words.CountThousands(c.Requests, "request"), words.Thousands(c.Read), words.Thousands(c.Could-c.Again), c.OffPct()))
	if c.Compacted > 0 {
		r.Say("%v came first after a compaction: what was lost there is unknown, since no log has the tokens of tools and system prompt alone", report.Count(c.Compacted, "request"))
	}
	if len(c.Breaks) == 0 {
		r.Line("No request lost its cached prefix")
		return
	}
	cost := func(v *float64) string { return costs(p.Report, v, "") }
	t := report.Columns("cause", ">requests", ">billed again", ">cost")
	for _, s := range c.Causes {
		t.Row(causes[replay.Cause(s.Name)], words.Thousands(s.Breaks), words.Thousands(s.Tokens), cost(s.Cost))
	}
	r.Table(t)
	by := func(unit string, list []replay.BreakSum) {
		if len(list) > 0 {
			r.Blank()
			report.Rows(r, report.Columns(unit, ">requests", ">billed again", ">cost"), list, shownReplay, func(s replay.BreakSum) []any {
				return []any{report.Name(s.Name), words.Thousands(s.Breaks), words.Thousands(s.Tokens), cost(s.Cost)}
			})
		}
	}
	by("server", c.Servers)
	by("tool", c.Tools)
	r.Blank()
	report.Rows(r, report.Columns("session", ">request", "what changed", ">billed again", ">cost"), c.Breaks, shownReplay, func(b replay.Break) []any {
		return []any{shortID(p.Sessions[b.Session].ID), b.Request, whatBroke(b, p.EveryCall), words.Thousands(b.Tokens), cost(b.Cost)}
	})
	r.Blank()
	r.Line(report.Strong("Cost under each remedy"), report.Faint("  of the same requests; %s", pricesNote(p.Report)))
	t = report.Columns("remedy", ">breaks mended", ">tokens of input", ">cached", ">cost")
	for _, m := range c.Remedies {
		if m.Breaks == 0 && m.Remedy != replay.AsLogged {
			continue
		}
		t.Row(remedies[m.Remedy], words.Thousands(m.Breaks), words.Thousands(m.Tokens.Input), words.Thousands(m.Tokens.Cached), cost(m.Cost))
	}
	r.Table(t)
}
