package changes

import (
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/tui/report"
)

// TwoStates is the comparison of two states: the figures that the commands diff, eval
// and scope print of them.
type TwoStates struct {
	Old, New string // what the states are: "on disk", "the trials"; foreign text
	Diff     diff.Diff
	Toolsets []diff.ToolsetChange

	Query   string // empty: none was asked
	Was, Is []diff.RankedHit

	// Sessions are all sessions of the two; empty where the states are two sessions.
	Sessions []diff.SessionChange

	// Evaluated holds the labelled queries asked of both; both are zero without any.
	Evaluated [2]labels.Evaluation

	Audited    bool // the fields below are known
	Reaches    []diff.ReachChange
	Violations [2]int // in all sessions

	// Gate is the verdict on the change from one state to the other; nil until it is known,
	// and where the states are two sessions.
	Gate *diff.GateResult

	// Elsewhere has the tools that every session but the states' reaches in another way, by
	// its name; empty where the states are two sessions.
	Elsewhere map[string][]diff.ReachChange
}

// SameTokenizer reports whether the figures in tokens can be compared.
func (x *TwoStates) SameTokenizer() bool { return x.Diff.Old.Tokenizer == x.Diff.New.Tokenizer }

// countReaches returns how many tools the new state no longer reaches, reaches besides,
// and reaches or denies in another way.
func countReaches(list []diff.ReachChange) (lost, gained, otherwise int) {
	for _, c := range list {
		switch {
		case c.Lost():
			lost++
		case c.Gained():
			gained++
		default:
			otherwise++
		}
	}
	return lost, gained, otherwise
}

// Verdict returns in one sentence what the new state changes, worst news first.
func (x *TwoStates) Verdict() report.Line {
	d := &x.Diff
	var out clauses
	level := report.Good
	if n := x.Violations[1]; n > 0 {
		level = report.Bad
		out.add(true, "%s of scope", report.Count(n, "violation"))
	}
	lost, won := 0, 0 // labelled queries that find an expected tool within the limit in one of the states alone
	was, is := x.Evaluated[0].Answers, x.Evaluated[1].Answers
	for i := range min(len(was), len(is)) {
		switch {
		case is[i].Missed && !was[i].Missed:
			lost++
		case was[i].Missed && !is[i].Missed:
			won++
		}
	}
	if lost > 0 {
		level = report.Bad
	}
	switch {
	case len(x.Evaluated[0].Answers) == 0:
	case lost == 0 && won == 0:
		out.add(true, "no labelled query lost or won")
	default:
		out.add(true, "labelled queries: %d lost, %d won", lost, won)
	}
	if x.Audited {
		less, more, _ := countReaches(x.Reaches)
		if level == report.Good && (less > 0 || more > 0) {
			level = report.Warn
		}
		out.add(less > 0, "%s no longer reached", report.Count(less, "tool"))
		out.add(more > 0, "%s newly reached", report.Count(more, "tool"))
		out.add(less+more == 0 && len(x.Reaches) > 0, "the same tools reached, %d in another way", len(x.Reaches))
		out.add(len(x.Reaches) == 0, "the same tools reached")
	}
	if d.Flipped() && len(x.Sessions) == 0 {
		level = max(level, report.Warn)
		out.add(true, "search %s → %s", report.OnOff(d.Old.Active), report.OnOff(d.New.Active))
	}
	for _, on := range []bool{false, true} {
		var names []string // of the sessions that search is switched on or off in
		for _, c := range x.Sessions {
			if c.Old != nil && c.New != nil && c.Old.Active != c.New.Active && c.New.Active == on {
				names = append(names, c.Name)
			}
		}
		if len(names) > 0 {
			level = max(level, report.Warn)
			out.add(true, "search %s → %s in %s", report.OnOff(!on), report.OnOff(on), report.FirstNames(names))
		}
	}
	old, now := d.Old.AfterTokens, d.New.AfterTokens
	switch {
	case !d.Old.Measured() || !d.New.Measured():
		out.add(true, "the tokens sent are not measured")
	case !x.SameTokenizer():
		out.add(true, "sent %d tokens by %s, %d by %s", old, d.Old.Tokenizer, now, d.New.Tokenizer)
	case old == now:
		out.add(true, "sends the same %d tokens", now)
	default:
		more := "more"
		if now < old {
			more = "fewer"
		}
		out.add(true, "sends %d tokens %s%s", max(now-old, old-now), more, changeShare(old, now))
	}
	return report.Line{Level: level, Text: strings.Join(out, " · ")}
}

// reachWord returns how a session reaches a tool, or the gate that denies it.
func reachWord(r diff.Reach) string {
	switch {
	case !r.Known:
		return "not in the registry"
	case r.Code == engine.CodeNeedsApproval:
		return "needs approval"
	case r.Gate != "":
		return "denied by " + r.Gate
	case r.Direct:
		return "sent"
	case r.Searchable:
		return "via search"
	}
	return "by name only"
}

// SessionReaches returns the sessions in which tool search is switched, or that reach
// tools in another way: whether search is on, and what changes. A tool that is denied
// both times does not count. Where the states are two
// sessions, it is whether search is on in each.
func (x *TwoStates) SessionReaches() []report.Figure {
	if len(x.Sessions) == 0 {
		old, now := x.Diff.Old.Active, x.Diff.New.Active
		if old == now {
			return nil
		}
		return []report.Figure{{Name: "tool search", Old: report.OnOff(old), New: report.OnOff(now), Change: "differs"}}
	}
	var out []report.Figure
	for _, c := range x.Sessions {
		if c.Old == nil || c.New == nil {
			continue
		}
		reaches := x.Elsewhere[c.Name]
		if c.Name == x.Diff.Old.Session && c.Name == x.Diff.New.Session {
			reaches = x.Reaches
		}
		var change clauses
		reaches = slices.DeleteFunc(slices.Clone(reaches), func(c diff.ReachChange) bool { return !c.Old.Reached() && !c.New.Reached() })
		if c.Old.Active == c.New.Active && len(reaches) == 0 {
			continue
		}
		lost, gained, otherwise := countReaches(reaches)
		change.add(lost > 0, "%d lost", lost)
		change.add(gained > 0, "%d gained", gained)
		change.add(otherwise > 0, "%d other way", otherwise)
		out = append(out, report.Figure{Name: c.Name, Old: "search " + report.OnOff(c.Old.Active), New: "search " + report.OnOff(c.New.Active), Change: strings.Join(change, ", ")})
	}
	return out
}

// GenerationsMetric is the metric over labelled queries by which generations are
// compared.
const GenerationsMetric = "recall@5"

// Generations returns the report of two generations of the agent on the same registry
// and configuration.
func Generations(x *TwoStates) *report.Report {
	r := new(report.Report)
	r.Head(report.Textf("%s → %s", x.Old, x.New), "session %s, %s", report.Name(x.Diff.New.Session), report.Count(x.Diff.New.Tools, "tool"))
	r.Blank()
	r.Say("%s.", x.Verdict().Text)
	r.Add(x.BudgetView(shownRanks, true))
	r.Add(x.RanksView(shownRanks, true))
	for _, b := range []engine.Budget{x.Diff.Old, x.Diff.New} {
		if b.Listing != nil {
			r.Blank()
			r.Say("Under %s the model is shown %s.", b.Generation, report.Listing(*b.Listing))
		}
	}
	return r
}

// changeShare returns how much a number changed in percent, with its sign; empty when the
// old one is not above 0, or the share is printed as none.
func changeShare(old, now int) string {
	if old <= 0 {
		return ""
	}
	sign, share := "+", report.Percent(100*float64(max(now-old, old-now))/float64(old))
	if share == "0%" {
		return ""
	}
	if now < old {
		sign = "−"
	}
	return " (" + sign + share + ")"
}

// Budget returns the figures of both budgets.
func (x *TwoStates) Budget() []report.Figure {
	a, b := x.Diff.Old, x.Diff.New
	count := func(name string, old, now int) report.Figure {
		f := report.Figure{Name: name, Old: report.TextOf(old).String(), New: report.TextOf(now).String()}
		if old != now {
			f.Change = report.Signed(now - old).String()
		}
		return f
	}
	tokens := func(name string, old, now int) report.Figure {
		f := count(name, old, now)
		switch {
		case !x.SameTokenizer():
			f.Change = ""
		case old != now:
			f.Change += changeShare(old, now)
		}
		return f
	}
	measured := func(name string, old, now int) report.Figure { // with each side's own bridge
		f := tokens(name, old, now)
		if !a.Measured() {
			f.Old, f.Change = "not measured", ""
		}
		if !b.Measured() {
			f.New, f.Change = "not measured", ""
		}
		return f
	}
	words := func(name, old, now string) report.Figure {
		f := report.Figure{Name: name, Old: old, New: now}
		if old != now {
			f.Change = "differs"
		}
		return f
	}
	length := func(n *int) string {
		if n == nil {
			return "unknown"
		}
		return report.TextOf(*n).String()
	}
	var rules []report.Figure
	if a.Listing != nil || b.Listing != nil {
		lists := func(l *engine.ListingShare) string {
			if l == nil {
				return "none"
			}
			return report.Textf("%s, %d tokens", string(l.Form), l.Counted()).String()
		}
		rules = []report.Figure{
			words("agent", string(a.Generation), string(b.Generation)), words("listing", lists(a.Listing), lists(b.Listing)),
			tokens("bridge tokens", a.BridgeTokens, b.BridgeTokens),
		}
		if ranker := x.Evaluated[0].Ranker; ranker != "" {
			rules = append(rules, words("ranker", ranker, x.Evaluated[1].Ranker))
		}
	}
	threshold := tokens("threshold", a.ThresholdTokens, b.ThresholdTokens)
	if len(rules) > 0 || a.Host+b.Host != "" { // the later agent has none, nor has another host
		of := func(x engine.Budget) string {
			if x.Listing != nil || x.Host != "" {
				return "none"
			}
			return report.TextOf(x.ThresholdTokens).String()
		}
		threshold = words("threshold", of(a), of(b))
	}
	registry := count("tools of the registry", x.Diff.OldRegistry.Tools, x.Diff.NewRegistry.Tools)
	registry.Change = toolCounts(&x.Diff)
	cache := words("prompt cache", "kept", "kept")
	if x.Diff.ModelBytesChanged {
		cache = report.Figure{Name: cache.Name, New: "lost", Change: "tools differ"}
	}
	return append([]report.Figure{
		registry,
		tokens("tokens of the registry", x.Diff.OldRegistry.Tokens, x.Diff.NewRegistry.Tokens),
		measured("tokens sent", a.AfterTokens, b.AfterTokens),
		words("search", report.OnOff(a.Active), report.OnOff(b.Active)),
		words("mode", string(a.Mode), string(b.Mode)),
		threshold,
		tokens("deferrable tokens", a.DeferredTokens, b.DeferredTokens),
		tokens("tokens of all granted tools", a.EagerTokens, b.EagerTokens),
		measured("saved tokens", a.SavedTokens, b.SavedTokens),
		cache,
		count("granted tools", a.Tools, b.Tools),
		words("context", length(a.ContextLength), length(b.ContextLength)),
		words("session", report.Name(a.Session).String(), report.Name(b.Session).String()),
		words("tokens counted by", string(a.Tokenizer), string(b.Tokenizer)),
		count("limit of hits", x.Diff.OldLimit, x.Diff.NewLimit),
	}, rules...)
}

// stateMetrics are the metrics of labelled queries that are compared.
var stateMetrics = []string{"recall@1", "recall@5", "recall@10", "mrr@10"}

// Metrics returns recall and MRR over the labelled queries, none without any.
func (x *TwoStates) Metrics() []report.Figure {
	if len(x.Evaluated[0].Answers) == 0 {
		return nil
	}
	var out []report.Figure
	for _, name := range stateMetrics {
		old, _ := x.Evaluated[0].Metrics.Value(name)
		now, _ := x.Evaluated[1].Metrics.Value(name)
		out = append(out, report.ShareFigure(strings.Replace(name, "mrr", "MRR", 1), old, now))
		if name != GenerationsMetric {
			continue
		}
		splits := x.Splits()
		for i, was := range splits[0] {
			if was.Queries > 0 {
				out = append(out, report.ShareFigure(report.WordedName(i, was.Queries), was.Recall, splits[1][i].Recall))
			}
		}
	}
	return out
}

// Splits returns GenerationsMetric of both sides by wording. The names of tools come from
// the first, so that a query is in one class on both.
func (x *TwoStates) Splits() (splits [2]labels.WordSplit) {
	after := x.Evaluated[1]
	after.Answers = slices.Clone(after.Answers)
	for i, a := range x.Evaluated[0].Answers {
		after.Answers[i].Wording = a.Wording
	}
	for i, e := range []labels.Evaluation{x.Evaluated[0], after} {
		splits[i], _ = e.Split(GenerationsMetric) // is a metric
	}
	return splits
}
