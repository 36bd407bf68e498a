package cli

import (
	"context"

	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// budgetRow is `budget`: what the definitions of a session cost.
func (r *run) budgetRow() runner.Row {
	var tools bool
	return runner.Row{
		Flags: func(f runner.FlagSet) { f.On(&tools, "tools", "list every tool with its tokens") },
		On: func(_ context.Context, st workbench.State, _ []string) (*runner.Outcome, error) {
			b := st.Snapshot.Budget(tools)
			return &runner.Outcome{Value: b, Page: report.Budget(b, report.ListingOutlook(st.Snapshot, st.Snapshot.ListCurve()))}, nil
		},
	}
}
