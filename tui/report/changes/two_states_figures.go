package changes

import (
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/tui/report"
)

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
