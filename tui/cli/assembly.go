package cli

import (
	"caliper/tui/report"
	"caliper/tui/workbench"

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
		RunE: r.onState(func(_ *cobra.Command, st workbench.State, _ []string) error {
			text, err := report.Assembly(st.Snapshot, st.Snapshot.Budget(false))
			if err != nil {
				return err
			}
			return r.answer(st.Snapshot.Assembly().Definitions(), text)
		}),
	}
}
