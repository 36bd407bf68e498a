package cli

import (
	"context"

	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// assemblyRow is `assembly`: the tools array that the model would get.
func (r *run) assemblyRow() runner.Row {
	return runner.Row{On: func(_ context.Context, st workbench.State, _ []string) (*runner.Outcome, error) {
		text, err := report.Assembly(st.Snapshot, st.Snapshot.Budget(false))
		return &runner.Outcome{Value: st.Snapshot.Assembly().Definitions(), Page: text}, err
	}}
}
