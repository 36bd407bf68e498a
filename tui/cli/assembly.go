package cli

import (
	"context"

	"caliper/tui/report"
	"caliper/tui/workbench"
)

// assemblyRow is `assembly`: the tools array that the model would get.
func (r *run) assemblyRow() row {
	return row{on: func(_ context.Context, st workbench.State, _ []string) (*outcome, error) {
		text, err := report.Assembly(st.Snapshot, st.Snapshot.Budget(false))
		return &outcome{value: st.Snapshot.Assembly().Definitions(), page: text}, err
	}}
}
