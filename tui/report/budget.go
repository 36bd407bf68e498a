package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/selection"
	"caliper/engine/tokens"
	"caliper/model/words"
)

// Budget returns the report of the cost of a session's definitions. Outlook is the outlook that
// ListingOutlook gives of them.
func Budget(b engine.Budget, outlook []Text) *Report {
	r := new(Report)
	r.Head(Textf("session %s", Name(b.Session)), "%s, tokens by %s, %s", Count(b.Tools, "tool"), b.Tokenizer, agentOf(b))
	r.Blank()
	whole := float64(max(b.EagerTokens, b.AfterTokens))
	t := Columns("", ">", "", ">")
	sum := func(name string, tokens int) {
		share := ""
		if n := contextOf(b); n > 0 {
			share = Tenths(100*float64(tokens)/float64(n)) + " of the context"
		}
		t.Row(name, tokens, gauge(float64(tokens), whole, gaugeWidth), share)
	}
	sum("every tool in full", b.EagerTokens)
	if b.Measured() {
		sum("sent to the model", b.AfterTokens)
		t.Row("saved", b.SavedTokens, "", Tenths(b.SavedPct))
	}
	r.Table(t)
	r.Blank()
	sentFor(r, b)
	r.Say("%s", verdict(b))
	if b.Listing != nil {
		r.Say("The model is shown %s.", Listing(*b.Listing))
		for _, say := range outlook {
			r.Say("%s", say)
		}
	}
	r.Say("The context is from: %s.", ContextOrigin(b.ContextOrigin))
	sent := "Always sent"
	if engine.PreSelects(b.Selection) {
		sent = "Sent in full"
	}
	if b.Measured() {
		r.Say("%s %d, deferrable %d in %s, bridge %d.", sent, b.VisibleTokens, b.DeferredTokens, Count(b.DeferredCount, "tool"), b.BridgeTokens)
	} else {
		r.Say("Deferrable %d in %s. What this agent sends beside its search is not measured.", b.DeferredTokens, Count(b.DeferredCount, "tool"))
	}
	if saved, pct, known := b.ReferenceSaved(); known && b.BridgeTokens > 0 {
		r.Say("With the reference agent's own bridge, of %d tokens, the saving is %d (%s).", *b.ReferenceBridge, saved, Percent(pct))
	} else if b.BridgeTokens > 0 && b.Listing == nil && b.Measured() {
		r.Say("What the reference agent's own bridge costs is known in chars4 only.")
	}
	if b.AroundTokens > 0 {
		r.Say("In both sums: %s that the provider puts around the definitions of any request with tools. %s", Count(b.AroundTokens, "token"), rendering[b.Tokenizer])
	}
	if b.AlwaysLoad > 0 {
		r.Say("Sent because their server or its entry in the configuration says alwaysLoad: %s.", Count(b.AlwaysLoad, "tool"))
	}
	if b.DeferLoading > 0 {
		r.Say("defer_loading of %s is not read: tool search alone decides what is deferred here. Anthropic's own search reads it.", Count(b.DeferLoading, "tool"))
	}
	if b.InstructionTokens > 0 {
		r.Say("Also in the prompt: the instructions of the servers, %s.", Count(b.InstructionTokens, "token"))
	}
	if b.Listing != nil && len(b.Listing.Groups) > 0 {
		r.Blank()
		t := Columns("group", ">tools", "form", ">tokens")
		for _, g := range b.Listing.Groups {
			t.Row(Name(g.Label), g.Tools, cmp.Or(string(g.Form), "not shown"), g.Tokens)
		}
		r.Table(t)
	}
	if len(b.Toolsets) > 0 {
		r.Blank()
		r.Table(toolsetTable(b))
	}
	return r
}

// rendering says where the form of a provider is known from.
var rendering = map[tokens.Method]string{
	tokens.RenderedOpenAI: "The form is that of the library which OpenAI published for its open models (harmony, August 2025), counted by o200k_base; that the hosted models are billed alike is seen, not confirmed.",
	tokens.RenderedAnthropic: "The prompt is that of Anthropic's documentation (September 2025, models of generation 4). The vocabulary of its models is not public, so the definitions are estimated; " +
		"caliper replay --tokenizer calibrated fits it to the usage that your own logs have.",
}

// Threshold returns the report of when tool search is active and what it saves,
// without the toolsets.
func Threshold(s *engine.Snapshot) *Report {
	r := new(Report)
	b := s.Budget(false)
	r.Say("%s", verdict(b))
	if b.Measured() {
		r.Say("%d tokens without tool search, %d with it on each turn: %s saved.", b.EagerTokens, b.AfterTokens, Percent(b.SavedPct))
	}
	flips(r, s)
	return r
}

// ContextOrigin returns where a context length comes from.
func ContextOrigin(o config.ContextOrigin) string {
	switch o {
	case config.ContextTable:
		return "the model's name, by the agent's table of " + config.ModelTableDate[:len("2026-06")]
	case config.ContextFlag:
		return "--context"
	case config.ContextConfig:
		return "the configuration"
	case config.ContextUnknown:
		return "no model named"
	}
	return string(o)
}

// agentOf returns the agent by whose rules tools are deferred.
func agentOf(b engine.Budget) string {
	if h := hosts.Named(b.Host); h != nil {
		return "as " + h.Called()
	}
	return "agent of " + string(b.Generation)
}

// contextOf returns the length of the context, 0 for one that is unknown.
func contextOf(b engine.Budget) int {
	if b.ContextLength == nil {
		return 0
	}
	return max(*b.ContextLength, 0)
}

// sentFor adds the message that pre-selection selected for, if there is one.
func sentFor(r *Report, b engine.Budget) {
	strategy := selection.Strategy(b.Selection)
	switch {
	case !engine.PreSelects(b.Selection):
	case !strategy.Ranks():
		r.Say("Selected by %s, whatever the message says.", strategy)
	case b.Message == nil:
		r.Say("Selected by %s for a message that selects nothing; --message says which one.", strategy)
	default:
		r.Say("Selected by %s for the message \"%s\".", strategy, Name(*b.Message))
	}
}

// verdict returns whether search is active, and why.
func verdict(b engine.Budget) Text {
	threshold := Textf("the threshold of %d (the context is unknown)", b.ThresholdTokens)
	if n := contextOf(b); n > 0 {
		threshold = Textf("the threshold of %d (%s of %d)", b.ThresholdTokens, Percent(b.ThresholdPct), n)
	}
	switch {
	case b.Host != "":
		return Textf("Search is %s %s: it is on %s.", OnOff(b.Active), agentOf(b), hosts.Named(b.Host).On)
	case b.Unreachable > 0:
		return Textf("Search is off: %s cannot be reached.", Count(b.Unreachable, "unselected tool"))
	case b.Generation == config.September2026 && b.Active && !engine.PreSelects(b.Selection):
		return Textf("Search is active: %s may be deferred, and one is enough.", Count(b.DeferredCount, "tool"))
	case b.Active && engine.PreSelects(b.Selection):
		return Textf("Search is active, with %s deferred.", Count(b.DeferredCount, "tool"))
	case b.DeferredCount == 0 && engine.PreSelects(b.Selection):
		return TextOf("Search is not active: every tool is sent, so that nothing is left to search for.")
	case b.DeferredCount == 0:
		return TextOf("Search is not active: no tool of the session is deferrable.")
	case b.Mode == "off":
		return TextOf("Search is not active: the config has it off.")
	case b.Mode == "on":
		return TextOf("Search is active: the config has it on.")
	case b.Active:
		return Textf("Search is active: %d deferrable tokens reach %s.", b.DeferredTokens, threshold)
	}
	return Textf("Search is not active: %d deferrable tokens are below %s.", b.DeferredTokens, threshold)
}

// toolsetTable returns the toolsets of a budget, each with its tools when the
// budget lists them.
func toolsetTable(b engine.Budget) *Table {
	t := Columns("toolset", ">tools", ">deferrable", ">tokens", "")
	most := 0
	for _, set := range b.Toolsets {
		most = max(most, set.Tokens)
	}
	for _, set := range b.Toolsets {
		t.Row(Name(set.Name), set.Tools, set.Deferred, set.Tokens, bar(float64(set.Tokens), float64(most), shareWidth))
		for _, tool := range set.ToolTokens {
			deferrable := ""
			if tool.Deferred {
				deferrable = "yes"
			}
			t.FaintRow(Textf("  %s", Name(tool.Name)), "", deferrable, tool.Tokens, "")
		}
	}
	return t
}

// Budget returns the report of the cost of a session's definitions for an issue, after that
// of the snapshot without the tried values, which is nil while nothing is tried. It adds the
// values that would change the decision, and the break-even of tool search for a session
// with given habits.
func (c Case) Budget(without *engine.Snapshot, h engine.Habits) *Report {
	r := new(Report)
	for _, s := range []*engine.Snapshot{without, c.Snapshot} {
		switch {
		case s == nil:
			continue
		case without != nil && s == without:
			r.Heading(3, "Without the draft")
		case without != nil:
			r.Heading(3, "With the draft")
		}
		r.Add(Budget(s.Budget(false), ListingOutlook(s, s.ListCurve())))
	}
	flips(r, c.Snapshot)
	r.Heading(3, "Break-even")
	b := c.Snapshot.BreakEven(h)
	lead := "A session"
	if !c.Snapshot.Active() {
		lead = "If tool search were active: a session"
	}
	r.Say("%s of %s that uses %s, at %s per search result.", lead, Count(h.Turns, "turn"), Count(h.ToolsUsed, "tool"), Count(h.ResultTokens, "token"))
	t := Columns("part", "tokens")
	t.Row("saved in definitions each turn", b.PerTurn)
	t.Row("saved in all turns", h.Turns*b.PerTurn)
	t.Row(Textf("spent on %s and their answers", Count(b.ExtraTurn, "extra round trip")), b.Overhead)
	t.Row("saved altogether", b.Saved)
	r.Table(t)
	switch {
	case c.Snapshot.Budget(false).DeferredCount == 0:
		r.Say("There is nothing to defer.")
	case b.Saved <= 0:
		r.Say("Tool search costs more than it saves here.")
	default:
		r.Say("It saves %s %% of the %d that sending everything costs.", strings.TrimSuffix(Tenths(100*float64(b.Saved)/float64(b.Eager)), "%"), b.Eager)
	}
	return c.Issue("caliper budget", r, c.Command("budget"))
}

// LastThreshold returns the largest threshold at which auto is active, in tokens and
// in percent of the context. It is empty where no context is known and where the
// deferrable tokens fill it, because then no threshold switches search off.
func LastThreshold(b engine.Budget, c engine.Curve) string {
	n := contextOf(b)
	if n <= 0 || c.Deferrable == 0 || c.Deferrable >= n {
		return ""
	}
	tenths := 1000 * c.Deferrable / n // rounded down: at the percentage that is shown, auto is active
	return fmt.Sprintf("%s (%d.%d%%)", words.Thousands(c.Deferrable), tenths/10, tenths%10)
}

// flips adds the values at which the decision of mode auto changes.
func flips(r *Report, s *engine.Snapshot) {
	curve := s.Curve()
	if curve.Deferrable == 0 {
		return
	}
	who := TextOf("Auto is")
	if mode := s.Config.ToolSearch.Enabled; mode != config.Auto {
		who = Textf("The mode is %s, whatever the threshold. Auto would be", Name(mode))
	}
	until := Textf("up to a context of %d tokens", curve.LastActive)
	switch {
	case curve.LastActive < 0:
		until = TextOf("at every context")
	case curve.LastActive == 0:
		until = TextOf("at no context")
	}
	if last := LastThreshold(s.Budget(false), curve); last != "" {
		until = append(until, Textf(", or up to a threshold of %s", last)...)
	}
	change, turns, n, tools := "more", "on", curve.ToFlip, curve.ToolsToFlip
	if n < 0 {
		change, turns, n, tools = "fewer", "off", -n, -tools
	}
	var by Text
	if curve.Average > 0 {
		by = Textf(" (about %s of %d tokens each)", Count(tools, "tool"), curve.Average)
	}
	r.Say("%s active %s. At this context it switches %s with %d %s deferrable tokens%s.", who, until, turns, n, change, by)
}

// Listing returns what the model is shown of the deferred tools before it searches.
func Listing(l engine.ListingShare) Text {
	switch {
	case l.Form == tokens.ListNone && len(l.Groups) == 0:
		return TextOf("no list of deferred tools")
	case l.Form == tokens.ListNone:
		return Textf("none of the deferred tools (a list may take %d tokens)", l.Limit)
	}
	said := Textf("%s, %d of %d tokens", formShown[l.Form], l.Counted(), l.Limit)
	if l.Tokens == l.Counted() {
		return said
	}
	return Textf("%v (%d as sent)", said, l.Tokens)
}

// formShown is the part that the model is shown in each form of the list.
var formShown = map[tokens.ListForm]string{
	tokens.ListFull:   "names and first sentences",
	tokens.ListNames:  "names",
	tokens.ListMixed:  "names, of the largest groups only how many",
	tokens.ListGroups: "groups",
}

// formBegins begins a sentence about a form of the list.
var formBegins = map[tokens.ListForm]string{
	tokens.ListFull:   "With names and first sentences",
	tokens.ListNames:  "With all names",
	tokens.ListMixed:  "With the names of small groups",
	tokens.ListGroups: "With groups alone",
}

// ListingOutlook returns, in a sentence each, what limits the list of the deferred
// tools, and what every richer form of it needs. It is empty where nothing is listed.
func ListingOutlook(s *engine.Snapshot, c engine.ListCurve) []Text {
	l := s.Budget(false).Listing
	if l == nil || len(c.Points) == 0 {
		return nil
	}
	search, shown := s.Config.ToolSearch, s.Assembly().Listing.With(l.Limit)
	var says []Text
	if c.Off {
		says = append(says, Textf("The config has the listing off. With it on, the model would be shown %s: %s.", formShown[shown.Form], Count(shown.Tokens(), "token")))
	}
	unlimited := search
	unlimited.ListingMost = math.MaxInt
	share := engine.ListingBudget(unlimited, s.Config.ContextLength)
	switch n := contextOf(s.Budget(false)); {
	case l.Limit < share && n == 0:
		says = append(says, Textf("It may take the %d tokens of listing_max_tokens.", l.Limit))
	case l.Limit < share:
		says = append(says, Textf("It may take the %d tokens of listing_max_tokens; %s of the context would be %d.", l.Limit, Percent(search.ThresholdPct), share))
	case n == 0:
		says = append(says, Textf("It may take %d tokens, as the context is unknown.", l.Limit))
	default:
		says = append(says, Textf("It may take %d tokens: %s of the context of %d.", l.Limit, Percent(search.ThresholdPct), n))
	}
	for _, n := range slices.Backward(c.Needs) { // the next richer form first
		switch more := n.Tokens - l.Limit; {
		case more <= 0:
		case n.Context < 0:
			says = append(says, Textf("%s it takes %d tokens, %d more, and listing_max_tokens must allow them.", formBegins[n.Form], n.Tokens, more))
		default:
			says = append(says, Textf("%s it takes %d tokens, %d more: a context of %d allows them.", formBegins[n.Form], n.Tokens, more, n.Context))
		}
	}
	if shown.Form == tokens.ListFull {
		says = append(says, TextOf("No form shows more."))
	}
	return says
}
