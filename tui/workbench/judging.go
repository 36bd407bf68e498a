package workbench

import (
	"context"

	"caliper/engine/changegate"
	"caliper/engine/labels"
)

// JudgeChange returns the verdict on the change from one state to another, whatever the
// message of either. The error is ctx's, or an audit's.
func (w *Workbench) JudgeChange(ctx context.Context, old, new State, queries []labels.Query, o changegate.Options) (changegate.Result, error) {
	return changegate.Judge(ctx, w.builder, old.Snapshot.Unasked(), new.Snapshot.Unasked(), queries, o)
}
