package cli

import (
	"context"

	"caliper/tui/report"
	"caliper/tui/workbench"
)

// budgetRow is `budget`: what the definitions of a session cost.
func (r *run) budgetRow() row {
	var tools bool
	return row{
		flags: func(f flagSet) { f.on(&tools, "tools", "list every tool with its tokens") },
		on: func(_ context.Context, st workbench.State, _ []string) (*outcome, error) {
			b := st.Snapshot.Budget(tools)
			return &outcome{value: b, page: report.Budget(b, report.ListingOutlook(st.Snapshot, st.Snapshot.ListCurve()))}, nil
		},
	}
}
