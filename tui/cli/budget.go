package cli

import (
	"caliper/tui/report"
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
		RunE: r.onState(func(_ *cobra.Command, st workbench.State, _ []string) error {
			b := st.Snapshot.Budget(tools)
			return r.answer(b, report.Budget(b, report.ListingOutlook(st.Snapshot, st.Snapshot.ListCurve())))
		}),
	}
	cmd.Flags().BoolVar(&tools, "tools", false, "list every tool with its tokens")
	return cmd
}
