package cli

import (
	"fmt"

	"caliper/engine"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// budgetCommand is `budget`: what the definitions of a session cost.
func (r *run) budgetCommand() *cobra.Command {
	var tools bool
	cmd := &cobra.Command{
		Use:   "budget",
		Short: "Count the tokens of the session's tools, and what search saves.",
		Long: "Every tool in full, and what is sent of it: what caliper assembly prints. Where tools.selection selects by " +
			"the message, --message says which one; without it, nothing is selected but what is always sent.",
		GroupID: groupLook,
		Example: `caliper budget
caliper budget --context 1000000 --tokenizer o200k_base
caliper budget --tools --json`,
		Args: argumentCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, err := r.loadGood(cmd.Context())
			if err != nil {
				return err
			}
			b := st.Snapshot.Budget(tools)
			if r.flags.json {
				return r.printJSON(b)
			}
			r.budgetText(b)
			return nil
		},
	}
	cmd.Flags().BoolVar(&tools, "tools", false, "list every tool with its tokens")
	return cmd
}

// sentFor says in words which message pre-selection has selected for; empty
// without pre-selection.
func sentFor(b engine.Budget) string {
	strategy := selection.Strategy(b.Selection)
	switch {
	case !engine.PreSelects(b.Selection):
		return ""
	case !strategy.Ranks():
		return fmt.Sprintf("Selected by %s, whatever the message says.", strategy)
	case b.Message == nil:
		return fmt.Sprintf("Selected by %s for a message that selects nothing; --message says which one.", strategy)
	}
	return fmt.Sprintf("Selected by %s for the message %q.", strategy, model.Sanitize(*b.Message))
}

// The widths of the bars, in blocks.
const (
	gaugeWidth = 32
	shareWidth = 16
)

// budgetText prints a budget for a person.
func (r *run) budgetText(b engine.Budget) {
	p := r.page()
	p.line(p.strong("session "+model.Sanitize(b.Session)), p.faint(fmt.Sprintf("  %s, tokens by %s",
		counted(b.Tools, "tool"), b.Tokenizer)))
	p.blank()
	whole := float64(max(b.EagerTokens, b.AfterTokens))
	ofContext := func(int) string { return "" }
	if b.ContextLength != nil && *b.ContextLength > 0 {
		context := float64(*b.ContextLength)
		ofContext = func(n int) string { return percent(100*float64(n)/context) + " of the context" }
	}
	t := table{columns: []column{{}, {align: right}, {}, {align: right}}}
	t.add("every tool in full", grouped(b.EagerTokens), gauge(float64(b.EagerTokens), whole, gaugeWidth), ofContext(b.EagerTokens))
	t.add("sent to the model", grouped(b.AfterTokens), gauge(float64(b.AfterTokens), whole, gaugeWidth), ofContext(b.AfterTokens))
	t.add("saved", grouped(b.SavedTokens), "", percent(b.SavedPct))
	t.print(p)
	p.blank()
	if words := sentFor(b); words != "" {
		p.paragraph(0, words)
	}
	p.paragraph(0, verdict(b))
	p.paragraph(0, "The context is from: "+workbench.OriginWords(b.ContextOrigin)+".")
	sent := "Always sent"
	if engine.PreSelects(b.Selection) {
		sent = "Sent in full"
	}
	p.paragraph(0, fmt.Sprintf("%s %s, deferrable %s in %s, bridge %s.", sent, grouped(b.VisibleTokens),
		grouped(b.DeferredTokens), counted(b.DeferredCount, "tool"), grouped(b.BridgeTokens)))
	if saved, pct, known := b.ReferenceSaved(); known && b.BridgeTokens > 0 {
		p.paragraph(0, fmt.Sprintf("With the reference agent's own bridge, of %s tokens, the saving is %s (%s).",
			grouped(*b.ReferenceBridge), grouped(saved), percent(pct)))
	} else if b.BridgeTokens > 0 {
		p.paragraph(0, "What the reference agent's own bridge costs is known in chars4 only.")
	}
	if b.InstructionTokens > 0 {
		p.paragraph(0, fmt.Sprintf("Besides, the instructions of the servers: %s in the prompt.", counted(b.InstructionTokens, "token")))
	}
	if len(b.Toolsets) > 0 {
		p.blank()
		toolsetTable(b).print(p)
	}
}

// verdict says in words whether search is active, and why.
func verdict(b engine.Budget) string {
	threshold := fmt.Sprintf("the threshold of %s", grouped(b.ThresholdTokens))
	if b.ContextLength != nil && *b.ContextLength > 0 {
		threshold += fmt.Sprintf(" (%s of %s)", percent(b.ThresholdPct), grouped(*b.ContextLength))
	} else {
		threshold += " (the context is unknown)"
	}
	switch {
	case b.Unreachable > 0:
		return fmt.Sprintf("Search is off: %s cannot be reached.", counted(b.Unreachable, "unselected tool"))
	case b.Active && engine.PreSelects(b.Selection):
		return fmt.Sprintf("Search is active, with %s behind it.", counted(b.DeferredCount, "tool"))
	case b.DeferredCount == 0 && engine.PreSelects(b.Selection):
		return "Search is not active: every tool is sent, so that nothing is left to search for."
	case b.DeferredCount == 0:
		return "Search is not active: no tool of the session is deferrable."
	case b.Mode == "off":
		return "Search is not active: the config has it off."
	case b.Mode == "on":
		return "Search is active: the config has it on."
	case b.Active:
		return fmt.Sprintf("Search is active: %s deferrable tokens reach %s.", grouped(b.DeferredTokens), threshold)
	}
	return fmt.Sprintf("Search is not active: %s deferrable tokens are below %s.", grouped(b.DeferredTokens), threshold)
}

// toolsetTable returns the toolsets of a budget, each with its tools when the
// budget lists them.
func toolsetTable(b engine.Budget) *table {
	t := &table{columns: []column{
		{title: "toolset"}, {title: "tools", align: right}, {title: "deferrable", align: right}, {title: "tokens", align: right}, {},
	}}
	most := 0
	for _, set := range b.Toolsets {
		most = max(most, set.Tokens)
	}
	for _, set := range b.Toolsets {
		t.add(model.Sanitize(set.Name), grouped(set.Tools), grouped(set.Deferred), grouped(set.Tokens),
			bar(float64(set.Tokens), float64(most), shareWidth))
		for _, tool := range set.ToolTokens {
			deferrable := ""
			if tool.Deferred {
				deferrable = "yes"
			}
			t.rows = append(t.rows, row{faint: true,
				cells: []string{"  " + model.Sanitize(tool.Name), "", deferrable, grouped(tool.Tokens), ""}})
		}
	}
	return t
}
