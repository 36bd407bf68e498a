package repro

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"caliper/config"
	"caliper/engine"
)

// Budget returns the repro of what the definitions of a session cost: the
// figures beside those without what is tried, which are those of a snapshot
// that is nil while nothing is; what would flip the decision; the toolsets, the
// dearest first; and the break-even of tool search for a session of habits.
func Budget(c Case, without *engine.Snapshot, h engine.Habits) string {
	var d document
	d.heading(2, "caliper budget")
	c.surroundings(&d)
	c.figures(&d, without)
	c.flips(&d)
	c.toolsets(&d)
	c.breakEven(&d, h)
	c.again(&d, c.command("budget"))
	return c.end(&d)
}

// figures writes the totals, and in a column before them what they are without
// what is tried.
func (c Case) figures(d *document, without *engine.Snapshot) {
	d.heading(3, "Figures")
	budgets := []engine.Budget{c.Snapshot.Budget(false)}
	out := tableOf("figure", "tokens")
	if without != nil {
		budgets = []engine.Budget{without.Budget(false), budgets[0]}
		out.titles = []string{"figure", "without", "tried"}
	}
	row := func(name string, of func(engine.Budget) string) {
		cells := []string{name}
		for _, b := range budgets {
			cells = append(cells, of(b))
		}
		out.add(cells...)
	}
	row("counted by", func(b engine.Budget) string { return code(string(b.Tokenizer)) })
	row("context", func(b engine.Budget) string {
		if b.ContextLength == nil {
			return "unknown"
		}
		return strconv.Itoa(*b.ContextLength)
	})
	row("everything", func(b engine.Budget) string { return strconv.Itoa(b.EagerTokens) })
	row("sent", func(b engine.Budget) string { return strconv.Itoa(b.AfterTokens) })
	row("saved", func(b engine.Budget) string { return strconv.Itoa(b.SavedTokens) })
	row("deferrable", func(b engine.Budget) string { return strconv.Itoa(b.DeferredTokens) })
	row("threshold", func(b engine.Budget) string { return strconv.Itoa(b.ThresholdTokens) })
	row("mode", func(b engine.Budget) string { return code(string(b.Mode)) })
	row("tool search", func(b engine.Budget) string { return activeWord(b.Active) })
	d.table(out)
}

// flips writes where the decision of mode auto turns over.
func (c Case) flips(d *document) {
	curve := c.Snapshot.Curve()
	if curve.Deferrable == 0 {
		return
	}
	who := "Auto is"
	if mode := c.Snapshot.Config.ToolSearch.Enabled; mode != config.Auto {
		who = "The mode is " + code(string(mode)) + ", whatever the threshold. Auto would be"
	}
	switch {
	case curve.LastActive < 0:
		who += " active at every context."
	case curve.LastActive == 0:
		who += " active at no context."
	default:
		who += fmt.Sprintf(" active up to a context of %d tokens.", curve.LastActive)
	}
	change, turns, n, tools := "more", "on", curve.ToFlip, curve.ToolsToFlip
	if n < 0 {
		change, turns, n, tools = "fewer", "off", -n, -tools
	}
	line := fmt.Sprintf("%s At this context, %d deferrable tokens %s turn it %s", who, n, change, turns)
	if curve.Average > 0 {
		line += fmt.Sprintf(": %s of %d tokens, the average", counted(tools, change+" tool"), curve.Average)
	}
	d.line(line + ".")
}

// toolsets writes what each toolset costs, the dearest first.
func (c Case) toolsets(d *document) {
	b := c.Snapshot.Budget(false)
	d.heading(3, "Toolsets")
	if len(b.Toolsets) == 0 {
		d.line("The session is granted no tools.")
		return
	}
	sets := slices.Clone(b.Toolsets)
	slices.SortStableFunc(sets, func(a, b engine.ToolsetBudget) int { return cmp.Compare(b.Tokens, a.Tokens) })
	out := tableOf("toolset", "tools", "deferrable", "tokens", "percent")
	for _, set := range sets[:min(len(sets), maxRows)] {
		out.add(code(set.Name), strconv.Itoa(set.Tools), strconv.Itoa(set.Deferred), strconv.Itoa(set.Tokens), share(set.Tokens, b.EagerTokens))
	}
	d.table(out)
	d.more(len(sets) - maxRows)
}

// share returns a part of a whole in percent, empty without a whole.
func share(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64)
}

// breakEven writes what tool search is worth for a session of habits.
func (c Case) breakEven(d *document, h engine.Habits) {
	d.heading(3, "Break-even")
	b := c.Snapshot.BreakEven(h)
	lead := "A session"
	if !c.Snapshot.Active() {
		lead = "If tool search were active: a session"
	}
	d.line(fmt.Sprintf("%s of %s that uses %s, at %s a result.", lead,
		counted(h.Turns, "turn"), counted(h.ToolsUsed, "tool"), counted(h.ResultTokens, "token")))
	out := tableOf("part", "tokens")
	out.add("saved in definitions each turn", strconv.Itoa(b.PerTurn))
	out.add("saved in all turns", strconv.Itoa(h.Turns*b.PerTurn))
	out.add("spent on "+counted(b.ExtraTurn, "round trip")+" and their answers", strconv.Itoa(b.Overhead))
	out.add("saved altogether", strconv.Itoa(b.Saved))
	d.table(out)
	switch {
	case c.Snapshot.Budget(false).DeferredCount == 0:
		d.line("There is nothing to defer.")
	case b.Saved <= 0:
		d.line("It is not worth it here.")
	default:
		d.line(fmt.Sprintf("It saves %s %% of the %d that sending everything costs.", share(b.Saved, b.Eager), b.Eager))
	}
}

// counted returns a number with what it counts, in the plural unless it is one.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
