// Package replays puts into words what the logs of agents' sessions say (package replay): what
// tool search would have found and cost, what the provider's cache kept, which tools were never
// called. A command prints the whole (Replay), a screen a part at a time.
//
// Non-goals: reading logs, computing what they cost.
package replays

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/replay"
	"caliper/engine/selection"
	"caliper/engine/tokens"
	"caliper/model/words"
	"caliper/tui/report"
)

// ReplayBoundary is the sentence of every report of a replay, and of the help of its
// command.
const ReplayBoundary = "Replay recomputes cost and rank, never behaviour: what the model would have done otherwise is not known."

// shownReplay is how many rows of each table a terminal is shown. JSON has all.
const shownReplay = 12

// Replayed is a replay and how it is to be shown.
type Replayed struct {
	*replay.Report
	Texts     bool // what the user and the agent wrote may be shown
	EveryCall bool
}

// Replay returns the report of a replay, the verdict first.
func Replay(p Replayed) *report.Report {
	r := new(report.Report)
	all := p.Totals
	r.Head(report.Textf("Replay of %v", report.Count(all.Sessions, "session")), "%v, %v, %d of tools that tool search defers; %v",
		report.Count(all.Requests, "request"), report.Count(all.Calls, "call"), all.Deferrable, countedBy(p.Report))
	r.Blank()
	replayTop(r, p, "--unused has the evidence, and the change of the client's configuration")
	replayCache(r, p)
	replayUnused(r, p, shownReplay)
	replayLoops(r, p)
	if len(p.Verdict.Missed) > 0 {
		r.Blank()
		r.Line(report.Strong("Not found"), report.Faint("  by %v, with what the agent searched for, else with the user's words", report.Name(p.Rankers[0])))
		report.Rows(r, callColumns(p), p.Verdict.Missed, shownReplay, func(i int) []any { return callCells(p, p.Calls[i]) })
	}
	replaySearching(r, p)
	replayEager(r, p)
	r.Blank()
	r.Line(report.Strong("Sessions"), report.Faint("  error: of the strategy really used, computed bottom up, against the log"))
	t := report.Columns("session", "agent", "model", ">requests", ">calls", ">missed", ">loops", ">logged input", "used", ">error")
	for _, s := range p.Sessions[:min(len(p.Sessions), shownReplay)] {
		logged, off := any("unknown"), any("")
		if s.Logged != nil {
			logged = words.Thousands(s.Logged.Total())
		}
		if s.ErrorPct != nil {
			off = fmt.Sprintf("%.2f%%", *s.ErrorPct)
		}
		t.Row(shortID(s.ID), report.Name(s.Agent), report.Name(s.Model), s.Requests, s.Calls, s.Deferrable-s.Found, s.Loops, logged, report.Name(s.Used), off)
	}
	r.Table(t)
	r.More(len(p.Sessions) - shownReplay)
	if p.EveryCall {
		r.Blank()
		r.Line(report.Strong("Calls"))
		t = callColumns(p)
		t.Later(func(yield func([]any) bool) {
			for _, c := range p.Calls {
				if !yield(callCells(p, c)) {
					return
				}
			}
		})
		r.Table(t)
	}
	replayRest(r, p)
	return r
}

// replayTop adds the verdict, and what was logged and each strategy costs. evidence tells where that of what was never called is.
func replayTop(r *report.Report, p Replayed, evidence string) {
	replayVerdict(r, p)
	replayPrefix(r, p)
	if n, all := p.Unused.Observed(); n > 0 {
		var idle []string
		for _, u := range p.Unused.Servers {
			if u.Observed() && u.Idle() {
				idle = append(idle, u.Name)
			}
		}
		servers := report.Text{}
		if len(idle) > 0 {
			servers = report.Textf("; nothing at all was called of %v", most(idle, "server"))
		}
		r.Say("Unused: %s, %s tokens of input in all%s%v; %s", report.Count(n, "tool"), words.Thousands(all.Tokens), costs(p.Report, all.Cost, ", "), servers, evidence)
	}
	r.Say(ReplayBoundary)
	r.Blank()
	r.Line(report.Strong("Cost under each strategy"), report.Faint("  of the input of all sessions; %s", pricesNote(p.Report)))
	t := report.Columns("strategy", ">requests", ">input", ">cached", ">written", ">cost")
	for _, row := range p.Totals.Strategies {
		t.Row(report.Name(report.StrategyName(row.Strategy, p.Embedder)), words.Thousands(row.Requests), words.Thousands(row.Tokens.Input), words.Thousands(row.Tokens.Cached), words.Thousands(row.Tokens.Written), cmp.Or(costs(p.Report, row.Cost, ""), "unknown"))
	}
	if list := p.Cache.Remedies; len(list) > 0 {
		x := list[0].Tokens
		t.Row("as logged", words.Thousands(list[0].Requests), words.Thousands(x.Input), words.Thousands(x.Cached), words.Thousands(x.Written), cmp.Or(costs(p.Report, list[0].Cost, ""), "unknown"))
	}
	r.Table(t)
	for _, row := range p.Totals.Strategies {
		if name := report.StrategyName(row.Strategy, p.Embedder); name != string(row.Strategy) {
			r.Say(report.FuzzyNote, name)
		}
	}
}

// countedBy says by what tokenizer the figures are, and of one that was fitted from how
// many requests it is and how far off.
func countedBy(p *replay.Report) report.Text {
	if len(p.Fitted) > 0 {
		return report.Textf("tokens by calibrated tokenizers, %s; by %v for other models", CalibrationNote(p.Fitted), report.Name(p.Tokenizer))
	}
	if model, ok := strings.CutPrefix(p.Tokenizer, replay.CalibratedPrefix); ok {
		for _, m := range p.Calibration {
			if m.Name == model {
				return report.Textf("tokens by %v, %s", report.Name(p.Tokenizer), CalibrationNote([]replay.Model{m}))
			}
		}
	}
	if m := tokens.Method(p.Tokenizer); m.Counting().Counted == tokens.CountedPrompt {
		return report.Textf("tokens by %v, which counts definitions of tools as the provider writes them, and all other text by %v", report.Name(p.Tokenizer), report.Name(m.Base()))
	}
	return report.Textf("tokens by %v", report.Name(p.Tokenizer))
}

// CalibrationNote says to what tokenizers are fitted, and how far off they are.
func CalibrationNote(models []replay.Model) string {
	requests, heldOut := 0, 0
	for _, m := range models {
		requests += m.Requests
		heldOut += m.HeldOut
	}
	fitted := "fitted to " + words.CountThousands(requests, "request")
	if len(models) > 1 {
		fitted += " of " + words.CountThousands(len(models), "model")
	}
	if heldOut == 0 {
		return fitted + ", too few to hold any out, so that their error is unknown"
	}
	return fmt.Sprintf("%s, %s on %s held out", fitted, CalibrationError(models), words.CountThousands(heldOut, "request"))
}

// CalibrationError returns how far tokenizers are off on the requests that were held
// out: the worst of them, where there are several.
func CalibrationError(models []replay.Model) string {
	heldOut, worst := 0, 0.0
	for _, m := range models {
		heldOut += m.HeldOut
		worst = max(worst, m.ErrorPct)
	}
	switch {
	case heldOut == 0:
		return "error unknown"
	case len(models) > 1:
		return fmt.Sprintf("at most %.2f%% off", worst)
	}
	return fmt.Sprintf("%.2f%% off", worst)
}

// replayVerdict adds what the replay comes to.
func replayVerdict(r *report.Report, p Replayed) {
	v, t := p.Verdict, p.Totals
	switch {
	case v.Compared == replay.NothingCompared:
		r.Line(report.Strong("There is nothing to compare"), ": no request, or not both of eager and tool_search")
	case t.NoTools == t.Sessions:
		r.Line(report.Strong("These sessions sent no tools"), ": there is nothing to defer")
	case v.Foreign:
		r.Line(report.Strong("No tool of this registry was needed in %v", compared(p.Report)), report.Textf(": none of %v is of one. Where it is the agent's own, every schema that was sent was without use; where it is another's, the figures say nothing", report.Count(t.Calls, "call")))
	case v.Worth:
		saved := "0%"
		if v.Eager > 0 {
			saved = report.Percent(100 * (v.Eager - v.Search) / v.Eager)
		}
		r.Line(report.Strong("Tool search pays for %v", compared(p.Report)), report.Textf(": %s instead of %s for every tool with every request, %s less%s",
			Amount(p.Report, v.Search), Amount(p.Report, v.Eager), saved, wasOn(t)))
	default:
		r.Line(report.Strong("Tool search does not pay for %v", compared(p.Report)), report.Textf(": %s, and %s for every tool with every request",
			Amount(p.Report, v.Search), Amount(p.Report, v.Eager)))
	}
	if v.Compared != replay.NothingCompared && !v.Foreign && v.Cheapest != selection.ToolSearch {
		than := "Cheaper than both: "
		if v.Cheapest == selection.Eager {
			than = "Cheapest: "
		}
		r.Line(than, report.Strong("%s", report.Name(report.StrategyName(v.Cheapest, p.Embedder))), ", ", Amount(p.Report, v.Least))
	}
	if t.Deferrable > 0 {
		unasked := report.Text{}
		if t.Unasked > 0 {
			unasked = report.Textf(", %d without a question", t.Unasked)
		}
		r.Line(report.Textf("Found within the limit of %d: ", p.Limit), report.Strong("%d of %d", t.Found, t.Deferrable),
			report.Textf("; %d below it, %d without a score, %d out of scope%v", t.Below, t.NoMatch-t.Unasked, t.OutOfScope, unasked))
	}
	if len(v.Missed) > 0 {
		r.Say("Not found: %v", most(byCount(v.Missed, func(i int) string { return p.Calls[i].Tool.Qualified }), "tool"))
	}
	if t.Unknown > 0 {
		r.Line(report.Textf("In no registry: %v", report.Count(t.Unknown, "call")))
	}
	switch {
	case len(v.Keep) > 0:
		r.Say("Keep eager, as tools.core: %v", most(v.Keep, "tool"))
	case len(p.Eager.Tools) > 0:
		r.Line("Keep eager: no deferred tool saves what it costs with every request")
	}
	if t.Loops > 0 {
		r.Line(report.Alarm("%v", report.Count(t.Loops, "loop")), report.Textf(": needs with %d searches or more; %s", replay.LoopSearches, burntBy(p)))
		r.Say("Looped in: %v", most(byCount(v.Loops, func(i int) string { return p.Sessions[p.Chains[i].Session].ID }), "session"))
	} else {
		r.Line("No loop: no need took ", strconv.Itoa(replay.LoopSearches), " searches")
	}
	if t.Guessed > 0 {
		r.Say("Whether tools were sent is not known of %v: that all were is a guess", report.Count(t.Guessed, "session"))
	}
	if t.NoTools > 0 && t.NoTools < t.Sessions {
		r.Say("No tools were sent in %v", report.Count(t.NoTools, "session"))
	}
	counts := map[replay.Gap]int{}
	for _, s := range p.Sessions {
		counts[s.Gap]++
	}
	var unknown []string
	for _, g := range []replay.Gap{replay.NoRequest, replay.NoUsage, replay.WrongUsage} {
		if n := counts[g]; n > 0 {
			unknown = append(unknown, fmt.Sprintf("in %d %s", n, gapWords[g]))
		}
	}
	if t.UnknownUsage > 0 {
		r.Say("Usage is unknown of %v: %s", report.Count(t.UnknownUsage, "session"), strings.Join(unknown, "; "))
	}
	for _, g := range []replay.Gap{replay.OtherTools, replay.OtherNames} {
		if n := counts[g]; n > 0 {
			r.Say("%v in %v: %s, and cost is that of this registry's tools and the logged messages alone", report.Alarm("Another registry was used"), report.Count(n, "session"), gapWords[g])
		}
	}
}

// wasOn says in how many sessions tool search was used; empty for none.
func wasOn(t replay.Totals) string {
	switch t.Searched {
	case 0:
		return ""
	case t.Sessions:
		return "; they used it"
	}
	return fmt.Sprintf("; %d of them used it", t.Searched)
}

// burntBy tells how many tokens the loops burnt, as far as their usage is known.
func burntBy(p Replayed) string {
	burnt, known := 0, 0
	for _, i := range p.Verdict.Loops {
		if c := p.Chains[i]; c.Known {
			burnt += c.Burnt
			known++
		}
	}
	switch known {
	case 0:
		return "how many tokens they burnt is unknown"
	case len(p.Verdict.Loops):
		return "they burnt " + words.Thousands(burnt) + " tokens"
	}
	return "they burnt at least " + words.Thousands(burnt) + " tokens"
}

// namedInVerdict is how many names a line of the verdict has.
const namedInVerdict = 3

// most returns the first names of a line of the verdict, and how many more there are.
func most(names []string, unit string) report.Text {
	out := report.Names(names, namedInVerdict)
	if n := len(names) - namedInVerdict; n > 0 {
		out = report.Textf("%v and %d more %s", out, n, words.Plural(n, unit))
	}
	return out
}

// byCount returns the different names of some things, the most frequent first, then in their order,
// with how often one is there where that is more than once.
func byCount(things []int, name func(int) string) []string {
	counts := map[string]int{}
	for _, i := range things {
		counts[name(i)]++
	}
	out := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(out, func(a, b string) int { return counts[b] - counts[a] })
	for i, n := range out {
		if counts[n] > 1 {
			out[i] = fmt.Sprintf("%s ×%d", n, counts[n])
		}
	}
	return out
}

// gapWords tell why the usage of a session is unknown, or tells nothing of the tools.
var gapWords = map[replay.Gap]string{
	replay.NoRequest:  "no request was logged",
	replay.NoUsage:    "no usage was logged",
	replay.WrongUsage: "the logged usage is too small for what the requests carried, or missing for more than one in ten",
	replay.OtherTools: "this registry's tools weigh more than all that was logged as input",
	replay.OtherNames: "the log lists the tools that were deferred, and this registry has none of them",
}

// compared names the sessions that the verdict compares.
func compared(p *replay.Report) report.Text {
	if n := p.Totals.UnknownPrices; p.Verdict.Compared == replay.ByMoney && n > 0 {
		return report.Textf("the %d of %v with a price", p.Totals.Sessions-n, report.Count(p.Totals.Sessions, "session"))
	}
	return report.Textf("these sessions")
}

// Amount returns a cost in the measure of the verdict.
func Amount(p *replay.Report, v float64) string {
	if p.Verdict.Compared == replay.ByMoney {
		return money(p, v)
	}
	return words.Thousands(WholeTokens(v)) + " tokens of input"
}

// money returns an amount of money with its currency.
func money(p *replay.Report, v float64) string {
	digits := 2
	if math.Abs(v) < 10 {
		digits = 4
	}
	text, sign := strconv.FormatFloat(math.Abs(v), 'f', digits, 64), ""
	if v < 0 {
		sign = "−"
	}
	if p.Prices.Currency == "USD" {
		return sign + "$" + text
	}
	return sign + text + " " + report.Name(p.Prices.Currency).String()
}

// WholeTokens returns a fractional number of tokens as it is shown everywhere: rounded.
func WholeTokens(n float64) int { return int(math.Round(n)) }

// pricesNote tells the day of the prices that sessions have, or the first and the last day, the list's when
// none has a price; and how many sessions have none.
func pricesNote(p *replay.Report) report.Text {
	var days []string
	for _, s := range p.Sessions {
		if s.Price != nil && !slices.Contains(days, s.Price.AsOf) {
			days = append(days, s.Price.AsOf)
		}
	}
	slices.Sort(days)
	on := p.Prices.AsOf
	if n := len(days); n > 0 {
		if on = days[0]; n > 1 {
			on += " to " + days[n-1]
		}
	}
	note := report.Textf("prices as of %v", report.Or(report.Name(on), "an unknown day"))
	if n := p.Totals.UnknownPrices; n > 0 {
		note = report.Textf("%v; %v without a price, in tokens alone", note, report.Count(n, "session"))
	}
	return note
}

// replayEager adds the eager set with the line where it turns.
func replayEager(r *report.Report, p Replayed) {
	if len(p.Eager.Tools) == 0 {
		return
	}
	r.Blank()
	r.Line(report.Strong("What to keep eager"), report.Faint("  each tool alone, against tool search, over all sessions"))
	t := report.Columns("tool", ">uses", ">sessions", ">schema tokens", ">saving")
	for i, e := range p.Eager.Tools {
		if i == p.Eager.Keep && i > 0 {
			t.Ruler("below this line it costs more than it saves")
		}
		if i >= max(shownReplay, p.Eager.Keep+shownReplay/2) {
			break
		}
		t.Row(report.Name(e.Tool.Qualified), e.Uses, e.Sessions, words.Thousands(WholeTokens(e.SchemaTokens)), ReplaySaving(p.Report, e))
	}
	r.Table(t)
}

// replayRest adds calibration, unknown names, and what was skipped.
func replayRest(r *report.Report, p Replayed) {
	if len(p.Calibration) > 0 {
		r.Blank()
		r.Line(report.Strong("Calibrated tokenizers"), report.Faint("  characters a token; the error is that on requests held out, or how far the size of the tools is unknown, where that is more"))
		t := report.Columns("model", ">fitted", ">held out", ">characters", ">overhead", ">error")
		for _, m := range p.Calibration {
			off := "unknown"
			if m.HeldOut > 0 {
				off = fmt.Sprintf("%.2f%%", m.ErrorPct)
			}
			t.Row(report.Name(m.Name), m.Requests, m.HeldOut, fmt.Sprintf("%.2f", m.CharsPerToken), words.Thousands(WholeTokens(m.Overhead)), off)
		}
		r.Table(t)
	}
	if len(p.Unknown) > 0 {
		r.Blank()
		r.Line(report.Strong("In no registry"))
		report.Rows(r, report.Columns("name", ">calls"), p.Unknown, shownReplay, func(u replay.Unknown) []any { return []any{report.Name(u.Name), u.Calls} })
	}
	if len(p.Skipped) > 0 {
		r.Blank()
		lines := 0
		for _, s := range p.Skipped {
			if !s.Known {
				lines += s.Count
			}
		}
		for _, u := range UnreadLogs(p.Skipped) {
			r.Say("%s: %s.", u.Text(), report.NamesCounted(u.Paths))
			lines -= len(u.Paths)
		}
		if lines > 0 {
			r.Say("Not understood: %v of the logs; --json lists what they are.", report.Count(lines, "line"))
		}
	}
}
