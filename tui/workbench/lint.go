package workbench

import (
	"context"

	"caliper/engine/lint"
)

// Lint looks for what is wrong in a loaded state, as lint.Run does. It may run
// while the workbench loads the next one.
func (w *Workbench) Lint(ctx context.Context, st State, o lint.Options) (lint.Report, error) {
	return lint.Run(ctx, w.builder, st.Snapshot, o)
}
