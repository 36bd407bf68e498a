package cli

import (
	"encoding/json"
	"fmt"

	"caliper/engine"
	"caliper/model"

	"github.com/spf13/cobra"
)

// assemblyCommand is `assembly`: the tools array that the model would get.
func (r *run) assemblyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "assembly",
		Short: "Show the tools array that the model would get.",
		Long: "Where tools.selection selects by the message, --message says which one; without it, nothing is selected but " +
			"what is always sent.",
		GroupID: groupLook,
		Example: `caliper assembly
caliper assembly --session forge-dev --json > tools.json`,
		Args: argumentCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, err := r.loadGood(cmd.Context())
			if err != nil {
				return err
			}
			if r.flags.json {
				return r.printJSON(st.Snapshot.Assembly().Definitions())
			}
			return r.assemblyText(st.Snapshot, st.Budget)
		},
	}
}

// assemblyText prints one line for every definition, and their total.
func (r *run) assemblyText(s *engine.Snapshot, b engine.Budget) error {
	p := r.page()
	definitions := s.Assembly().Definitions()
	verdict := "search is not active"
	switch {
	case b.Active:
		verdict = fmt.Sprintf("search is active and hides %s", counted(b.DeferredCount, "tool"))
	case b.Unreachable > 0:
		verdict = fmt.Sprintf("search is off and %s cannot be reached", counted(b.Unreachable, "tool"))
	}
	p.line(p.strong(counted(len(definitions), "tool")), p.faint(fmt.Sprintf("  %s (%s) in session %s; %s",
		counted(b.AfterTokens, "token"), b.Tokenizer, model.Sanitize(b.Session), verdict)))
	if words := sentFor(b); words != "" {
		p.paragraph(0, words)
	}
	if len(definitions) == 0 {
		return nil
	}
	p.blank()
	t := table{columns: []column{{title: "tokens", align: right}, {title: "tool"}, {title: "toolset"}, {title: "description", grow: true}}}
	for _, tool := range s.Assembly().Tools {
		t.add(grouped(s.ToolTokens(tool)), tool.ShownName, tool.ShownToolset, firstLine(tool.ShownDescription))
	}
	if b.Active {
		for _, raw := range definitions[len(definitions)-3:] {
			var d struct {
				Function struct{ Name, Description string }
			}
			if err := json.Unmarshal(raw, &d); err != nil {
				return err
			}
			t.add(grouped(s.Tokenizer.Tokens(s.Tokenizer.Units(raw))), d.Function.Name, "(bridge)", d.Function.Description)
		}
	}
	t.rows = append(t.rows, row{ruler: "total"}, row{cells: []string{grouped(b.AfterTokens), "", "", ""}})
	t.print(p)
	return nil
}
