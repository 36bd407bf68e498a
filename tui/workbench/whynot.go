package workbench

import (
	"context"

	"caliper/engine"
)

// WhyNot explains why a query does not find a tool in a loaded state, as
// engine.Builder.WhyNot does. It may run while the workbench loads the next
// one.
func (w *Workbench) WhyNot(ctx context.Context, st State, query, name string, limit int) (engine.WhyNot, error) {
	return w.builder.WhyNot(ctx, st.Snapshot, query, name, limit)
}
